import { z } from 'zod';

/** Languages that the pages speak. */
export const language = z.enum(['en', 'ko', 'ja']);
export type Language = z.infer<typeof language>;
