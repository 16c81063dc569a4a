import { beforeAll, describe, expect, it } from 'vitest';
import { overlapOf } from '../../../../server/domain/pipes/overlap.ts';
import { pipeSizes } from '../../../../server/domain/pipes/catalogue.ts';
import type { Point } from '../../../../server/domain/pipes/plane.ts';
import { sizedZone } from '../../../../server/domain/pipes/zone-network.ts';
import { zoneLayout } from '../../../../server/domain/pipes/zone.ts';
import { Epanet } from '../../../../server/services/pipe/epanet.ts';

const at = (x: number, y: number): Point => ({ x, y });
const field = [[at(0, 0), at(60, 0), at(60, 10), at(0, 10)]];
const task = { rings: field, valve: at(-5, 5), spacing_m: 1, emitter_spacing_m: 0.5, angle_rad: 0 };

describe('zoneLayout', () => {
  it('lays lines half a spacing from the edge, fed from the side of the valve', () => {
    const found = zoneLayout(task);
    expect(found?.laterals).toHaveLength(10);
    expect(found?.laterals[0]).toMatchObject({ from: at(0, 0.5), to: at(60, 0.5) });
    expect(found?.laterals[0]?.emitters_m).toHaveLength(120);
    expect(found?.laterals[0]?.emitters_m[0]).toBeCloseTo(0.25, 9);
    expect(found?.inlet).toBe(4);
    const other = zoneLayout({ ...task, valve: at(70, 9) });
    expect([other?.inlet, other?.laterals[0]?.from.x]).toEqual([8, 60]);
  });

  it('turns with the angle, clipped to a slanted zone', () => {
    const rings = [[at(0, 0), at(20, 0), at(30, 10), at(10, 10)]];
    expect(zoneLayout({ ...task, rings, angle_rad: Math.PI / 2 })?.laterals).toHaveLength(28);
    const lengths = zoneLayout({ ...task, rings })?.laterals.map(({ from, to }) => to.x - from.x) ?? [];
    for (const length of lengths) expect(length).toBeCloseTo(20, 9);
  });

  it('lays none where a line would leave the zone and come back', () => {
    const horseshoe = [[at(0, 0), at(30, 0), at(30, 30), at(20, 30), at(20, 10), at(10, 10), at(10, 30), at(0, 30)]];
    expect(zoneLayout({ ...task, rings: horseshoe })).toBeUndefined();
    expect(zoneLayout({ ...task, rings: [...field, [at(20, 2), at(30, 2), at(30, 8), at(20, 8)]] })).toBeUndefined();
  });
});

describe('sizedZone', () => {
  let epanet: Epanet;
  beforeAll(async () => {
    epanet = await Epanet.load();
  });
  const emitter = {
    flow_l_h: 1.6,
    pressure_bar: 1,
    exponent: 0.5,
    inner_mm: 13.8,
    least_uniformity_pct: 90,
    most_velocity_m_s: 1.5,
  };

  it('finds the narrowest header at which emitters are even, and the pressure they need', () => {
    const layout = zoneLayout(task);
    if (layout === undefined) throw new Error('the field has lines');
    const find = (least_uniformity_pct: number) =>
      sizedZone({ layout, emitter: { ...emitter, least_uniformity_pct }, sizes: pipeSizes('pe100_sdr11') }, (inp) =>
        epanet.emitterFlows(inp),
      );
    const found = find(90);
    expect(found).toMatchObject({ emitters: 1200 });
    expect(found?.flow_m3_h).toBeCloseTo(1.92, 2);
    expect(found?.uniformity_pct).toBeGreaterThanOrEqual(90);
    expect(found?.inlet_bar).toBeGreaterThan(1);
    expect(found?.least_l_h).toBeLessThan(1.6);
    // Losses along a line by hand: 192 l/h in 13.8 mm, shared out evenly (Christiansen 1942: 0.36 of the loss of the
    // whole flow).
    const asked = find(99.9);
    expect(asked?.header.diameter_mm).toBeGreaterThan(found?.header.diameter_mm ?? 0);
    expect(asked?.uniformity_pct).toBeLessThan(99.9);
  });

  it('gives every emitter the same where the line is short', () => {
    const layout = zoneLayout({ ...task, rings: [[at(0, 0), at(2, 0), at(2, 2), at(0, 2)]] });
    if (layout === undefined) throw new Error('the plot has lines');
    const found = sizedZone({ layout, emitter, sizes: pipeSizes('pe100_sdr11') }, (inp) => epanet.emitterFlows(inp));
    expect(found?.uniformity_pct).toBeGreaterThan(99.9);
    expect(found?.inlet_bar).toBeCloseTo(1, 2);
  });
});

describe('overlapOf', () => {
  const [side, spacing_m] = [24, 2];
  const rings = [[at(0, 0), at(side, 0), at(side, side), at(0, side)]];
  const rain = (radius_m: number, angle_rad = 0) => {
    const layout = zoneLayout({ rings, valve: at(-1, 0), spacing_m, emitter_spacing_m: spacing_m, angle_rad });
    if (layout === undefined) throw new Error('the square has lines');
    const flows_l_h = layout.laterals.flatMap(({ emitters_m }) => emitters_m.map(() => 4));
    return overlapOf({ layout, rings, angle_rad, flows_l_h, radius_m, spacing_m });
  };

  it('brings all water down that emitters give: 4 l/h on 4 m2 are 1 mm/h', () => {
    const found = rain(1);
    expect(found?.mean_mm_h).toBeCloseTo(1, 1);
    // In the middle of a triangular profile: 3 q / (pi r2).
    expect(found?.most_mm_h).toBeGreaterThan((3 * 4) / Math.PI / 2);
    expect(found?.least_mm_h).toBe(0);
  });

  it('is more even the farther emitters reach, and the same in any direction', () => {
    const [near, far] = [rain(1), rain(3)];
    expect(far?.uniformity_pct).toBeGreaterThan((near?.uniformity_pct ?? 0) + 20);
    expect(far?.christiansen_pct).toBeGreaterThan(far?.uniformity_pct ?? 100);
    expect(rain(3, Math.PI / 2)?.uniformity_pct).toBeCloseTo(far?.uniformity_pct ?? 0, 0);
  });

  it('finds nothing where circles are too small for its points, and as much water where they nearly are', () => {
    const wide = (radius_m: number) => {
      const ground = [[at(0, 0), at(200, 0), at(200, 200), at(0, 200)]];
      const layout = zoneLayout({ rings: ground, valve: at(-1, 0), spacing_m: 4, emitter_spacing_m: 4, angle_rad: 0 });
      if (layout === undefined) throw new Error('the square has lines');
      const flows_l_h = layout.laterals.flatMap(({ emitters_m }) => emitters_m.map(() => 16));
      return overlapOf({ layout, rings: ground, angle_rad: 0, flows_l_h, radius_m, spacing_m: 4 });
    };
    expect(wide(0.3)).toBeUndefined();
    expect(wide(1.1)?.mean_mm_h).toBeCloseTo(1, 1);
  });

  it('shows squares that cover the zone', () => {
    const found = rain(3);
    const area = (found?.cells.length ?? 0) * (found?.cell_m ?? 0) ** 2;
    expect(area / side ** 2).toBeCloseTo(1, 1);
    expect(found?.cells.length).toBeLessThanOrEqual(2700);
  });
});
