import { z } from 'zod';

/** Languages of the pages. */
export const languages = ['en', 'ko', 'ja'] as const;
export const language = z.enum(languages);
export type Language = z.infer<typeof language>;
