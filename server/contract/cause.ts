import { z } from 'zod';
import { uuid } from './identifier.ts';

/** Why a controller did what it did: which one, and with which numbers. */
export const cause = z.strictObject({
  kind: z.string().max(64).describe('Of the controller'),
  unique_id: uuid,
  name: z.string().max(200),
  because: z.string().max(500).describe('The rule with its numbers'),
});
export type Cause = z.infer<typeof cause>;
