import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { assumptions, computeRequest } from './facility-capacity.ts';
import { quantity, signedQuantity } from './quantity.ts';
import { weatherFileName } from './weather-file.ts';

/** A figure that is unknown when a price or a value of the place is not given. */
const unknown = (unit: string, what: string) => quantity(unit, `${what}; null where it was not given`).nullable();
const hours = (what: string) => quantity('h', what);
const share_pct = (what: string) => quantity('%', what);
const money = (what: string) => quantity('currency', `${what}; null without prices`).nullable();
const months = (unit: string, what: string) => z.array(quantity(unit, what)).length(12);
const air_c = (what: string) => signedQuantity('C', what);

export const yearStudy = z.strictObject({
  heat_kwh: quantity('kWh', 'Heat in a year'),
  heat_kwh_m2: quantity('kWh/m2', 'The same over the floor'),
  peak_kw: quantity('kW', 'The hour that needs most'),
  heating_hours: hours('Hours that are heated'),
  full_load_hours: hours('The year’s heat over its greatest hour'),
  transmission_kwh: quantity('kWh', 'Through the covering in those hours'),
  infiltration_kwh: quantity('kWh', 'With the air that leaks, sensible'),
  latent_kwh: quantity('kWh', 'With the vapour in it'),
  ground_kwh: quantity('kWh', 'Into the ground'),
  solar_used_kwh: quantity('kWh', 'Given by the sun in those hours'),
  fuel_units: unknown('unit', 'Fuel in a year'),
  fuel_cost: money('Fuel of a year'),
  fuel_cost_m2: money('The same over the floor'),
  hot_hours: hours('Warmer than the setpoint of ventilation with everything open'),
  months_kwh: months('kWh', 'Heat of a month'),
});
export type YearStudy = z.infer<typeof yearStudy>;

const coveredFace = z.strictObject({
  face: z.enum(['roof', 'sides', 'ends']),
  area_m2: quantity('m2', 'Area'),
  u_w_m2k: quantity('W/m2K', 'By night with what hangs inside'),
  design_kw: quantity('kW', 'Lost in the design night'),
  year_kwh: quantity('kWh', 'Lost in the heated hours of a year'),
  share_pct: share_pct('Of what the covering loses'),
});

export const studyOption = z.strictObject({
  code: z.enum(['ceiling_screen', 'second_ceiling_screen', 'wall_screens']),
  area_m2: quantity('m2', 'Area of the screen'),
  load_kw: quantity('kW', 'Heating load with it'),
  saved_kwh: signedQuantity('kWh', 'Heat saved in a year'),
  saved_pct: signedQuantity('%', 'Of the year’s heat'),
  saved_cost: signedQuantity('currency', 'Fuel saved in a year; null without prices').nullable(),
  price: money('Price of the screen'),
  payback_years: quantity('a', 'Price over what it saves; null without prices or where it saves nothing').nullable(),
});
export type StudyOption = z.infer<typeof studyOption>;

export const coveringStudy = z.strictObject({ faces: z.array(coveredFace), options: z.array(studyOption) });
export type CoveringStudy = z.infer<typeof coveringStudy>;

export const condensationStudy = z.strictObject({
  roof_inner_c: air_c('Inside of the roof in the design night'),
  wall_inner_c: air_c('Inside of the walls'),
  leaf_c: air_c('Leaf below the roof'),
  roof_settling_pct: share_pct('Humidity from which water settles on the roof'),
  wall_settling_pct: share_pct('On the walls'),
  leaf_settling_pct: share_pct('On the leaves'),
  humidity_pct: share_pct('Humidity that the house is held below'),
  roof_hours: hours('Of a year with a wet roof at that humidity'),
  leaf_hours: hours('Of a year with wet leaves'),
  water_l_m2: quantity('l/m2', 'Water on the roof in a year, over the floor'),
});
export type CondensationStudy = z.infer<typeof condensationStudy>;

export const humidityStudy = z.strictObject({
  transpiration_g_m2h: quantity('g/m2h', 'Given off by a full canopy by night'),
  leak_removes_g_m2h: quantity('g/m2h', 'Taken out by the leaks in the design night'),
  infiltration_sensible_kw: quantity('kW', 'Heat of infiltration, sensible'),
  infiltration_latent_kw: quantity('kW', 'Heat of infiltration, latent'),
  ventilation_m3h: quantity('m3/h', 'Ventilation that holds the humidity; null where outdoor air cannot').nullable(),
  heat_kw: signedQuantity('kW', 'Heat that goes with it').nullable(),
  humid_hours: hours('Nights’ hours in a year that need it'),
  undryable_hours: hours('In which the air outside is as moist'),
  year_heat_kwh: signedQuantity('kWh', 'Heat for it in a year'),
  year_heat_kwh_m2: signedQuantity('kWh/m2', 'The same over the floor'),
});
export type HumidityStudy = z.infer<typeof humidityStudy>;

export const evaporativeStudy = z.strictObject({
  outdoor_c: air_c('Outdoor air that 1 % of the hours are hotter than'),
  wet_bulb_c: air_c('Its wet bulb'),
  radiation_w_m2: quantity('W/m2', 'Global radiation'),
  pad_air_c: air_c('Air behind the pad'),
  fan_m3h: quantity('m3/h', 'Fans that hold the rise along the house'),
  fans_missing_m3h: quantity('m3/h', 'Beyond the fans given; null without fans').nullable(),
  end_of_house_c: air_c('Air at the fans'),
  pad_thin_m2: quantity('m2', 'Pad, 100 mm cellulose'),
  pad_thick_m2: quantity('m2', 'Pad, 150 mm cellulose'),
  pad_water_l_min_m: quantity('l/min m', 'Least water over the 150 mm pad, by its length'),
  pad_sump_l: quantity('l', 'Sump of the 150 mm pad'),
  pad_evaporation_l_h: quantity('l/h', 'Water that evaporates'),
  fog_ventilation_m3h: quantity('m3/h', 'Ventilation with fog; null where fog cannot hold it').nullable(),
  fog_l_h: quantity('l/h', 'Fog').nullable(),
  fog_g_m2h: quantity('g/m2h', 'Fog over the floor').nullable(),
});
export type EvaporativeStudy = z.infer<typeof evaporativeStudy>;

export const carbonDioxideStudy = z.strictObject({
  setpoint_ppm: quantity('ppm', 'Held while dosing'),
  outdoor_ppm: quantity('ppm', 'Outdoors'),
  leak_kg_h: quantity('kg/h', 'Lost by leaks'),
  leak_g_m2h: quantity('g/m2h', 'The same over the floor'),
  air_change_kg: quantity('kg', 'Lost by one air change'),
  open_kg_h: quantity('kg/h', 'Lost with everything open and no wind'),
  lit_hours: hours('Hours of light in a year'),
  dosed_hours: hours('Of them with up to four air changes an hour: worth dosing'),
  year_leak_kg: quantity('kg', 'Lost by leaks in those'),
  year_vent_kg: quantity('kg', 'Lost through vents in those'),
  year_cost: money('Cost of what is lost'),
});
export type CarbonDioxideStudy = z.infer<typeof carbonDioxideStudy>;

export const lightingStudy = z.strictObject({
  target_mol_m2d: quantity('mol/m2d', 'Light sum of a day'),
  darkest_mol_m2d: quantity('mol/m2d', 'Sun inside in the darkest month, mean day'),
  flux_umol_m2s: quantity('umol/m2s', 'Lamps'),
  power_w_m2: quantity('W/m2', 'Their power'),
  power_kw: quantity('kW', 'Power of the house'),
  lamp_hours_year: hours('Lamps in a year'),
  short_days: z.int().min(0).max(366).meta({ description: 'Days that stay below the sum, 0 to 366', unit: 'd' }),
  electricity_kwh: quantity('kWh', 'Electricity in a year'),
  electricity_kwh_m2: quantity('kWh/m2', 'The same over the floor'),
  electricity_cost: money('Electricity in a year'),
  months_mol_m2d: months('mol/m2d', 'Sun inside, mean day of the month'),
});
export type LightingStudy = z.infer<typeof lightingStudy>;

export const loadStudy = z.strictObject({
  return_years: quantity('a', 'Return period'),
  ground_snow_kn_m2: unknown('kN/m2', 'Snow on the ground'),
  roof_snow_kn_m2: unknown('kN/m2', 'Snow on a slope'),
  valley_snow_kn_m2: unknown('kN/m2', 'Snow in the valley between bays'),
  peak_pressure_kn_m2: unknown('kN/m2', 'Peak velocity pressure at the ridge'),
  wall_wind_kn_m2: unknown('kN/m2', 'Wind on the windward wall with suction inside'),
  roof_uplift_kn_m2: unknown('kN/m2', 'Suction on the roof with pressure inside'),
  snow_share_pct: unknown('%', 'Snow over what the house is built for'),
  wind_share_pct: unknown('%', 'Wind over what the house is built for'),
});
export type LoadStudy = z.infer<typeof loadStudy>;

/** The studies of a house in the order in which they are shown. */
export const studies = {
  year: yearStudy,
  covering: coveringStudy,
  condensation: condensationStudy,
  humidity: humidityStudy,
  evaporative: evaporativeStudy,
  carbon_dioxide: carbonDioxideStudy,
  lighting: lightingStudy,
  structure: loadStudy,
};
export type StudyKind = keyof typeof studies;
// The keys of the literal match its type.
export const studyKinds = Object.keys(studies) as StudyKind[];

/** What a publication was taken for, as the end of its line. */
export const studyUses = {
  heating_load: 'heating load, hour by hour',
  latent_infiltration: 'latent heat of infiltration',
  layers: 'layers in series and infiltration',
  surface_films: 'surface films',
  leaf_boundary: 'boundary layer of the leaf',
  saturation: 'saturation pressure',
  humidity_ventilation: 'ventilation for humidity',
  transpiration: 'transpiration',
  pads: 'pads and fans',
  fog: 'fog',
  outdoor_co2: 'carbon dioxide outdoors',
  light_units: 'units of light',
  snow: 'snow',
  wind: 'wind',
  greenhouses: 'greenhouses',
} as const;
export type StudyUse = keyof typeof studyUses;
// The keys of the literal match its type.
const studyUse = z.enum(Object.keys(studyUses) as [StudyUse, ...StudyUse[]]);

const rda = 'RDA National Academy of Agricultural Science (Korea)';
const asae = 'ASAE EP406.4 (2003)';

/** The publications of each study's formulas. */
export const studyPublications: Record<StudyKind, readonly { use: StudyUse; reference: string }[]> = {
  year: [
    { use: 'heating_load', reference: `${rda}, eqs. 3-3-1 to 3-3-4` },
    { use: 'latent_infiltration', reference: asae },
  ],
  covering: [{ use: 'layers', reference: `${rda}, table 3-3-34` }],
  condensation: [
    { use: 'surface_films', reference: 'ISO 6946:2017' },
    { use: 'leaf_boundary', reference: 'Vanthoor (2011)' },
    { use: 'saturation', reference: 'Buck (1996)' },
  ],
  humidity: [
    { use: 'humidity_ventilation', reference: asae },
    { use: 'transpiration', reference: 'Stanghellini (1987), as in Vanthoor (2011), eqs. 8.47 to 8.50' },
  ],
  evaporative: [
    { use: 'pads', reference: asae },
    { use: 'fog', reference: 'Arbel, Yekutieli & Barak (1999), J. agric. Engng Res. 72, 129-136' },
  ],
  carbon_dioxide: [{ use: 'outdoor_co2', reference: 'NOAA Global Monitoring Laboratory, mean of 2024' }],
  lighting: [{ use: 'light_units', reference: 'Thimijan & Heins (1983), HortScience 18, 818-822' }],
  structure: [
    { use: 'snow', reference: 'EN 1991-1-3:2003' },
    { use: 'wind', reference: 'EN 1991-1-4:2005' },
    { use: 'greenhouses', reference: 'EN 13031-1:2019' },
  ],
};

/** The same as lines in English. */
export const studySources = Object.fromEntries(
  Object.entries(studyPublications).map(([kind, all]) => [
    kind,
    all.map(({ use, reference }) => `${reference}, ${studyUses[use]}`),
  ]),
);

export const studyResult = z.strictObject({
  ...studies,
  assumptions,
  sources: z.record(z.string(), z.array(z.string()).readonly()).describe('By the study, in English'),
  publications: z
    .record(z.string(), z.array(z.strictObject({ use: studyUse, reference: z.string() })).readonly())
    .describe('The same, by the study: what each publication was taken for, and how it is cited'),
});
export type StudyResult = z.infer<typeof studyResult>;

export const studyRequest = computeRequest.extend({
  weather_file: weatherFileName
    .optional()
    .describe(
      'A recorded year in place of the made one: an EPW or CSV file in the folder "weather" of the data directory',
    ),
});
export type StudyRequest = z.infer<typeof studyRequest>;

export const studyEndpoints = {
  study: endpoint({
    method: 'POST',
    path: '/api/geo/facility/study',
    tag: 'facilities',
    summary: 'Work out a year of a house, its humidity, cooling by water, CO2, light and loads; saves nothing',
    access: 'login',
    body: studyRequest,
    answer: studyResult,
    budget: 'calculation',
    statuses: [200],
    errors: ['unknown_material', 'unknown_reference', 'invalid_shape', 'invalid_field'],
  }),
};
