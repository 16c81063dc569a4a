import { z } from 'zod';
import { outputRef } from '../output.ts';
import { settable } from '../quantity.ts';
import { functionDefinition, period_s, series } from './definition.ts';

/** Switches an output between two levels. It stores nothing, as measurement and output are stored already. */
export const bangBang = functionDefinition({
  options: z.strictObject({
    period_s,
    measurement: series,
    output: outputRef,
    direction: z.enum(['raise', 'lower']).describe('What the output does to the measurement'),
    setpoint: settable.describe('In the unit of the measurement, -1e15 to 1e15'),
    hysteresis: z
      .number()
      .min(0)
      .max(1e15)
      .describe('How far beyond the setpoint it switches, to either side, in the unit of the measurement'),
  }),
  reads: ({ measurement }) => [{ path: 'measurement', series: measurement }],
  drives: ({ output }) => [['output', output]],
  values: () => [],
  refusesDirections: true,
});
