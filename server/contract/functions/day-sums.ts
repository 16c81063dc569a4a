import { z } from 'zod';
import { functionDefinition, period_s, series } from './definition.ts';
import { why } from '../refusal-reason.ts';

/** Light since midnight at the site, as photons and as the sun's radiation. */
export const lightIntegral = functionDefinition({
  options: z.strictObject({ period_s, light: series.describe('Global radiation, light, PAR or lux of daylight') }),
  reads: ({ light }) => [{ path: 'light', series: light, measures: ['radiation', 'light', 'par', 'illuminance'] }],
  values: () => [
    { name: 'Light today', measurement: 'light_integral' },
    { name: 'Radiation today', measurement: 'radiation_sum' },
  ],
  commands: ['look', 'reset'],
});

/** Degree hours since midnight at the site. */
export const degreeHours = functionDefinition({
  options: z.strictObject({
    period_s,
    temperature: series.describe('Of the air or the ground, C'),
    base_c: z.number().min(-50).max(80).describe('Only what is above counts, C'),
    upper_c: z.number().min(-50).max(80).describe('What is above counts as this, C; no limit when absent').optional(),
  }),
  reads: ({ temperature }) => [{ path: 'temperature', series: temperature, measures: ['temperature'] }],
  values: () => [{ name: 'Today', measurement: 'degree_hours' }],
  commands: ['look', 'reset'],
  faults: ({ base_c, upper_c = Infinity }) =>
    upper_c <= base_c ? [{ path: 'upper_c', ...why('upper_not_above_base') }] : [],
});
