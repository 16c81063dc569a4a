import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SensorRole } from '../../../../server/contract/facility.ts';
import { findOutliers } from '../../../../server/domain/climate/outliers.ts';

describe('findOutliers', () => {
  it.each<[string, SensorRole, number[], number[]]>([
    ['none', 'indoor_temp', [], []],
    ['two, of which nobody knows who is right', 'indoor_temp', [20, 40], []],
    ['three that agree', 'indoor_temp', [20, 20.4, 21], []],
    ['one of three apart', 'indoor_temp', [20, 20.4, 25], [2]],
    ['apart, but no more than sound sensors', 'indoor_temp', [20, 20, 22], []],
    ['just more', 'indoor_temp', [20, 20, 22.1], [2]],
    ['a wide spread without a majority', 'indoor_temp', [10, 15, 20, 25, 30], []],
    ['two of five', 'indoor_humidity', [60, 61, 62, 99, 5], [3, 4]],
    ['light, which differs from place to place', 'indoor_light', [10, 12, 900], []],
    ['directions, which go round', 'outdoor_wind_dir', [1, 2, 359], []],
  ])('%s', (_, role, values, expected) => {
    expect(findOutliers(role, values).flatMap((apart, index) => (apart ? [index] : []))).toEqual(expected);
  });

  it('never speaks against half of them or more, nor against those that agree to the spread', () => {
    const values = fc.array(fc.double({ min: -40, max: 60, noNaN: true }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(values, (some) => {
        const apart = findOutliers('indoor_temp', some).filter(Boolean).length;
        expect(apart).toBeLessThan(some.length / 2);
        if (Math.max(...some) - Math.min(...some) <= 2) expect(apart).toBe(0);
      }),
    );
  });

  it('does not depend on the order', () => {
    const values = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 3, maxLength: 9 });
    fc.assert(
      fc.property(values, (some) => {
        expect(findOutliers('indoor_humidity', some.toReversed())).toEqual(
          findOutliers('indoor_humidity', some).toReversed(),
        );
      }),
    );
  });
});
