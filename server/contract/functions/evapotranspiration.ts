import { z } from 'zod';
import { functionDefinition, period_s, series } from './definition.ts';

const air = {
  period_s,
  temperature: series.describe('Of the air, C'),
  humidity: series.describe('Relative, of the same air, %'),
};

/** The present water loss, and the sum since midnight at the site. */
const water = [
  { name: 'Value', measurement: 'evapotranspiration' },
  { name: 'Today', measurement: 'water_depth' },
] as const;

/** Reference evapotranspiration of grass in the open: FAO-56. */
export const evapotranspiration = functionDefinition({
  options: z.strictObject({
    ...air,
    wind: series.describe('2 m above the ground, m/s'),
    radiation: series.describe('Global radiation, W/m2'),
    elevation_m: z.number().min(-500).max(6_000).describe('Of the site above the sea, in m; 0 when absent').optional(),
  }),
  reads: ({ temperature, humidity, wind, radiation }) => [
    { path: 'temperature', series: temperature, measures: ['temperature'] },
    { path: 'humidity', series: humidity, measures: ['humidity'] },
    { path: 'wind', series: wind, measures: ['wind_speed'] },
    { path: 'radiation', series: radiation, measures: ['radiation', 'light'] },
  ],
  values: () => water,
  commands: ['look', 'reset'],
});

/** Transpiration of a crop in its house: Stanghellini (1987). */
export const cropTranspiration = functionDefinition({
  options: z.strictObject({
    ...air,
    radiation: series.describe('Global radiation above the crop, inside, W/m2'),
    co2: series.describe('Of the same air, ppm; outdoor air when absent').optional(),
    leaf_area_index: z.number().min(0.1).max(10).describe('Leaves over floor, m2/m2'),
  }),
  reads: ({ temperature, humidity, radiation, co2 }) => [
    { path: 'temperature', series: temperature, measures: ['temperature'] },
    { path: 'humidity', series: humidity, measures: ['humidity'] },
    { path: 'radiation', series: radiation, measures: ['radiation', 'light'] },
    ...(co2 === undefined ? [] : [{ path: 'co2', series: co2, measures: ['co2'] as const }]),
  ],
  values: () => water,
  commands: ['look', 'reset'],
});
