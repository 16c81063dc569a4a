import { z } from 'zod';
import type { MeasurementName } from '../units.ts';
import { functionDefinition, period_s, series } from './definition.ts';

const options = z.strictObject({
  period_s,
  temperature: series.describe('Of the air, C'),
  humidity: series.describe('Relative, of the same air, %'),
});

const ofAir = (measurement: MeasurementName) =>
  functionDefinition({
    options,
    reads: ({ temperature, humidity }) => [
      { path: 'temperature', series: temperature, measures: ['temperature'] },
      { path: 'humidity', series: humidity, measures: ['humidity'] },
    ],
    values: () => [{ name: 'Value', measurement }],
  });

export const vpd = ofAir('vapour_deficit');
export const wetBulb = ofAir('temperature');
export const dewPoint = ofAir('temperature');

/** How far a surface is above the dew point of the air, K: at 0 and below it is wet. */
export const dewMargin = functionDefinition({
  options: options.extend({ surface: series.describe('Temperature of the leaf or the cover, C') }),
  reads: ({ temperature, humidity, surface }) => [
    { path: 'temperature', series: temperature, measures: ['temperature'] },
    { path: 'humidity', series: humidity, measures: ['humidity'] },
    { path: 'surface', series: surface, measures: ['temperature'] },
  ],
  values: () => [{ name: 'Value', measurement: 'temperature_difference' }],
});
