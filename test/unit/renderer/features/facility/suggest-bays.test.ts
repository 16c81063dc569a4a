import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proposeBays, suggestBays } from '../../../../../renderer/features/facility/suggest-bays.ts';

describe('suggestBays', () => {
  it('takes a narrow house as one bay and shares a wide one out', () => {
    expect(suggestBays({ width_m: 8.04, length_m: 50.02, axis_deg: 0 })).toEqual({
      bay_count: 1,
      bay_width_m: 8,
      length_m: 50,
    });
    expect(suggestBays({ width_m: 48, length_m: 60, axis_deg: 0 })).toMatchObject({ bay_count: 6, bay_width_m: 8 });
  });

  it('never leaves the limits of the contract', () => {
    const metres = fc.double({ min: 0.01, max: 5_000, noNaN: true });
    fc.assert(
      fc.property(metres, metres, (width_m, length_m) => {
        const found = suggestBays({ width_m, length_m, axis_deg: 0 });
        expect(found.bay_count).toBeGreaterThanOrEqual(1);
        expect(found.bay_count).toBeLessThanOrEqual(200);
        expect(found.bay_width_m).toBeGreaterThan(0);
      }),
    );
  });
});

describe('proposeBays', () => {
  it('offers each number of bays once, those of the most usual width first', () => {
    const box = { width_m: 48, length_m: 60, axis_deg: 0 };
    expect(proposeBays(box, [8, 6.4, 9.6]).map(({ bay_count, bay_width_m }) => [bay_count, bay_width_m])).toEqual([
      [6, 8],
      [8, 6],
      [5, 9.6],
    ]);
    expect(proposeBays({ ...box, width_m: 9 }, [8, 6.4])).toHaveLength(1);
  });
});
