import { z } from 'zod';
import { trend } from '../measurement-query.ts';
import { lastValue } from '../measurement.ts';
import { optional, remoteMethod, required } from './method.ts';
import { id } from './parameters.ts';

const series = [required('device_id', id), required('measurement_id', id)] as const;
const sample = lastValue.extend({ device_id: id, measurement_id: id });

/** Maximum samples in one call: a few milliseconds of the daemon's time. */
export const mostSamples = 500;

/** Why a sample was not stored. */
const sampleFault = z.object({ code: z.string(), message: z.string() });
export type SampleFault = z.infer<typeof sampleFault>;

/** Measurements, and samples that programs add. */
export const measurementMethods = {
  /** null when there is none, or none young enough. */
  last_measurement: remoteMethod({
    does: 'the newest reading',
    access: 'network',
    parameters: [...series, optional('max_age_s', z.number().min(0).nullable(), null)],
    answer: lastValue.nullable(),
  }),
  past_measurements: remoteMethod({
    does: 'the readings of the last seconds, at most 2000 points',
    access: 'network',
    parameters: [...series, required('past_s', z.number().gt(0).max(1e9))],
    answer: trend,
  }),
  /**
   * For a channel that an input measures; answers once it is on disk. Failures: `not_found`, `invalid_argument`,
   * `not_stored_yet`.
   */
  measurement_create: remoteMethod({
    does: 'store one sample',
    access: 'loopback',
    parameters: [required('sample', sample)],
    answer: z.boolean(),
  }),
  /** The same for several; returns each one's failure, null for a stored one. */
  measurements_create: remoteMethod({
    does: 'store up to 500 samples',
    access: 'loopback',
    parameters: [required('samples', z.array(sample).max(mostSamples).readonly())],
    answer: z.array(sampleFault.nullable()),
  }),
};
