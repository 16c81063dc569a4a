import fc from 'fast-check';
import type { Curtain, Envelope, Facility, Opening } from '../../server/contract/facility.ts';
import { materials } from '../../server/domain/capacity/materials.ts';

const id = '00000000-0000-4000-8000-0000000000e1';
const coverings = materials.flatMap(({ code, kind }) => (kind === 'cover' ? [code] : []));

const envelope: fc.Arbitrary<Envelope> = fc
  .record({
    material: fc.constantFrom(...coverings),
    bay_width_m: fc.double({ min: 3, max: 16, noNaN: true }),
    length_m: fc.double({ min: 8, max: 200, noNaN: true }),
    eave_height_m: fc.double({ min: 1.8, max: 7, noNaN: true }),
    rise_m: fc.double({ min: 0.3, max: 4, noNaN: true }),
    roof_type: fc.constantFrom('gable', 'arch', 'flat', 'sawtooth'),
  })
  .map(({ rise_m, ...walls }) => ({ ...walls, ridge_height_m: walls.eave_height_m + rise_m }));

const openings: fc.Arbitrary<Opening[]> = fc
  .array(
    fc.record({
      face: fc.constantFrom('left', 'right', 'front', 'roof_left', 'roof_right', 'ridge'),
      area_m2: fc.double({ min: 1, max: 60, noNaN: true }),
      centre_height_m: fc.double({ min: 0.5, max: 6, noNaN: true }),
    }),
    { maxLength: 4 },
  )
  .map((list) => list.map((one, index) => ({ ...one, id: String(index), name: one.face })));

const curtains: fc.Arbitrary<Curtain[]> = fc.subarray([
  { kind: 'thermal', position: 'ceiling', layers: 1 },
  { kind: 'shade', position: 'ceiling', layers: 1, transmittance: 0.4 },
]);

/** Any house that a person can draw, without bindings. */
export const drawnHouse: fc.Arbitrary<Facility> = fc
  .record({ envelope, openings, curtains, bays: fc.integer({ min: 1, max: 12 }), orientation_deg: fc.nat(360) })
  .map(({ bays, orientation_deg, ...drawn }) => ({
    unique_id: id,
    name: 'House',
    shape_uuid: id,
    geo_id: id,
    preset: 'greenhouse',
    bay_count: bays,
    structure: bays > 1 ? 'connected' : 'single',
    sensors: [],
    actuators: [],
    fans: [],
    notes: '',
    revision: 1,
    view_3d: { orientation_deg, spacing_m: 2, render_mode: 'solid', category_visibility: {} },
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...drawn,
  }));
