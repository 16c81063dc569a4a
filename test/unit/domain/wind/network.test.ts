import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { airDensity_kg_m3 } from '../../../../server/domain/climate/air.ts';
import { balanceNetwork, type FlowPath } from '../../../../server/domain/wind/network.ts';

const path = (area_m2: number, height_m: number, cp: number): FlowPath => ({
  area_m2,
  height_m,
  cp,
  dischargeCoefficient: 0.6,
});
const windward = path(50, 1.25, 0.4);
const leeward = path(50, 1.25, -0.2);
const ridge = path(25, 4, -0.4);

function inflow_m3h(flows: readonly number[], outdoor_c: number): number {
  const inflow = flows.reduce((total, flow) => total + Math.max(0, flow), 0);
  return (inflow / airDensity_kg_m3(outdoor_c)) * 3600;
}

describe('balanceNetwork', () => {
  it.each([
    ['buoyancy alone', [windward, leeward, ridge], 25, 0, [8.2677, 8.2677, -16.5354], 49_437.3],
    ['buoyancy and wind', [windward, leeward, ridge], 25, 3, [74.2067, -38.9078, -35.299], 221_862.6],
    ['wind alone, closed form', [windward, leeward], 20, 3, [59.356, -59.356], 177_462.1],
  ])('%s', (_name, paths, indoor_c, windSpeed_m_s, flows, volume) => {
    const found = balanceNetwork(paths, { indoor_c, outdoor_c: 20, windSpeed_m_s });
    found.flows_kg_s.forEach((flow, index) => expect(flow).toBeCloseTo(flows[index] ?? NaN, 4));
    expect(inflow_m3h(found.flows_kg_s, 20)).toBeCloseTo(volume, 1);
  });

  it('meets the closed form of two openings in series exactly', () => {
    const { flows_kg_s } = balanceNetwork([windward, leeward], { indoor_c: 20, outdoor_c: 20, windSpeed_m_s: 3 });
    const rho = airDensity_kg_m3(20);
    expect(flows_kg_s[0]).toBeCloseTo(0.6 * 50 * rho * Math.sqrt((0.6 * 9) / 2), 9);
  });

  /**
   * Kittas, Boulard & Papadakis 1997 (Vanthoor 2011, eq. 8.66) at no wind: the flow of sides and ridge from
   * Cd sqrt((As Ar)2 / (As2 + Ar2) 2 g h dT / T).
   */
  it('agrees with Kittas et al. 1997 within 1.2 % at no wind', () => {
    const { flows_kg_s } = balanceNetwork([windward, leeward, ridge], {
      indoor_c: 25,
      outdoor_c: 20,
      windSpeed_m_s: 0,
    });
    const [sides, top, height, mean_k] = [100, 25, 2.75, 295.65];
    const series = (sides * top) / Math.hypot(sides, top);
    const kittas_m3h = 0.6 * series * Math.sqrt((2 * 9.81 * height * 5) / mean_k) * 3600;
    expect(Math.abs(inflow_m3h(flows_kg_s, 20) / kittas_m3h - 1)).toBeLessThan(0.0125);
  });

  it('moves nothing without wind and temperature difference, nor through a single opening or none', () => {
    const still = { indoor_c: 20, outdoor_c: 20, windSpeed_m_s: 0 };
    expect(balanceNetwork([windward, leeward, ridge], still).flows_kg_s).toEqual([0, 0, 0]);
    const single = balanceNetwork([windward], { indoor_c: 30, outdoor_c: 0, windSpeed_m_s: 9 });
    expect(single.flows_kg_s).toEqual([0]);
    expect(single.internalPressure_pa).toBeCloseTo(
      0.5 * airDensity_kg_m3(0) * 0.4 * 81 - 1.25 * 9.81 * (airDensity_kg_m3(0) - airDensity_kg_m3(30)),
      9,
    );
    expect(balanceNetwork([], still)).toEqual({ internalPressure_pa: 0, pressures_pa: [], flows_kg_s: [] });
  });

  it('stays shut at closed openings', () => {
    const shut = [windward, leeward, ridge].map((one) => ({ ...one, area_m2: 0 }));
    const found = balanceNetwork(shut, { indoor_c: 25, outdoor_c: 20, windSpeed_m_s: 5 });
    expect(found.flows_kg_s.map(Math.abs)).toEqual([0, 0, 0]);
  });

  it('keeps its balance where an opening lies at the neutral pressure', () => {
    const neutral = path(500, 1.25, 0.1);
    const found = balanceNetwork([windward, leeward, neutral], { indoor_c: 20, outdoor_c: 20, windSpeed_m_s: 3 });
    expect(Math.abs(found.flows_kg_s[2] ?? NaN)).toBeLessThan(1e-6);
    expect(Math.abs(found.flows_kg_s.reduce((a, b) => a + b, 0))).toBeLessThan(1e-7);
  });

  /** Steps of a thousandth, so that no difference is of the size of rounding. */
  const between = (min: number, max: number) =>
    fc.integer({ min: min * 1000, max: max * 1000 }).map((thousandths) => thousandths / 1000);
  const paths = fc.array(
    fc.record({
      area_m2: between(0.01, 1000),
      height_m: between(0, 12),
      cp: between(-1, 1),
      dischargeCoefficient: between(0.1, 1),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const conditions = fc.record({
    indoor_c: between(-20, 50),
    outdoor_c: between(-30, 45),
    windSpeed_m_s: between(0, 40),
  });

  it('balances to 1e-9 of what flows, each flow in the direction of its pressure', () => {
    fc.assert(
      fc.property(paths, conditions, (openings, air) => {
        const { flows_kg_s, pressures_pa } = balanceNetwork(openings, air);
        const gross = flows_kg_s.reduce((total, flow) => total + Math.abs(flow), 0);
        expect(Math.abs(flows_kg_s.reduce((a, b) => a + b, 0))).toBeLessThanOrEqual(1e-9 * gross);
        flows_kg_s.forEach((flow, index) => expect(flow * (pressures_pa[index] ?? 0)).toBeGreaterThanOrEqual(0));
      }),
    );
  });

  it('does not depend on the order of the openings', () => {
    fc.assert(
      fc.property(paths, conditions, (openings, air) => {
        const there = balanceNetwork(openings, air).flows_kg_s;
        const back = balanceNetwork([...openings].reverse(), air).flows_kg_s.reverse();
        const gross = there.reduce((total, flow) => total + Math.abs(flow), 0);
        there.forEach((flow, index) => expect(Math.abs(flow - (back[index] ?? NaN))).toBeLessThanOrEqual(1e-6 * gross));
      }),
    );
  });
});
