import { z } from 'zod';
import {
  bayCount,
  curtains,
  designConditions,
  envelope,
  fans,
  materialCode,
  openings,
  ridgeReference,
  roofType,
  structure,
} from './envelope.ts';
import { actuatorBinding, sensorBinding } from './facility-binding.ts';
import { name, uuid } from './identifier.ts';
import { revisionNumber } from './quantity.ts';
import { nextCursor } from './page.ts';
import { timestamp } from './time.ts';

export * from './envelope.ts';
export * from './facility-binding.ts';
export * from './facility-capacity.ts';
export * from './facility-live.ts';
export * from './material.ts';

export const facilityPresets = [
  'greenhouse',
  'plastic_house',
  'venlo',
  'nursery',
  'livestock',
  'storage',
  'other',
] as const;
export const facilityPreset = z.enum(facilityPresets);
export type FacilityPreset = z.infer<typeof facilityPreset>;

const orientation_deg = z
  .number()
  .min(0)
  .max(360)
  .meta({ description: 'Where the front looks, clockwise from north, 0 to 360', unit: 'deg' });

export const view3d = z.strictObject({
  orientation_deg: orientation_deg.optional(),
  spacing_m: z.number().min(0).max(100).meta({ description: 'Between detached bays, 0 to 100 m', unit: 'm' }),
  render_mode: z.enum(['solid', 'wireframe', 'performance']),
  category_visibility: z.record(z.string().min(1).max(64), z.boolean()).describe('Shown or hidden, by category'),
});
export type View3d = z.infer<typeof view3d>;

const facilityName = name.describe('1 to 200 characters');
const shapeUuid = uuid.describe('The feature it stands on: a (Multi)Polygon of type site, zone, facility or bay');
const notes = z.string().max(20_000);

const sensors = z.array(sensorBinding).max(500);
const actuators = z.array(actuatorBinding).max(500);

/** A facility as stored and answered. Optional fields never set are omitted. */
export const facility = z.strictObject({
  unique_id: uuid,
  name: facilityName,
  shape_uuid: shapeUuid,
  geo_id: uuid.describe('Map of the shape, read only'),
  preset: facilityPreset,
  structure,
  bay_count: bayCount,
  envelope,
  sensors,
  actuators,
  openings,
  curtains,
  fans,
  view_3d: view3d,
  design_conditions: designConditions.optional(),
  notes,
  revision: revisionNumber.min(1).describe('Rises with every save'),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Facility = z.infer<typeof facility>;

export const facilityList = z.strictObject({
  facilities: z.array(facility),
  next_cursor: nextCursor,
});
export type FacilityList = z.infer<typeof facilityList>;

/** The required fields of an envelope. */
const envelopeRequired = Object.entries(envelope.shape).flatMap(([name, field]) => (field.isOptional() ? [] : [name]));

/** null clears an optional field; the merged object must pass its own schema. */
const envelopePatch = envelope
  .partial()
  .extend({
    roof_type: roofType.nullable().optional(),
    side_material: materialCode.nullable().optional(),
    end_material: materialCode.nullable().optional(),
    inner_material: materialCode.nullable().optional(),
    ridge_reference: ridgeReference.nullable().optional(),
  })
  .meta({ 'x-required-on-create': envelopeRequired });

function clearable<Shape extends z.core.$ZodShape>(shape: Shape) {
  const entries = Object.entries(shape).map(([key, schema]) => [key, z.nullable(schema)]);
  return Object.fromEntries(entries) as { [K in keyof Shape]: z.ZodNullable<Shape[K]> }; // the same keys, each made nullable
}

const designConditionsPatch = z.strictObject(clearable(designConditions.shape));
const view3dPatch = view3d.partial().extend({ orientation_deg: orientation_deg.nullable().optional() });

/**
 * Body of a save. An unknown or absent unique_id creates a facility and requires name, shape_uuid and the five required
 * fields of envelope; a known one changes the fields sent: objects merge by key, lists are replaced whole, null clears
 * an optional field. Read-only fields are accepted when unchanged.
 */
export const facilitySave = z
  .strictObject({
    unique_id: uuid.optional(),
    name: facilityName.optional(),
    shape_uuid: shapeUuid.optional(),
    preset: facilityPreset.optional(),
    structure: structure.optional(),
    bay_count: bayCount.optional(),
    envelope: envelopePatch.optional(),
    sensors: sensors.optional(),
    actuators: actuators.optional(),
    openings: openings.optional(),
    curtains: curtains.optional(),
    fans: fans.optional(),
    view_3d: view3dPatch.optional(),
    design_conditions: designConditionsPatch.nullable().optional(),
    notes: notes.nullable().optional(),
    geo_id: facility.shape.geo_id.optional(),
    revision: facility.shape.revision.optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
  })
  .meta({ 'x-required-on-create': ['name', 'shape_uuid', 'envelope'] });
export type FacilitySave = z.infer<typeof facilitySave>;
