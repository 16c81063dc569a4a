import { describe, expect, it } from 'vitest';
import type { GeometryTerms } from '../../../../server/contract/facility.ts';
import { coolingLoad, forcedVentilation } from '../../../../server/domain/capacity/cooling.ts';
import { houseGeometry } from '../../../../server/domain/geometry/house.ts';

const some = houseGeometry({
  envelope: { material: 'po_film', bay_width_m: 10, length_m: 100, eave_height_m: 3, ridge_height_m: 5 },
  bay_count: 1,
});
/** 1000 m2 of floor under 1500 m2 of covering. */
const house: GeometryTerms = { ...some, roof_area_m2: 1000, side_area_m2: 400, end_area_m2: 100 };
const sun = {
  radiation_w_m2: 900,
  transmittance: 0.7,
  shade_factor: 1,
  latent_share: 0.5,
  absorptance: 0,
  roof_u_w_m2k: 6.5,
};
const air = { cooling_kw: 315, rise_k: 5, roof_u_w_m2k: 6.5, wall_u_w_m2k: 6.5, natural_m3h: 13_000, fans: [] };

describe('coolingLoad', () => {
  it('is 315 kW for 1000 m2, 0.7 of 900 W/m2 and half of it latent', () => {
    expect(coolingLoad(house, sun).load_kw).toBeCloseTo(315, 9);
  });

  it('adds what the covering absorbs: a black one heats without light', () => {
    const black = coolingLoad(house, { ...sun, transmittance: 0, absorptance: 1 });
    expect(black.load_kw).toBeCloseTo((900 * 1000 * 6.5) / 23 / 1000, 9);
    expect(black.transmitted_kw).toBe(0);
  });

  it('takes the shade from the light let through, and is whole in an empty house', () => {
    expect(coolingLoad(house, { ...sun, shade_factor: 0.4 }).load_kw).toBeCloseTo(126, 9);
    expect(coolingLoad(house, { ...sun, latent_share: 0 }).load_kw).toBeCloseTo(630, 9);
  });
});

describe('forcedVentilation', () => {
  it('is 44.154 m3/s at 5 K with 48.75 kW of conduction', () => {
    const found = forcedVentilation(house, air);
    expect(found.conduction_kw).toBeCloseTo(48.75, 9);
    expect(found.forced_m3h / 3600).toBeCloseTo(44.154, 3);
  });

  it('is not below 0.04 m3/s per m2', () => {
    const found = forcedVentilation(house, { ...air, cooling_kw: 20 });
    expect(found.balance_m3h).toBe(0);
    expect(found.forced_m3h).toBeCloseTo(40 * 3600, 6);
  });

  it('sets six air changes beside it: 32,400 m3/h of 5400 m3', () => {
    expect(forcedVentilation({ ...house, volume_m3: 5400 }, air).six_air_changes_m3h).toBe(32_400);
  });

  it('reports the fans that change air, circulation not among them, and null without any', () => {
    const fans = [
      { kind: 'exhaust', flow_m3h: 30_000, count: 4 },
      { kind: 'intake', flow_m3h: 20_000, count: 2 },
      { kind: 'circulation', flow_m3h: 9_000, count: 9 },
    ] as const;
    expect(forcedVentilation(house, { ...air, fans }).fan_m3h).toBe(120_000);
    expect(forcedVentilation(house, air).fan_m3h).toBeNull();
  });
});
