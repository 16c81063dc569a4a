import { z } from 'zod';
import { differenceOf, functionDefinition, period_s, series } from './definition.ts';
import { why } from '../refusal-reason.ts';

/** Of one series over the preceding time, with each tick weighted equally. */
export const statistics = functionDefinition({
  options: z.strictObject({
    period_s,
    measurement: series,
    window_s: z.number().min(60).max(604_800).describe('How far it looks back, in s'),
  }),
  reads: ({ measurement }) => [{ path: 'measurement', series: measurement }],
  values: (first) => [
    { name: 'Mean', measurement: first },
    { name: 'Least', measurement: first },
    { name: 'Most', measurement: first },
    { name: 'Deviation', measurement: differenceOf(first) },
  ],
  commands: ['look', 'reset'],
  refusesDirections: true,
  faults: ({ period_s: every_s, window_s }) =>
    window_s < 2 * every_s ? [{ path: 'window_s', ...why('window_short') }] : [],
});
