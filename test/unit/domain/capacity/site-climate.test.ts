import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { designRadiation_w_m2, estimatedColdest_c } from '../../../../server/domain/capacity/site-climate.ts';

describe('what a place is designed for where no table says it', () => {
  it('is as cold as 1 % of the hours of the typical year of Chicago, -17.2 C, within 1 K', () => {
    const found = estimatedColdest_c({ lat: 41.98, lng: -87.9 });
    expect(Math.abs(found.value + 17.2)).toBeLessThan(1);
    expect(found.note).toContain("Chicago O'Hare");
  });

  it('is colder the higher it lies', () => {
    const at = (elevation_m: number) => estimatedColdest_c({ lat: 1.35, lng: 103.8, elevation_m }).value;
    expect(at(16) - at(1016)).toBeCloseTo(6.5, 1);
  });

  // 1 % of the hours of typical years: TMY3 of Denver, the reference year of Alice Springs. No station is
  // within 500 km.
  it.each([
    ['Denver', 39.83, -104.65, -11.1],
    ['Alice Springs', -23.8, 133.88, 1.5],
  ])('is estimated by the latitude for %s, on the safe side', (_, lat, lng, known_c) => {
    const { value, note } = estimatedColdest_c({ lat, lng });
    expect(note).toContain('latitude');
    expect(value - known_c).toBeGreaterThan(-6);
    expect(value - known_c).toBeLessThan(1);
  });

  it('is never brighter than a noon in the tropics, and the same north and south', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 90, noNaN: true }), (lat) => {
        expect(designRadiation_w_m2(lat)).toBe(designRadiation_w_m2(-lat));
        expect(designRadiation_w_m2(lat)).toBeLessThanOrEqual(designRadiation_w_m2(0));
        expect(designRadiation_w_m2(lat)).toBeGreaterThan(300);
      }),
    );
  });
});
