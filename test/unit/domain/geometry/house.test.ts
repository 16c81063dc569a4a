import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Envelope, GeometryTerms } from '../../../../server/contract/facility.ts';
import { houseGeometry, resolveRidge, type HouseShape } from '../../../../server/domain/geometry/house.ts';

const small: Envelope = {
  material: 'pe_single',
  bay_width_m: 8,
  length_m: 50,
  eave_height_m: 2.5,
  ridge_height_m: 4,
};
const connected: Envelope = { ...small, bay_width_m: 7, length_m: 48, eave_height_m: 4.5, ridge_height_m: 6.5 };

const worked: [string, HouseShape, Partial<GeometryTerms>][] = [
  [
    'gable of one bay',
    { envelope: small, bay_count: 1 },
    {
      floor_area_m2: 400,
      volume_m3: 1300,
      roof_area_m2: 427.2002,
      side_area_m2: 250,
      end_area_m2: 52,
      envelope_area_m2: 729.2002,
      perimeter_m: 116,
    },
  ],
  [
    'arch of one bay',
    { envelope: { ...small, roof_type: 'arch' }, bay_count: 1 },
    { volume_m3: 1411.034, roof_area_m2: 436.5043, end_area_m2: 56.4414, envelope_area_m2: 742.9457 },
  ],
  [
    'five connected gables',
    { envelope: connected, bay_count: 5 },
    {
      floor_area_m2: 1680,
      volume_m3: 9240,
      roof_area_m2: 1934.9419,
      side_area_m2: 432,
      end_area_m2: 385,
      envelope_area_m2: 2751.9419,
      perimeter_m: 166,
    },
  ],
  [
    'half circle',
    { envelope: { ...small, roof_type: 'arch', ridge_height_m: 4, ridge_reference: 'eave' }, bay_count: 1 },
    { roof_area_m2: Math.PI * 4 * 50, volume_m3: 1000 + (Math.PI * 16 * 50) / 2 },
  ],
  [
    'arch higher than a half circle, from the circle of radius 5 about a chord of 8',
    { envelope: { ...small, roof_type: 'arch', ridge_height_m: 8, ridge_reference: 'eave' }, bay_count: 1 },
    {
      roof_area_m2: 2 * 5 * (Math.PI - Math.asin(0.8)) * 50,
      volume_m3: 1000 + 50 * (25 * (Math.PI - Math.asin(0.8)) + 12),
    },
  ],
  [
    'sawtooth, one sloped and one vertical face',
    { envelope: { ...small, roof_type: 'sawtooth', bay_width_m: 4, ridge_height_m: 5.5 }, bay_count: 2 },
    { roof_area_m2: 2 * 50 * (5 + 3), volume_m3: 2 * 50 * (4 * 2.5 + 6), side_area_m2: 250 },
  ],
  [
    'flat, whatever the ridge',
    { envelope: { ...small, roof_type: 'flat' }, bay_count: 1 },
    { roof_area_m2: 400, volume_m3: 1000, end_area_m2: 40, ridge_above_ground_m: 2.5, rise_m: 0 },
  ],
];

describe('houseGeometry', () => {
  it.each(worked)('%s', (_name, shape, expected) => {
    const found = houseGeometry(shape);
    for (const [term, value] of Object.entries(expected)) {
      expect.soft(found[term as keyof GeometryTerms], term).toBeCloseTo(Number(value), 3); // the keys of the row
    }
  });

  it('measures a ridge below the eave from the eave: 1200 m2 and 5400 m3 exactly', () => {
    const shape = { envelope: { ...small, eave_height_m: 3.5, ridge_height_m: 2 }, bay_count: 3 };
    const found = houseGeometry(shape);
    expect([found.floor_area_m2, found.volume_m3, found.ridge_reference]).toEqual([1200, 5400, 'eave']);
  });

  it.each([
    ['absent, ridge above', {}, 'ground', 4, 1.5],
    ['absent, ridge level', { ridge_height_m: 2.5 }, 'ground', 2.5, 0],
    ['absent, ridge below', { ridge_height_m: 1 }, 'eave', 3.5, 1],
    ['eave, though above', { ridge_reference: 'eave' }, 'eave', 6.5, 4],
    ['ground, though below', { ridge_reference: 'ground', ridge_height_m: 1 }, 'ground', 2.5, 0],
  ] as const)('ridge reference %s', (_name, change, reference, above_ground_m, rise_m) => {
    expect(resolveRidge({ ...small, ...change })).toMatchObject({ reference, above_ground_m, rise_m });
  });

  it('counts every term of detached bays n times', () => {
    const one = houseGeometry({ envelope: small, bay_count: 1, structure: 'single' });
    const four = houseGeometry({ envelope: small, bay_count: 4, structure: 'single' });
    for (const term of [
      'floor_area_m2',
      'volume_m3',
      'roof_area_m2',
      'side_area_m2',
      'end_area_m2',
      'perimeter_m',
    ] as const) {
      expect(four[term], term).toBeCloseTo(4 * one[term], 9);
    }
    expect(four.house_count).toBe(4);
  });
});

const lengths = fc.record({
  bay_width_m: fc.double({ min: 2, max: 40, noNaN: true }),
  length_m: fc.double({ min: 2, max: 300, noNaN: true }),
  eave_height_m: fc.double({ min: 1, max: 10, noNaN: true }),
  ridge_height_m: fc.double({ min: 0.1, max: 10, noNaN: true }),
});
const roofs = fc.constantFrom('gable', 'arch', 'sawtooth', 'flat');
const fromEave = { material: 'pe_single', ridge_reference: 'eave' } as const;

describe('properties of the geometry', () => {
  it('scales floor, roof, ends and volume with the bays', () => {
    fc.assert(
      fc.property(lengths, roofs, fc.integer({ min: 2, max: 30 }), (given, roof_type, bays) => {
        const envelope = { ...fromEave, ...given, roof_type };
        const one = houseGeometry({ envelope, bay_count: 1 });
        const many = houseGeometry({ envelope, bay_count: bays });
        for (const term of ['floor_area_m2', 'roof_area_m2', 'end_area_m2', 'volume_m3'] as const) {
          expect(many[term] / one[term]).toBeCloseTo(bays, 9);
        }
      }),
    );
  });

  it('gives an arch at least the roof and volume of the gable', () => {
    fc.assert(
      fc.property(lengths, (given) => {
        const of = (roof_type: 'gable' | 'arch') =>
          houseGeometry({ envelope: { ...fromEave, ...given, roof_type }, bay_count: 1 });
        expect(of('arch').roof_area_m2).toBeGreaterThanOrEqual(of('gable').roof_area_m2);
        expect(of('arch').volume_m3).toBeGreaterThanOrEqual(of('gable').volume_m3);
      }),
    );
  });

  it('tends to the box as the rise goes to nothing', () => {
    fc.assert(
      fc.property(lengths, roofs, fc.double({ min: 1e-12, max: 1e-6, noNaN: true }), (given, roof_type, rise) => {
        const of = (envelope: Envelope) => houseGeometry({ envelope, bay_count: 1 });
        const low = of({ ...fromEave, ...given, roof_type, ridge_height_m: rise });
        const box = of({ ...fromEave, ...given, roof_type: 'flat' });
        for (const term of ['roof_area_m2', 'volume_m3', 'end_area_m2', 'envelope_area_m2'] as const) {
          expect(Math.abs(low[term] / box[term] - 1)).toBeLessThan(2e-6);
        }
      }),
    );
  });

  it('grows strictly with each length, an arch up to the half circle (above it a wider chord shortens the arc)', () => {
    const growing = fc.constantFrom('bay_width_m', 'length_m', 'eave_height_m', 'ridge_height_m');
    fc.assert(
      fc.property(lengths, fc.constantFrom('gable', 'arch', 'sawtooth'), growing, (given, roof_type, which) => {
        fc.pre(roof_type !== 'arch' || given.ridge_height_m * 1.01 <= given.bay_width_m / 2);
        const of = (lengths_m: typeof given) =>
          houseGeometry({ envelope: { ...fromEave, ...lengths_m, roof_type }, bay_count: 2 });
        const before = of(given);
        const after = of({ ...given, [which]: given[which] * 1.01 });
        expect(after.volume_m3).toBeGreaterThan(before.volume_m3);
        expect(after.envelope_area_m2).toBeGreaterThan(before.envelope_area_m2);
      }),
    );
  });
});
