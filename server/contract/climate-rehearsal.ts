import { z } from 'zod';
import { actuatorRole } from './facility-binding.ts';
import { countOf, measured, quantity } from './quantity.ts';
import { standingCrop } from './standing-crop.ts';
import { weatherFileName } from './weather-file.ts';
import { climateAsked } from './climate-settings.ts';

/** Longest span of a rehearsal, days. */
export const mostRehearsedDays = 365;

export const rehearsalRequest = z.strictObject({
  changed: z
    .strictObject({ ...climateAsked, periods: climateAsked.periods.optional() })
    .optional()
    .describe('A change that runs beside the program as it is: what it names of it'),
  from: z.iso.date().describe('First day, YYYY-MM-DD'),
  days: z.number().int().min(1).max(mostRehearsedDays).describe(`How many, 1 to ${mostRehearsedDays}`),
  crop: standingCrop.optional().describe('What stands in the house: none, young or full; full when absent'),
  weather: z
    .enum(['year', 'stored'])
    .optional()
    .describe('A year of weather, or what the sensors of the house have stored of these days; year when absent'),
  weather_file: weatherFileName
    .optional()
    .describe('For a year alone: a recorded one in place of the made one of the place'),
});
export type RehearsalRequest = z.infer<typeof rehearsalRequest>;

const cost = (what: string) => quantity('currency', `${what}, per m2`).nullable().describe('null without a price');

/** The totals of one program; per m2 is per m2 of floor. */
const rehearsedProgram = z.strictObject({
  which: z.enum(['present', 'changed']),
  cold_kh: quantity('K h', 'Warmth that was missing below heating, beyond half a K'),
  warm_kh: quantity('K h', 'Warmth above ventilation, beyond half a K'),
  humid_h: quantity('h', 'Time above 90 % of humidity'),
  heat_kwh_m2: quantity('kWh/m2', 'Heat'),
  lamps_kwh_m2: quantity('kWh/m2', 'Radiant energy of lamps'),
  co2_kg_m2: quantity('kg/m2', 'CO2 given'),
  co2_lost_kg_m2: quantity('kg/m2', 'Of it what vents and fans took out again'),
  water_l_m2: quantity('l/m2', 'Irrigation'),
  moves: z.array(z.strictObject({ role: actuatorRole, moves: countOf('How often all of the role moved') })),
  cost_heat: cost('Fuel'),
  cost_lamps: cost('Electricity of lamps'),
  cost_co2: cost('CO2'),
  cost_water: cost('Water for irrigation'),
  days: z.strictObject({
    mean_c: z.array(measured('Mean inside of each day, C').nullable()).describe('null for one that was left out'),
    heat_kwh_m2: z.array(quantity('kWh/m2', 'Heat of each day').nullable()).describe('null for one that was left out'),
  }),
});
export type RehearsedProgram = z.infer<typeof rehearsedProgram>;

/** How the model was fitted to the house's own measurements. */
const calibration = z.strictObject({
  days: countOf('Days that it is fitted to and judged by: the last one judges'),
  loss_factor: quantity('', 'By which the heat loss of the drawn house is multiplied'),
  sun_factor: quantity('', 'By which the sun that comes in is multiplied'),
  drawn_error_k: quantity('K', 'Root mean square error of the air inside on the last day, as drawn'),
  error_k: quantity('K', 'The same as fitted'),
  error_humidity_pct: quantity('%', 'The same of the humidity').nullable().describe('null without its sensor'),
});
export type Calibration = z.infer<typeof calibration>;

/** The measured data of days that are rehearsed with their own weather. */
const storedDays = z.strictObject({
  left_out: z
    .array(z.iso.date())
    .describe(
      'Days of which temperature or sun outside was not measured for more than an hour together: they are not run',
    ),
  bridged_h: quantity('h', 'Time of shorter gaps of these two, bridged by a straight line'),
  typical: z
    .array(
      z.strictObject({
        what: z.enum(['humidity_pct', 'wind_m_s', 'wind_dir_deg']),
        hours: quantity('h', 'Time for which typical weather stands in'),
      }),
    )
    .describe('What else outside was not measured'),
  measured_c: z.array(measured('Mean inside that was measured on each day, C').nullable()).describe('null without it'),
});
export type StoredDays = z.infer<typeof storedDays>;

export const rehearsal = z.strictObject({
  from: z.iso.date(),
  days: z.number().int().min(1),
  crop: standingCrop,
  weather: z
    .string()
    .max(300)
    .nullable()
    .describe(
      'Name of the weather file, or of the climate station by which the weather is made; null: that of stored days',
    ),
  stored: storedDays.nullable().describe('null for a year of weather'),
  assumed: z
    .array(z.enum(['heater', 'vents', 'fans', 'co2', 'fogger', 'lamps']))
    .describe('What the house binds without a rating or an opening, and for which a usual size stands in'),
  unseen: z
    .array(z.enum(['moisture', 'drain', 'sky', 'measurement', 'rain']))
    .describe('What these programs go by in the house and the model does not have: it has no effect here'),
  calibration: calibration
    .nullable()
    .describe(
      'null where sensors of the house and its weather have measured less than two days of the last four of these, or of now',
    ),
  programs: z.array(rehearsedProgram).min(1).max(2),
});
export type Rehearsal = z.infer<typeof rehearsal>;
