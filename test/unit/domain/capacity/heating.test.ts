import { describe, expect, it } from 'vitest';
import { heatingLoad, infiltration, seriesTransmission } from '../../../../server/domain/capacity/heating.ts';
import { houseGeometry } from '../../../../server/domain/geometry/house.ts';

const envelope = { material: 'pe_single', bay_width_m: 8, length_m: 50, eave_height_m: 2.5, ridge_height_m: 4 };
const geometry = houseGeometry({ envelope, bay_count: 1 });
const cold = { indoor_c: 15, outdoor_c: -9.4, wind_factor: 1 };
const single = { ...cold, roof_u_w_m2k: 6.6, wall_u_w_m2k: 6.6, air_changes_per_h: 1 };

describe('heatingLoad', () => {
  it.each([
    ['PE 0.08 mm single', 6.6, 1, [117.43, 10.626, 5.452, 133.509]],
    ['PE 0.10 + 0.10 mm', 3.47, 0.6, [61.74, 6.376, 5.452, 73.568]],
  ])('%s at -9.4 C', (_name, u, air_changes_per_h, kw) => {
    const found = heatingLoad(geometry, { ...cold, roof_u_w_m2k: u, wall_u_w_m2k: u, air_changes_per_h });
    const terms = [found.transmission_kw, found.infiltration_kw, found.ground_kw, found.load_kw];
    terms.forEach((term, index) => expect(Math.abs(term - (kw[index] ?? NaN))).toBeLessThan(0.001));
  });

  it('reports the installed margin apart from the load', () => {
    const found = heatingLoad(geometry, single);
    expect(found.installed_warm_air_kw).toBeCloseTo(1.1 * found.load_kw, 9);
    expect(found.installed_hot_water_kw).toBeCloseTo(1.25 * found.load_kw, 9);
  });

  it('multiplies by the wind factor', () => {
    const calm = heatingLoad(geometry, single).load_kw;
    expect(heatingLoad(geometry, { ...single, wind_factor: 1.1 }).load_kw).toBeCloseTo(1.1 * calm, 9);
  });

  it('is nothing where it is not colder outside', () => {
    expect(heatingLoad(geometry, { ...single, outdoor_c: 15 }).load_kw).toBe(0);
    expect(heatingLoad(geometry, { ...single, outdoor_c: 30 }).load_kw).toBe(0);
  });

  it('loses nothing to the ground below its threshold', () => {
    expect(heatingLoad(geometry, { ...single, outdoor_c: 0 }).ground_kw).toBe(0);
    expect(heatingLoad(geometry, { ...single, outdoor_c: -0.1 }).ground_kw).toBeCloseTo((5 * 116 * 0.1) / 1000, 9);
  });

  it('counts a house as large from 1000 m2 of one house, not of all detached bays', () => {
    const detached = houseGeometry({ envelope, bay_count: 3, structure: 'single' });
    const connected = houseGeometry({ envelope, bay_count: 3, structure: 'connected' });
    const exact = houseGeometry({ envelope: { ...envelope, bay_width_m: 20 }, bay_count: 1 });
    expect(heatingLoad(detached, single).ground_kw).toBeCloseTo((5 * 348 * 9.4) / 1000, 9);
    expect(heatingLoad(connected, single).ground_kw).toBeCloseTo((8.75 * 148 * 14.4) / 1000, 9);
    expect(heatingLoad(exact, single).ground_kw).toBeCloseTo((8.75 * 140 * 14.4) / 1000, 9);
  });
});

describe('infiltration', () => {
  it.each([
    [1, 0, 1],
    [1, 1, 0.4],
    [1, 2, 0.2],
    [1, 3, 0.2],
    [2, 0, 0.6],
    [2, 1, 0.2],
    [3, 0, 0.6],
    [2, 4, 0.2],
  ])('%i covering layers and %i curtains: %f an hour', (cover, curtains, expected) => {
    expect(infiltration(cover, curtains)).toBe(expected);
  });
});

describe('seriesTransmission', () => {
  it('adds resistances', () => {
    expect(seriesTransmission(6.6, [])).toBeCloseTo(6.6, 12);
    expect(seriesTransmission(6, [3])).toBeCloseTo(2, 12);
    expect(seriesTransmission(6.6, [5.5, 5.5])).toBeCloseTo(1 / (1 / 6.6 + 2 / 5.5), 12);
  });
});
