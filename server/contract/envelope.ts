import { z } from 'zod';
import { name, uuid } from './identifier.ts';
import { ruled, why } from './refusal-reason.ts';

export const structures = ['single', 'connected'] as const;
export const structure = z
  .enum(structures)
  .describe('single: stand-alone or detached bays; connected: gutter-connected');
export type Structure = z.infer<typeof structure>;

export const roofTypes = ['gable', 'arch', 'flat', 'sawtooth'] as const;
export const roofType = z.enum(roofTypes);
export type RoofType = z.infer<typeof roofType>;

export const ridgeReferences = ['ground', 'eave'] as const;
export const ridgeReference = z.enum(ridgeReferences).describe('What ridge_height_m is measured from');
export type RidgeReference = z.infer<typeof ridgeReference>;

export const bayCount = z.number().int().min(1).max(200).describe('Number of bays, 1 to 200');

export const materialCode = z.string().min(1).max(64).describe('Code of a row of the material table');
/** Nothing is built shorter than a millimetre; far below it figures would underflow. */
const shortest_m = 0.001;
const height_m = z.number().min(shortest_m).max(50);

export const envelope = z.strictObject({
  material: materialCode,
  bay_width_m: z.number().min(shortest_m).max(100).meta({ description: 'Width of one bay, 0.001 to 100 m', unit: 'm' }),
  length_m: z.number().min(shortest_m).max(1000).meta({ description: 'Length, 0.001 to 1000 m', unit: 'm' }),
  eave_height_m: height_m.meta({ description: 'Eave above ground, 0.001 to 50 m', unit: 'm' }),
  ridge_height_m: height_m.meta({ description: 'Ridge above ridge_reference, 0.001 to 50 m', unit: 'm' }),
  roof_type: roofType.optional().describe('gable when absent'),
  side_material: materialCode.optional().describe('Covering of the side walls; material when absent'),
  end_material: materialCode.optional().describe('Covering of the end walls; material when absent'),
  inner_material: materialCode.optional().describe('A second, fixed covering inside the first'),
  ridge_reference: ridgeReference
    .optional()
    .describe('When absent: ground where ridge_height_m >= eave_height_m, else eave'),
});
export type Envelope = z.infer<typeof envelope>;

export const faces = ['front', 'right', 'back', 'left', 'roof_right', 'roof_left', 'ridge'] as const;
export const face = z
  .enum(faces)
  .describe('From above: front, an end wall, looks to view_3d.orientation_deg; right, back, left follow clockwise');
export type Face = z.infer<typeof face>;

export const openingArea_m2 = z
  .number()
  .min(shortest_m ** 2)
  .max(10_000)
  .meta({ description: 'Free area when fully open, 0.000001 to 10,000 m2', unit: 'm2' });

const deviceId = uuid.describe('Output that moves it');

const openingSide_m = z.number().min(shortest_m).max(1000);

export const opening = z
  .strictObject({
    id: z.string().min(1).max(64).describe('1 to 64 characters, unique in the facility'),
    name,
    face,
    area_m2: openingArea_m2.optional(),
    width_m: openingSide_m.optional().meta({ description: 'Width, with height_m in place of area_m2', unit: 'm' }),
    height_m: openingSide_m.optional().meta({ description: 'Height, with width_m in place of area_m2', unit: 'm' }),
    centre_height_m: z.number().min(0).max(50).meta({ description: 'Middle above ground, 0 to 50 m', unit: 'm' }),
    discharge_coefficient: z.number().positive().max(1).optional().describe('Above 0 to 1; 0.6 when absent'),
    actuator_device_id: deviceId.optional(),
  })
  .refine(
    (sent) =>
      sent.area_m2 === undefined
        ? sent.width_m !== undefined && sent.height_m !== undefined
        : sent.width_m === undefined && sent.height_m === undefined,
    { path: ['area_m2'], ...ruled(why('opening_size')) },
  );
export type Opening = z.infer<typeof opening>;

export const curtain = z.strictObject({
  kind: z.enum(['thermal', 'shade']),
  position: z.enum(['ceiling', 'wall']),
  layers: z.number().int().min(1).max(10).describe('Number of layers, 1 to 10'),
  u_w_m2k: z.number().positive().max(20).optional().meta({
    description: 'Heat transmission of one layer, above 0 to 20; that of an aluminised screen when absent',
    unit: 'W/m2K',
  }),
  transmittance: z.number().min(0).max(1).optional().describe('Light let through by one layer, 0 to 1'),
  actuator_device_id: deviceId.optional(),
});
export type Curtain = z.infer<typeof curtain>;

export const fan = z.strictObject({
  kind: z.enum(['exhaust', 'intake', 'circulation']),
  flow_m3h: z.number().positive().max(1_000_000).meta({ description: 'Flow of one fan, above 0', unit: 'm3/h' }),
  count: z.number().int().min(1).max(1000).describe('Number of such fans, 1 to 1000'),
});
export type Fan = z.infer<typeof fan>;

export const openings = z
  .array(opening)
  .max(200)
  .refine((list) => new Set(list.map((one) => one.id)).size === list.length, 'must have ids that differ');
export const curtains = z.array(curtain).max(50);
export const fans = z.array(fan).max(200);

const designAir_c = z.number().min(-60).max(60);

/** A figure from `from` to `to`; `otherwise` says what applies without it. */
const figure = (unit: string, what: string, { from, to, otherwise }: { from: number; to: number; otherwise: string }) =>
  z
    .number()
    .min(from)
    .max(to)
    .optional()
    .meta({ description: `${what}, ${from} to ${to}; ${otherwise}`, unit });

/** How the house is run: used by the studies of a year. */
const runningConditions = {
  heating_day_c: figure('C', 'Held by day', { from: -60, to: 60, otherwise: 'heating_indoor_c when absent' }),
  ventilation_c: figure('C', 'Ventilated above', { from: -60, to: 60, otherwise: '25 when absent' }),
  humidity_pct: figure('%', 'Humidity held below', { from: 10, to: 100, otherwise: '85 when absent' }),
  co2_ppm: figure('ppm', 'CO2 held while dosing', { from: 300, to: 3000, otherwise: '800 when absent' }),
  light_mol_m2d: figure('mol/m2d', 'Light sum of a day', { from: 0, to: 80, otherwise: '12 when absent' }),
  lamp_hours: figure('h', 'Lamps at most a day', { from: 1, to: 24, otherwise: '16 when absent' }),
  lamp_efficacy_umol_j: figure('umol/J', 'Photons of the lamps', { from: 0.1, to: 5, otherwise: '2.7 when absent' }),
  boiler_efficiency_pct: figure('%', 'Heat out of the fuel', { from: 10, to: 600, otherwise: '90 when absent' }),
};

const price = (what: string) => figure('currency', what, { from: 0, to: 1e9, otherwise: 'no costs when absent' });

/** Prices in the site's own currency. */
const priceConditions = {
  fuel_kwh_per_unit: figure('kWh', 'Heat in a unit of fuel', { from: 0.01, to: 1e5, otherwise: 'no fuel when absent' }),
  fuel_price: price('Price of a unit of fuel'),
  electricity_price: price('Price of a kWh of electricity'),
  co2_price_kg: price('Price of a kg of CO2'),
  water_price_m3: price('Price of a m3 of water for irrigation'),
  screen_price_m2: price('Price of a m2 of thermal screen'),
};

/** Snow and wind of the place, and what the house is built for. */
const placeConditions = {
  return_years: figure('a', 'Return period of snow and wind', { from: 2, to: 1000, otherwise: '50 when absent' }),
  snow_kn_m2: figure('kN/m2', 'Snow on the ground in 50 years', {
    from: 0,
    to: 30,
    otherwise: 'no snow load when absent',
  }),
  wind_base_m_s: figure('m/s', 'Basic wind velocity in 50 years', {
    from: 0,
    to: 80,
    otherwise: 'no wind load when absent',
  }),
  terrain_roughness_m: figure('m', 'Roughness length of the land', {
    from: 0.003,
    to: 1,
    otherwise: '0.05 when absent',
  }),
  snow_capacity_kn_m2: figure('kN/m2', 'Snow that the house is built for', {
    from: 0,
    to: 30,
    otherwise: 'no check when absent',
  }),
  wind_capacity_kn_m2: figure('kN/m2', 'Wind that the house is built for', {
    from: 0,
    to: 30,
    otherwise: 'no check when absent',
  }),
};

export const designConditions = z.strictObject({
  heating_indoor_c: designAir_c.optional().meta({ description: 'Held indoors, -60 to 60; 15 when absent', unit: 'C' }),
  heating_outdoor_c: designAir_c.optional().meta({ description: 'Design outdoor temperature, -60 to 60', unit: 'C' }),
  air_changes_per_h: z.number().min(0).max(100).optional().meta({
    description: 'Infiltration when heating, 0 to 100; by the layers of the covering when absent',
    unit: '1/h',
  }),
  wind_factor: z.number().min(0.5).max(3).optional().describe('Factor on the heating load, 0.5 to 3; 1 when absent'),
  radiation_w_m2: z.number().min(0).max(1500).optional().meta({
    description:
      'Global radiation of the hottest hour, 0 to 1500; by the place when absent, 850 in Korea or without one',
    unit: 'W/m2',
  }),
  latent_share: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Share of the sun that a crop turns into vapour, 0 to 1; 0.5 (full canopy) when absent'),
  ventilation_rise_k: z.number().min(0.1).max(30).optional().meta({
    description: 'Indoor over outdoor air at the design ventilation, 0.1 to 30; 5 when absent',
    unit: 'K',
  }),
  elevation_m: z
    .number()
    .min(-430)
    .max(6000)
    .optional()
    .meta({ description: 'Height above the sea, -430 to 6,000: thin air carries less heat; 0 when absent', unit: 'm' }),
  ...runningConditions,
  ...priceConditions,
  ...placeConditions,
});
export type DesignConditions = z.infer<typeof designConditions>;
export type ConditionName = keyof DesignConditions;

/**
 * Defaults of the conditions; null when the place, the covering or another condition determines it, or it stays
 * unknown.
 */
export const conditionDefaults: Record<ConditionName, number | null> = {
  heating_indoor_c: 15,
  heating_outdoor_c: null,
  air_changes_per_h: null,
  wind_factor: 1,
  radiation_w_m2: null,
  latent_share: 0.5,
  ventilation_rise_k: 5,
  elevation_m: 0,
  heating_day_c: null,
  ventilation_c: 25,
  humidity_pct: 85,
  co2_ppm: 800,
  light_mol_m2d: 12,
  lamp_hours: 16,
  lamp_efficacy_umol_j: 2.7,
  boiler_efficiency_pct: 90,
  fuel_kwh_per_unit: null,
  fuel_price: null,
  electricity_price: null,
  co2_price_kg: null,
  water_price_m3: null,
  screen_price_m2: null,
  return_years: 50,
  snow_kn_m2: null,
  wind_base_m_s: null,
  terrain_roughness_m: 0.05,
  snow_capacity_kn_m2: null,
  wind_capacity_kn_m2: null,
};

/** Conditions by purpose, in the order in which they are asked. */
export const conditionGroups = {
  loads: [
    'heating_indoor_c',
    'heating_outdoor_c',
    'air_changes_per_h',
    'wind_factor',
    'radiation_w_m2',
    'latent_share',
    'ventilation_rise_k',
    'elevation_m',
  ],
  running: [
    'heating_day_c',
    'ventilation_c',
    'humidity_pct',
    'co2_ppm',
    'light_mol_m2d',
    'lamp_hours',
    'lamp_efficacy_umol_j',
    'boiler_efficiency_pct',
  ],
  prices: ['fuel_kwh_per_unit', 'fuel_price', 'electricity_price', 'co2_price_kg', 'water_price_m3', 'screen_price_m2'],
  place: [
    'return_years',
    'snow_kn_m2',
    'wind_base_m_s',
    'terrain_roughness_m',
    'snow_capacity_kn_m2',
    'wind_capacity_kn_m2',
  ],
} as const satisfies Record<string, readonly ConditionName[]>;
export type ConditionGroup = keyof typeof conditionGroups;
