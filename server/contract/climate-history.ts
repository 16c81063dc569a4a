import { z } from 'zod';
import { timestamp } from './time.ts';

/** A change of a climate program. */
export const climateChange = z.strictObject({
  id: z.int().min(1).max(1e15).describe('Of its record in the audit; to undo it, name it'),
  at: timestamp,
  username: z.string().nullable().describe('Who changed it; null for the service itself'),
  fields: z
    .array(
      z.strictObject({
        path: z.string().max(200).describe('As periods[0].setpoints.heating_c'),
        before: z.json(),
        after: z.json(),
      }),
    )
    .describe('What became otherwise; null where there was or is nothing'),
  periods: z.array(z.string()).describe('Names of the periods after it, and of those that it took away'),
});
export type ClimateChange = z.infer<typeof climateChange>;
