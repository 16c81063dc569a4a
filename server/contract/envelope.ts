import { z } from 'zod';
import { uuid } from './identifier.ts';

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
/** Shorter than a millimetre nothing is built; far below it figures would underflow. */
const shortest_m = 0.001;
const height_m = z.number().min(shortest_m).max(50);

export const envelope = z.strictObject({
  material: materialCode,
  bay_width_m: z.number().min(shortest_m).max(100).meta({ description: 'Width of one bay, 0.001 to 100 m', unit: 'm' }),
  length_m: z.number().min(shortest_m).max(1000).meta({ description: 'Length, 0.001 to 1000 m', unit: 'm' }),
  eave_height_m: height_m.meta({ description: 'Eave above ground, 0.001 to 50 m', unit: 'm' }),
  ridge_height_m: height_m.meta({ description: 'Ridge above ridge_reference, 0.001 to 50 m', unit: 'm' }),
  roof_type: roofType.optional().describe('gable when absent'),
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
    name: z.string().min(1).max(200),
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
    { path: ['area_m2'], message: 'give area_m2, or width_m with height_m, not both' },
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
  .refine((list) => new Set(list.map((one) => one.id)).size === list.length, 'opening ids must be unique');
export const curtains = z.array(curtain).max(50);
export const fans = z.array(fan).max(200);

const designAir_c = z.number().min(-60).max(60);

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
});
export type DesignConditions = z.infer<typeof designConditions>;
