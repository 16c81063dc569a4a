import { z } from 'zod';
import { uuid } from './identifier.ts';
import { countOf, measured, settable } from './quantity.ts';
import { timestamp } from './time.ts';

const referencePointNumber = z.union([z.literal(1), z.literal(2)]).describe('Which of the two points, 1 or 2');
const instrument = z.string().trim().max(200);
const inUnit = (what: string) => measured(`${what}, in the unit of the sensor`);

/**
 * The reading of a reference instrument beside a sensor; the sensor's own reading comes from the daemon, never typed.
 */
export const referenceReading = z.strictObject({
  device_id: uuid,
  measurement_id: uuid,
  point: referencePointNumber,
  reference: settable.describe('What the reference shows now, in the unit of the sensor, -1e15 to 1e15'),
  allowed_error: z
    .number()
    .gt(0)
    .max(1e15)
    .optional()
    .describe('Largest error allowed, in the unit of the sensor, above 0 to 1e15; by its role when absent'),
  instrument: instrument.optional().describe('Make, number and certificate of the reference'),
});
export type ReferenceReading = z.infer<typeof referenceReading>;

export const referencePoint = z.strictObject({
  point: referencePointNumber,
  reference: inUnit('What the reference showed'),
  measured: inUnit('Mean of what the sensor said in the seconds before'),
  error: inUnit('The sensor less the reference'),
  allowed: inUnit('Largest error allowed'),
  noise: inUnit('Standard deviation of those readings').nullable().describe('null: there was only one'),
  count: countOf('Readings'),
  passed: z.boolean(),
  instrument: z.string(),
  by: z.string(),
  at: timestamp,
});
export type ReferencePoint = z.infer<typeof referencePoint>;

export const accuracy = z
  .strictObject({
    unit: z.string(),
    points: z.array(referencePoint).describe('All that were taken, the oldest first; the last of each number counts'),
    gain: z
      .number()
      .nullable()
      .describe('sensor = gain * reference + offset, any finite number; null before both points lie far enough apart'),
    offset: inUnit('The same line at 0').nullable(),
    apart: inUnit('Least distance of the two references').nullable().describe('null before there is a point'),
    passed: z.boolean().nullable().describe('null: two points that lie far enough apart are not there yet'),
  })
  .meta({ id: 'accuracy' });
export type Accuracy = z.infer<typeof accuracy>;
