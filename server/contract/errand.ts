import { z } from 'zod';
import { cause } from './cause.ts';
import { uuid } from './identifier.ts';
import { timestamp } from './time.ts';

const text = z.string().min(1).max(4_000);

/**
 * What a controller hands over to the service, which writes notes and sends messages. The controller waits for neither.
 */
const errandTask = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('note'), text, category: z.string().max(64).nullable() }),
  z.strictObject({ kind: z.literal('message'), target_id: uuid, text }),
  z.strictObject({
    kind: z.literal('mqtt'),
    target_id: uuid,
    topic: z.string().max(500).nullable().describe('That of the target where null'),
    payload: z.string().max(10_000).nullable().describe('The cause as JSON where null'),
  }),
  z.strictObject({ kind: z.literal('webhook'), target_id: uuid, text: text.nullable() }),
]);
export type ErrandTask = z.infer<typeof errandTask>;
/** A task that leaves this machine. */
export type OutgoingTask = Exclude<ErrandTask, { kind: 'note' }>;

export const errand = z.strictObject({
  cause,
  action: z.string().max(64).describe('Its name at the controller'),
  value: z.union([z.number(), z.boolean()]).nullable().describe('With which a statement ran it; null where with none'),
  ends_at: timestamp.describe('It is given up then'),
  task: errandTask,
});
export type Errand = z.infer<typeof errand>;
