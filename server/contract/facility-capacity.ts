import { z } from 'zod';
import {
  bayCount,
  curtains,
  designConditions,
  envelope,
  faces,
  fans,
  openings,
  ridgeReference,
  structure,
} from './envelope.ts';
import { uuid } from './identifier.ts';
import { quantity, signedQuantity } from './quantity.ts';
import { assumptionNoteCodes } from './assumption-note.ts';

export const computeRequest = z.strictObject({
  envelope,
  bay_count: bayCount,
  structure: structure.optional().describe('connected when absent and bay_count > 1, else single'),
  curtains: curtains.optional(),
  openings: openings.optional(),
  fans: fans.optional(),
  design_conditions: designConditions.optional(),
  shape_uuid: uuid
    .optional()
    .describe('What it is drawn as: settles where it stands, and its area is held against the floor'),
});
export type ComputeRequest = z.infer<typeof computeRequest>;

const temperature_c = (what: string) =>
  z
    .number()
    .min(-60)
    .max(60)
    .meta({ description: `${what}, -60 to 60`, unit: 'C' });
const transmission_w_m2k = (what: string) =>
  z
    .number()
    .min(0)
    .max(20)
    .meta({ description: `${what}, 0 to 20`, unit: 'W/m2K' });
const share = (what: string) => z.number().min(0).max(1).describe(`${what}, 0 to 1`);

/** A value that the request did not contain: what was assumed and why. */
export const assumption = z.strictObject({
  value: z.union([z.number(), z.string(), z.null()]).describe('In unit, any finite number, or a word'),
  unit: z.string().nullable(),
  source: z
    .enum(['request', 'site', 'nearest_station', 'live', 'table', 'derived', 'default', 'assumed'])
    .describe('request and site: given there; table: published; derived: follows from the input; assumed: no source'),
  note: z.string().describe('One sentence in English'),
  note_code: z.enum(assumptionNoteCodes).describe('Which sentence it is'),
  note_values: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe('What the sentence names, e.g. a station; distance_km in km'),
});
export type Assumption = z.infer<typeof assumption>;

export const assumptions = z.record(z.string(), assumption).describe('By the name of what was taken');
export type Assumptions = z.infer<typeof assumptions>;

export const warningCodes = [
  'design_temperature_unknown',
  'design_temperature_estimated',
  'ridge_below_eave',
  'ridge_equals_eave',
  'roof_nearly_flat',
  'roof_steep',
  'bay_wide',
  'eave_low',
  'eave_high',
  'outdoor_not_below_indoor',
  'curtain_layers_not_in_table',
  'screen_as_cover',
  'opening_above_ridge',
  'opening_off_face',
  'openings_larger_than_face',
  'footprint_differs',
  'bay_narrow',
  'house_short',
  'indoor_unusual',
  'air_changes_unusual',
  'fans_below_need',
] as const;
export const warningCode = z.enum(warningCodes);
export type WarningCode = z.infer<typeof warningCode>;

export const computeWarning = z.strictObject({ code: warningCode, message: z.string() });
export type ComputeWarning = z.infer<typeof computeWarning>;

export const geometryTerms = z.strictObject({
  structure,
  ridge_reference: ridgeReference.describe('What ridge_height_m was read as'),
  ridge_above_ground_m: quantity('m', 'Ridge above ground'),
  rise_m: quantity('m', 'Ridge above eave'),
  slope_m: quantity('m', 'Length of the roof line over one bay, eave to eave'),
  pitch_deg: z.number().min(0).max(90).meta({ description: 'Mean pitch of the roof, 0 to 90', unit: 'deg' }),
  floor_area_m2: quantity('m2', 'Floor of all bays'),
  roof_area_m2: quantity('m2', 'Roof of all bays'),
  side_area_m2: quantity('m2', 'Side walls'),
  end_area_m2: quantity('m2', 'End walls with their gables'),
  envelope_area_m2: quantity('m2', 'Roof, sides and ends'),
  perimeter_m: quantity('m', 'Perimeter, of all houses where bays are detached'),
  volume_m3: quantity('m3', 'Air volume'),
  house_count: z.int().min(1).max(200).describe('Detached bays, 1 to 200, else 1'),
});
export type GeometryTerms = z.infer<typeof geometryTerms>;

export const heatingTerms = z.strictObject({
  indoor_c: temperature_c('Held indoors'),
  outdoor_c: temperature_c('Design outdoor temperature'),
  roof_u_w_m2k: transmission_w_m2k('Roof with what lies under it'),
  wall_u_w_m2k: transmission_w_m2k('Walls with what hangs inside them'),
  air_changes_per_h: z.number().min(0).max(100).meta({ description: 'Infiltration, 0 to 100', unit: '1/h' }),
  transmission_kw: quantity('kW', 'Through the covering, H_W'),
  infiltration_kw: quantity('kW', 'By infiltration, H_V'),
  ground_loss_w_mk: z.number().min(0).max(20).meta({ description: 'Along the perimeter, F, 0 to 20', unit: 'W/mK' }),
  ground_offset_k: z
    .number()
    .min(0)
    .max(60)
    .meta({ description: 'What the ground gives back, theta, 0 to 60', unit: 'K' }),
  ground_kw: quantity('kW', 'To the ground along the perimeter, H_S'),
  wind_factor: z.number().min(0.5).max(3).describe('Factor on the sum, f_w, 0.5 to 3'),
  load_kw: quantity('kW', 'Heating load'),
  installed_warm_air_kw: quantity('kW', 'Load with the margin of 1.10 for warm air'),
  installed_hot_water_kw: quantity('kW', 'Load with the margin of 1.25 for hot water'),
});
export type HeatingTerms = z.infer<typeof heatingTerms>;

export const coolingTerms = z.strictObject({
  radiation_w_m2: z.number().min(0).max(1500).meta({ description: 'Global radiation, 0 to 1500', unit: 'W/m2' }),
  transmittance: share('Solar radiation that the covering lets through'),
  shade_factor: share('What shade curtains leave of it'),
  latent_share: share('Turned into vapour by the crop'),
  absorptance: share('Solar radiation that the covering takes up'),
  transmitted_kw: quantity('kW', 'Sun through the covering that warms the air'),
  absorbed_kw: quantity('kW', 'Sun taken up by the covering and passed inwards'),
  load_kw: quantity('kW', 'Cooling load'),
});
export type CoolingTerms = z.infer<typeof coolingTerms>;

export const ventilationTerms = z.strictObject({
  rise_k: z.number().min(0.1).max(30).meta({ description: 'Indoor over outdoor air, 0.1 to 30', unit: 'K' }),
  conduction_kw: quantity('kW', 'Lost through the covering at that rise'),
  balance_m3h: quantity('m3/h', 'What the heat balance needs'),
  minimum_m3h: quantity('m3/h', '0.04 m3/s per m2 of floor'),
  forced_m3h: quantity('m3/h', 'The larger of the two'),
  six_air_changes_m3h: quantity('m3/h', 'Six air changes an hour, to compare'),
  fan_m3h: quantity('m3/h', 'What the given fans move; null when none are given').nullable(),
  natural_m3h: quantity('m3/h', 'Through the openings at 25 C inside, 20 C outside and no wind'),
  natural_air_changes_per_h: quantity('1/h', 'The same in air changes'),
});
export type VentilationTerms = z.infer<typeof ventilationTerms>;

export const computeResult = z.strictObject({
  area_m2: quantity('m2', 'Floor area'),
  volume_m3: quantity('m3', 'Air volume'),
  heating_load_kw: quantity('kW', 'Heating load'),
  cooling_load_kw: quantity('kW', 'Cooling load'),
  forced_ventilation_m3h: quantity('m3/h', 'Forced ventilation needed'),
  natural_ventilation_m3h: quantity(
    'm3/h',
    'Natural ventilation in the worst case: no wind, 25 C inside, 20 C outside',
  ),
  details: z.strictObject({
    geometry: geometryTerms,
    heating: heatingTerms,
    cooling: coolingTerms,
    ventilation: ventilationTerms,
  }),
  assumptions,
  warnings: z.array(computeWarning),
});
export type ComputeResult = z.infer<typeof computeResult>;

const air_c = z.number().min(-60).max(60);

const windAir = {
  indoor_temp: air_c
    .optional()
    .meta({ description: 'Indoor air, -60 to 60; a good live reading when absent', unit: 'C' }),
  outdoor_temp: air_c
    .optional()
    .meta({ description: 'Outdoor air, -60 to 60; a good live reading when absent', unit: 'C' }),
  opening_pct: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .meta({ description: 'How far every opening stands open, 0 to 100; 100 when absent', unit: '%' }),
};

export const windQuery = z.strictObject({
  wind_speed: z.number().min(0).max(100).meta({ description: 'Wind at the house, 0 to 100', unit: 'm/s' }),
  wind_dir: z
    .number()
    .min(0)
    .max(360)
    .meta({ description: 'Where the wind comes from, clockwise from north, 0 to 360', unit: 'deg' }),
  ...windAir,
});
export type WindQuery = z.infer<typeof windQuery>;

export const windOpening = z.strictObject({
  id: z.string(),
  face: z.enum(faces),
  world_azimuth_deg: z
    .number()
    .min(0)
    .max(360)
    .nullable()
    .meta({ description: 'Where it looks, clockwise from north, 0 to 360; null at the ridge', unit: 'deg' }),
  cp: z.number().min(-10).max(10).describe('Wind pressure coefficient, -10 to 10'),
  pressure_pa: signedQuantity('Pa', 'Outside minus inside at the opening'),
  area_m2: quantity('m2', 'Free area at opening_pct'),
  flow_m3h: signedQuantity('m3/h', 'Mass flow over outdoor density, positive inwards'),
  exchange_m3h: quantity('m3/h', 'Passes both ways at once by warmth and gusts, beside the flow: as much in as out'),
  direction: z.enum(['in', 'out', 'both', 'none']).describe('both where the exchange is more than the flow'),
});
export type WindOpening = z.infer<typeof windOpening>;

export const windResult = z.strictObject({
  ventilation_m3h: quantity('m3/h', 'Sum of the inflows, the exchanges among them'),
  air_changes_per_h: quantity('1/h', 'The same in air changes'),
  internal_pressure_pa: signedQuantity('Pa', 'Inside minus undisturbed outside at floor level'),
  openings: z.array(windOpening),
  balance_error_m3h: quantity('m3/h', 'Absolute sum of all flows'),
  method: z.string().describe('The model and its sources'),
  source: z.enum(['query', 'live', 'default']).describe('Where the temperatures come from'),
  assumptions,
});
export type WindResult = z.infer<typeof windResult>;

export const windRoseQuery = z.strictObject({
  speed_step: z
    .number()
    .min(0.1)
    .max(20)
    .optional()
    .meta({ description: 'From one wind speed to the next, 0.1 to 20; 1 when absent', unit: 'm/s' }),
  speed_count: z.int().min(1).max(20).optional().describe('How many wind speeds, 1 to 20; 10 when absent'),
  ...windAir,
});
export type WindRoseQuery = z.infer<typeof windRoseQuery>;

/** Directions of a rose: every ten degrees. */
export const roseDirections = 36;

export const windRose = z.strictObject({
  directions_deg: z
    .array(z.number().min(0).lt(360).meta({ description: 'Where the wind comes from', unit: 'deg' }))
    .length(roseDirections),
  speeds_m_s: z.array(z.number().min(0).max(400).meta({ description: 'Wind at the house, 0 to 400', unit: 'm/s' })),
  ventilation_m3h: z.array(z.array(quantity('m3/h', 'Sum of the inflows'))).describe('By direction, then by speed'),
  volume_m3: quantity('m3', 'Air in the house: what an air change is'),
  orientation_deg: z.number().min(0).lt(360).meta({ description: 'Where the front looks', unit: 'deg' }),
  source: windResult.shape.source,
  assumptions,
});
export type WindRose = z.infer<typeof windRose>;
