import { describe, expect, it } from 'vitest';
import { copyOf } from '../../../../../renderer/features/house/copy-house.ts';
import { freeNames } from '../../../../../renderer/map/free-names.ts';
import { facilitySave, type Facility } from '../../../../../server/contract/facility.ts';
import type { Feature } from '../../../../../server/contract/overlay.ts';

const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
const at = '2026-01-01T00:00:00.000Z';

const house: Facility = {
  unique_id: id(1),
  name: 'First',
  shape_uuid: id(2),
  geo_id: id(3),
  preset: 'venlo',
  structure: 'connected',
  bay_count: 4,
  envelope: { material: 'glass_single', bay_width_m: 8, length_m: 40, eave_height_m: 5, ridge_height_m: 5.9 },
  sensors: [{ role: 'indoor_temp', device_id: id(4), measurement_id: id(5), name: 'T' }],
  actuators: [{ role: 'roof_vent', device_id: id(6), name: 'V' }],
  openings: [{ id: 'top', name: 'Roof', face: 'ridge', area_m2: 90, centre_height_m: 5.5, actuator_device_id: id(6) }],
  curtains: [{ kind: 'thermal', position: 'ceiling', layers: 1, actuator_device_id: id(6) }],
  fans: [{ kind: 'exhaust', flow_m3h: 30_000, count: 2 }],
  view_3d: { orientation_deg: 10, spacing_m: 2, render_mode: 'solid', category_visibility: { crop: false } },
  notes: 'north field',
  revision: 3,
  created_at: at,
  updated_at: at,
};

/** An outline of so many metres to the east and north, at the equator. */
function outlined(east_m: number, north_m: number): Feature {
  const [x, y] = [east_m / 111_195, north_m / 111_195];
  const ring = [[0, 0], [x, 0], [x, y], [0, y], [0, 0]]; // prettier-ignore
  const properties = { type: 'facility' as const, name: 'Second', unique_id: id(7) };
  return { type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] }, properties };
}

const nextName = freeNames(['First']);

describe('a copy of a house', () => {
  it.each([
    ['one bay', 1, 'connected'],
    ['detached bays', 2, 'single'],
  ] as const)('of %s on a wide outline', (_name, bay_count, structure) => {
    const copy = copyOf({ ...house, structure: 'single', bay_count }, outlined(24, 60), { isFitted: true, nextName });
    expect(copy).toMatchObject({ structure, bay_count: 3 });
  });

  it('is one that the server takes, and has no device of the original', () => {
    const copy = copyOf(house, outlined(24, 60), { isFitted: true, nextName });
    expect(facilitySave.safeParse(copy).error).toBeUndefined();
    expect(copy).not.toHaveProperty('unique_id');
    expect(JSON.stringify(copy)).not.toMatch(/device_id/);
    expect(copy).toMatchObject({ name: 'Second', shape_uuid: id(7), preset: 'venlo', notes: 'north field' });
  });

  it.each([
    ['fitted', 24, 60, true, { structure: 'connected', bay_count: 3, bay_width_m: 8, length_m: 60 }],
    ['fitted to a narrow outline', 8, 30, true, { structure: 'single', bay_count: 1, bay_width_m: 8, length_m: 30 }],
    ['as the original', 24, 60, false, { structure: 'connected', bay_count: 4, bay_width_m: 8, length_m: 40 }],
  ] as const)('%s', (_name, east_m, north_m, isFitted, expected) => {
    const { structure, bay_count, envelope } = copyOf(house, outlined(east_m, north_m), { isFitted, nextName });
    const { bay_width_m, length_m } = envelope ?? {};
    expect({ structure, bay_count, bay_width_m, length_m }).toEqual(expected);
  });

  it.each([
    ['parallel to it', 24, 60, 180, 180],
    ['across it', 60, 24, 260, 270],
    ['whose front looks along the axis', 24, 60, 10, 0],
  ])('keeps openings on their side on an outline %s', (_name, east_m, north_m, orientation_deg, front_deg) => {
    const original = { ...house, view_3d: { ...house.view_3d, orientation_deg } };
    const { view_3d } = copyOf(original, outlined(east_m, north_m), { isFitted: true, nextName });
    expect(view_3d?.orientation_deg).toBe(front_deg);
  });

  it('has a name of its own on each outline that has none', () => {
    const next = freeNames(['First', 'House 1']);
    const bare = outlined(24, 60);
    bare.properties.name = '';
    const names = [1, 2].map(
      () => copyOf({ ...house, name: 'House 1' }, bare, { isFitted: true, nextName: next }).name,
    );
    expect(names).toEqual(['House 2', 'House 3']);
  });
});
