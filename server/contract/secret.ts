import { z } from 'zod';

/** A stored secret in an answer: it is never shown again. */
export const secretSet = z.strictObject({ set: z.literal(true) }).describe('A secret is stored; it is not shown');
export type SecretSet = z.infer<typeof secretSet>;

/** A secret in a request: a new one, or the answered form to keep the stored one. Kept encrypted. */
export const secretSent = z.union([z.string().min(1).max(1000), secretSet]).describe('Write only');
export type SecretSent = z.infer<typeof secretSent>;
