import { describe, expect, it } from 'vitest';
import { faces, type Face } from '../../../../server/contract/facility.ts';
import { centreFault, centreRange, usualCentre_m } from '../../../../server/domain/geometry/centre-height.ts';

const gable = { eave_height_m: 3, rise_m: 1.5 };

describe('centreFault', () => {
  it.each<[Face, number, 'low' | 'high' | null]>([
    ['left', 0, null],
    ['left', 1.5, null],
    ['right', 3, null],
    ['right', 3.1, null],
    ['right', 3.2, 'high'],
    ['left', 4.5, 'high'],
    ['front', 1, null],
    ['back', 4.4, null],
    ['front', 4.7, 'high'],
    ['roof_left', 1.5, 'low'],
    ['roof_left', 3.75, null],
    ['roof_right', 2.8, 'low'],
    ['roof_right', 4.7, 'high'],
    ['ridge', 1.5, 'low'],
    ['ridge', 3, null],
    ['ridge', 4.5, null],
    ['ridge', 5, 'high'],
  ])('%s at %d m: %s', (face, centre_height_m, fault) => {
    expect(centreFault(face, centre_height_m, gable)).toBe(fault);
  });

  it('has a roof at the height of the eave alone where the roof is flat', () => {
    const flat = { eave_height_m: 3, rise_m: 0 };
    expect([2.5, 3, 3.5].map((at_m) => centreFault('ridge', at_m, flat))).toEqual(['low', null, 'high']);
  });
});

describe('usualCentre_m', () => {
  it.each<[Face, number]>([
    ['left', 1.5],
    ['right', 1.5],
    ['front', 1.5],
    ['back', 1.5],
    ['roof_left', 3.75],
    ['roof_right', 3.75],
    ['ridge', 4.5],
  ])('%s: %d m', (face, centre_m) => {
    expect(usualCentre_m(face, gable)).toBe(centre_m);
  });

  it.each(faces)('lies in the %s', (face) => {
    const { least_m, most_m } = centreRange(face, gable);
    expect(usualCentre_m(face, gable)).toBeGreaterThanOrEqual(least_m);
    expect(usualCentre_m(face, gable)).toBeLessThanOrEqual(most_m);
  });
});
