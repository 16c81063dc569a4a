import { z } from 'zod';

/** Languages that the pages speak. */
export const languages = ['en', 'ko', 'ja'] as const;
export const language = z.enum(languages);
export type Language = z.infer<typeof language>;
