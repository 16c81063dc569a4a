import { z } from 'zod';
import { uuid } from './identifier.ts';
import { channelNumber } from './output.ts';
import { epochMs } from './quantity.ts';

export const sampleQuality = z.enum(['good', 'suspect', 'bad']);
export type SampleQuality = z.infer<typeof sampleQuality>;

/** One reading of one channel. */
export const lastValue = z.strictObject({
  device_id: uuid,
  measurement_id: uuid,
  channel: channelNumber,
  value: z
    .number()
    .nullable()
    .describe('In unit, any finite number; null: the sensor answered without a usable number'),
  unit: z.string(),
  quality: sampleQuality,
  time_ms: epochMs.describe('Epoch ms of the reading'),
});
export type LastValue = z.infer<typeof lastValue>;

/**
 * The measurement that the state of an output is kept under in the measurement store, in %: 0 off, 100 on, a position
 * or duty cycle between, nothing while unknown. The device is the output.
 */
export const outputStateMeasurementId = '5d1b8f0e-6f75-4470-8574-737461746500';
