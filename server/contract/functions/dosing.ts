import { z } from 'zod';
import { outputRef } from '../output.ts';
import { functionDefinition, period_s, series } from './definition.ts';
import { why, type Said } from '../refusal-reason.ts';

const ml = (what: string) => z.number().min(0.1).max(100_000).describe(`${what}, in ml`);
const seconds = (what: string) => z.number().min(1).max(86_400).describe(`${what}, in s`);
const inUnit = (what: string, least: number, most: number) =>
  z.number().min(least).max(most).describe(`${what}, in pH or dS/m`);

/** Brings pH or EC to a target by doses that cannot harm; its options are named as in the domain. */
export const dosing = functionDefinition({
  options: z.strictObject({
    period_s,
    measurement: series.describe('pH or EC of the mixed water'),
    target: inUnit('What it is brought to', 0, 20),
    tolerance: inUnit('No dose while it is this near', 0.01, 5),
    raise_output: outputRef.describe('Pump that raises it: base, or fertiliser; none when absent').optional(),
    raise_ml: ml('One dose of that pump').optional(),
    lower_output: outputRef.describe('Pump that lowers it: acid; none when absent').optional(),
    lower_ml: ml('One dose of that pump').optional(),
    tank: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .describe(
        'Functions that name the same tank keep mixing time and lock to each other; those of one measurement do so anyway',
      )
      .optional(),
    mixing_s: seconds('What a dose needs until the reading is believed again'),
    lock_s: seconds('After a dose the other pump waits so long'),
    daily_ml: ml('The most of each pump in 24 h'),
    least_reaction: inUnit('Less movement than this is no reaction', 0.001, 5),
    doses_to_react: z
      .int()
      .min(1)
      .max(20)
      .describe('So many doses without a reaction stop it until a person resets it'),
  }),
  reads: ({ measurement }) => [{ path: 'measurement', series: measurement, measures: ['ph', 'ec'] }],
  drives: ({ raise_output, lower_output }) => [
    ...(raise_output === undefined ? [] : [['raise_output', raise_output] as const]),
    ...(lower_output === undefined ? [] : [['lower_output', lower_output] as const]),
  ],
  values: () => [
    { name: 'Raised in 24 h', measurement: 'dose' },
    { name: 'Lowered in 24 h', measurement: 'dose' },
  ],
  commands: ['look', 'reset'],
  faults: ({ raise_output, raise_ml, lower_output, lower_ml, mixing_s, lock_s, daily_ml }) => {
    const fault = (path: string, said: Said) => [{ path, ...said }];
    if (raise_output === undefined && lower_output === undefined) return fault('raise_output', why('pump_needed'));
    if ((raise_output === undefined) !== (raise_ml === undefined))
      return fault('raise_ml', why('dose_without_pump', { pump: 'raise_output' }));
    if ((lower_output === undefined) !== (lower_ml === undefined))
      return fault('lower_ml', why('dose_without_pump', { pump: 'lower_output' }));
    const isSame =
      raise_output?.output_id === lower_output?.output_id && raise_output?.channel === lower_output?.channel;
    if (isSame) return fault('lower_output', why('same_pump'));
    if (lock_s < mixing_s) return fault('lock_s', why('lock_short'));
    return Math.max(raise_ml ?? 0, lower_ml ?? 0) > daily_ml ? fault('daily_ml', why('daily_below_dose')) : [];
  },
});
