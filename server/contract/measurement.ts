import { z } from 'zod';
import { channelNumber, uuid } from './identifier.ts';
import { epochMs } from './quantity.ts';
import { isoOf, timestamp } from './time.ts';

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

/** The same in an answer. */
export const datedValue = lastValue.extend({ time: timestamp.describe('time_ms in ISO 8601, UTC') });
export type DatedValue = z.infer<typeof datedValue>;

export function dated<Value extends LastValue>(value: Value): Value & { time: string } {
  return { ...value, time: isoOf(value.time_ms) };
}

/**
 * The measurement of output states in the measurement store, %: 0 off, 100 on, a position or duty cycle between, none
 * while unknown. The device is the output.
 */
export const outputStateMeasurementId = '5d1b8f0e-6f75-4470-8574-737461746500';
