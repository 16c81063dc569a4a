import { z } from 'zod';
import { differenceOf, functionDefinition, period_s, sameValue, series, type ReadSeries } from './definition.ts';
import type { ControlMeasurement } from '../pid.ts';
import { why } from '../refusal-reason.ts';

const measurements = z.array(series).min(2).max(20).describe('Of one quantity, each named once');

function each(several: readonly ControlMeasurement[]): ReadSeries[] {
  return several.map((one, index) => ({ path: `measurements[${index}]`, series: one }));
}

export const average = functionDefinition({
  options: z.strictObject({
    period_s,
    measurements,
    at_least: z.int().min(1).max(20).describe('So many must be good; all when absent').optional(),
  }),
  reads: (options) => each(options.measurements),
  values: sameValue,
  faults: ({ at_least = 0, measurements: { length } }) =>
    at_least > length ? [{ path: 'at_least', ...why('more_than_listed') }] : [],
});

export const difference = functionDefinition({
  options: z.strictObject({ period_s, measurement: series, minus: series }),
  reads: ({ measurement, minus }) => [
    { path: 'measurement', series: measurement },
    { path: 'minus', series: minus },
  ],
  values: (first) => [{ name: 'Value', measurement: differenceOf(first) }],
  refusesDirections: true,
});

export const sum = functionDefinition({
  options: z.strictObject({ period_s, measurements }),
  reads: (options) => each(options.measurements),
  values: sameValue,
  refusesDirections: true,
});

/** The first good value. */
export const redundancy = functionDefinition({
  options: z.strictObject({
    period_s,
    measurements: measurements.describe('Of one quantity, each named once: the first that is good counts'),
  }),
  reads: (options) => each(options.measurements),
  values: sameValue,
});
