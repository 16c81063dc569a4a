import { z } from 'zod';
import { climateAsked, climateProgram } from './climate-settings.ts';

const climateCrops = ['tomato', 'cucumber', 'strawberry', 'lettuce', 'orchid'] as const;

/** A program for a crop, which a user may adopt for a house and change. */
export const climatePreset = z.strictObject({
  crop: z.enum(climateCrops),
  program: z
    .strictObject({ ...climateAsked, periods: climateProgram.shape.periods })
    .omit({ name: true, is_activated: true, overrides: true })
    .describe('What the preset names; the rest stays as it is in the house'),
  sources: z
    .array(
      z.strictObject({
        path: z.string().max(100).describe('Of a number in the program, as periods[0].setpoints.heating_c'),
        source: z.string().max(300).describe('Who says so, and where'),
      }),
    )
    .describe('One for each number'),
});
export type ClimatePreset = z.infer<typeof climatePreset>;
