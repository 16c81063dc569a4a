import { z } from 'zod';
import { uuid } from './identifier.ts';
import { reason } from './reason.ts';
import { timestamp } from './time.ts';

/** Why a controller acted: which one, and on which numbers. */
export const cause = z.strictObject({
  kind: z.string().max(64).describe('Of the controller'),
  unique_id: uuid,
  name: z.string().max(200),
  because: z.string().max(500).describe('The rule with its numbers, in English'),
  reason: reason.optional().describe('The same as data; absent from what was stored before there was any'),
  at: timestamp.optional().describe('Of an output: when it was stated; its numbers are those of then'),
});
export type Cause = z.infer<typeof cause>;

/** The cause as controllers report it now. */
export const controlCause = cause.omit({ at: true }).required({ reason: true });
export type ControlCause = z.infer<typeof controlCause>;
