import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as contract from '../../../server/contract/facility.ts';

const { applyRequest, computeRequest, envelope, facilitySave, openings, windQuery } = contract;
const id = '0b9f2c1e-7a54-4f0e-9d3b-5f6a7c8d9e0f';
const house = { material: 'vinyl_double', bay_width_m: 8, length_m: 50, eave_height_m: 2.5, ridge_height_m: 4 };
const opening = { id: 'a', name: 'a', face: 'left', centre_height_m: 1 } as const;

describe('the facility contract', () => {
  it('describes every schema as JSON Schema', () => {
    for (const [name, schema] of Object.entries(contract)) {
      if (schema instanceof z.ZodType) expect(() => z.toJSONSchema(schema), name).not.toThrow();
    }
  });

  it('accepts the documented bodies', () => {
    expect(computeRequest.safeParse({ envelope: house, bay_count: 3 }).success).toBe(true);
    const save = {
      name: 'House 1',
      shape_uuid: id.toUpperCase(),
      preset: 'greenhouse',
      structure: 'single',
      bay_count: 1,
      envelope: house,
      sensors: [{ role: 'indoor_temp', device_id: id, measurement_id: id, name: 'Air' }],
      actuators: [{ role: 'heater', device_id: id, name: 'Heater' }],
    };
    expect(facilitySave.parse(save).shape_uuid).toBe(id);
    expect(applyRequest.safeParse({ actions: [{ role: 'heater', state: true }] }).success).toBe(true);
  });

  it('lets a save change one field and clear an optional one', () => {
    const patch = {
      unique_id: id,
      envelope: { length_m: 60, inner_material: null },
      design_conditions: { heating_indoor_c: null },
      view_3d: { orientation_deg: null },
    };
    expect(facilitySave.parse(patch)).toEqual(patch);
    expect(facilitySave.safeParse({ envelope: { length_m: null } }).success).toBe(false);
  });

  it.each([
    ['an unknown field', computeRequest, { envelope: house, bay_count: 1, extra: 1 }],
    ['an unknown field of the envelope', computeRequest, { envelope: { ...house, width: 1 }, bay_count: 1 }],
    ['a length of nothing', envelope, { ...house, length_m: 0 }],
    ['an endless length', envelope, { ...house, length_m: Infinity }],
    ['a length beyond 1000 m', envelope, { ...house, length_m: 1000.1 }],
    ['a number as text', envelope, { ...house, length_m: '50' }],
    ['half a bay', computeRequest, { envelope: house, bay_count: 1.5 }],
    ['201 bays', computeRequest, { envelope: house, bay_count: 201 }],
    ['an opening without size', openings, [opening]],
    ['an opening with width alone', openings, [{ ...opening, width_m: 2 }]],
    ['an opening with area and width', openings, [{ ...opening, area_m2: 2, width_m: 2, height_m: 1 }]],
    [
      'two openings of one id',
      openings,
      [
        { ...opening, area_m2: 2 },
        { ...opening, area_m2: 3 },
      ],
    ],
    ['a wind without direction', windQuery, { wind_speed: 3 }],
    ['no action', applyRequest, { actions: [] }],
    ['an amount without unit', applyRequest, { actions: [{ role: 'heater', state: true, amount: 5 }] }],
    ['more than all', applyRequest, { actions: [{ role: 'fogger', state: true, amount: 101, unit: 'pct' }] }],
    ['a sensor role as an actuator', applyRequest, { actions: [{ role: 'indoor_temp', state: true }] }],
  ])('refuses %s', (_name, schema, body) => {
    expect(schema.safeParse(body).success).toBe(false);
  });
});
