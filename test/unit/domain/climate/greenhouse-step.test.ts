import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { humidityOfDensity_pct } from '../../../../server/domain/climate/air.ts';
import {
  floorHeat_j_m2k,
  publishedStart,
  type GreenhouseInputs,
} from '../../../../server/domain/climate/greenhouse-model.ts';
import { stepGreenhouse } from '../../../../server/domain/climate/greenhouse-step.ts';

const night: GreenhouseInputs = {
  co2_kg_m2s: 0,
  ventilation_m_s: 0,
  heating_w_m2: 90,
  fog_kg_m2s: 0,
  radiation_w_m2: 0,
  outdoor_c: 0,
  outdoor_vapour_kg_m3: 0.004,
  outdoor_co2_kg_m3: 7e-4,
};

describe('stepGreenhouse', () => {
  it.each([
    [600, 14.971758],
    [3600, 14.872364],
    [21_600, 14.757142],
    [86_400, 14.754098],
  ])('cools to the analytic temperature after %i s', (seconds, temp_c) => {
    expect(stepGreenhouse(publishedStart, night, seconds).temp_c).toBeCloseTo(temp_c, 6);
    let walked = publishedStart;
    for (let step = 0; step < seconds / 600; step += 1) walked = stepGreenhouse(walked, night, 600);
    expect(walked.temp_c).toBeCloseTo(temp_c, 6);
  });

  it('cools by ventilation as exp(-(1290 Uv + 6.1) t / 30000)', () => {
    const inputs = { ...night, heating_w_m2: 0, ventilation_m_s: 0.05 };
    const expected = 15 * Math.exp((-(1290 * 0.05 + 6.1) * 300) / 30_000);
    expect(stepGreenhouse(publishedStart, inputs, 300).temp_c).toBeCloseTo(expected, 4);
  });

  // With the air held by the wind through it, C dx/dt = -1.7 x^(4/3) and C dx/dt = 1.3 x^(5/4) have closed forms.
  it.each([
    [
      'a warm floor gives its heat back',
      30,
      (t_s: number) => 15 + (15 ** (-1 / 3) + (1.7 * t_s) / (3 * floorHeat_j_m2k)) ** -3,
    ],
    [
      'a cold floor takes heat up',
      5,
      (t_s: number) => 15 - (10 ** (-1 / 4) + (1.3 * t_s) / (4 * floorHeat_j_m2k)) ** -4,
    ],
  ])('%s', (_name, floor_c, after) => {
    const held = { ...night, heating_w_m2: 0, outdoor_c: 15, ventilation_m_s: 50, has_floor: true };
    const cooled = stepGreenhouse({ ...publishedStart, floor_c }, held, 6 * 3600);
    expect(cooled.floor_c).toBeCloseTo(after(6 * 3600), 2);
    expect(Math.abs(cooled.floor_c - floor_c)).toBeGreaterThan(2);
    expect(stepGreenhouse({ ...publishedStart, floor_c }, { ...held, has_floor: false }, 3600).floor_c).toBe(floor_c);
  });

  it('leaves the state alone for no time', () => {
    expect(stepGreenhouse(publishedStart, night, 0)).toEqual(publishedStart);
  });

  it('condenses what is above 100 %', () => {
    const cold = { ...night, heating_w_m2: 0, leakage_m_s: 1e-9 };
    const after = stepGreenhouse({ ...publishedStart, dry_matter_kg_m2: 0 }, cold, 6 * 3600);
    expect(humidityOfDensity_pct(after.temp_c, after.vapour_kg_m3)).toBeCloseTo(100, 6);
  });

  it('takes no heat for fog that cannot evaporate', () => {
    const wet = { ...night, heating_w_m2: 0, outdoor_c: 15, outdoor_vapour_kg_m3: 0.0125, fog_kg_m2s: 5e-5 };
    const after = stepGreenhouse(publishedStart, wet, 6 * 3600);
    const humidity_pct = humidityOfDensity_pct(after.temp_c, after.vapour_kg_m3);
    expect(humidity_pct).toBeGreaterThan(99);
    expect(humidity_pct).toBeLessThan(100);
    expect(after.temp_c).toBeGreaterThan(12);
    expect(after.temp_c).toBeLessThan(15);
  });
});

describe('properties of the model', () => {
  const share = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
  const states = fc.tuple(share, share, share, share).map(([a, b, c, d]) => ({
    dry_matter_kg_m2: 1e-3 + 0.4 * a,
    co2_kg_m3: 3e-4 + 3e-3 * b,
    temp_c: 50 * c,
    vapour_kg_m3: 0.004 * d,
    floor_c: 50 * c,
  }));
  const inputs = fc.tuple(share, share, share, share, share, share).map(([a, b, c, d, e, f]) => ({
    co2_kg_m2s: 2e-6 * a,
    ventilation_m_s: 0.5 * b,
    heating_w_m2: f < 0.5 ? 200 * c : 0, // nobody heats a warm house
    fog_kg_m2s: 5e-5 * d,
    radiation_w_m2: 1000 * e,
    outdoor_c: -20 + 55 * f,
    outdoor_vapour_kg_m3: 8e-4,
    outdoor_co2_kg_m3: 7.5e-4,
  }));

  it('stays in range through any six hours', () => {
    fc.assert(
      fc.property(states, inputs, fc.integer({ min: 1, max: 21_600 }), (state, given, seconds) => {
        const after = stepGreenhouse(state, given, seconds);
        expect(after.dry_matter_kg_m2).toBeGreaterThan(0);
        expect(after.dry_matter_kg_m2).toBeLessThan(0.5);
        expect(after.co2_kg_m3).toBeGreaterThan(0);
        expect(after.co2_kg_m3).toBeLessThan(0.05);
        expect(after.temp_c).toBeGreaterThan(-45);
        expect(after.temp_c).toBeLessThan(75);
        expect(after.vapour_kg_m3).toBeGreaterThan(0);
        expect(humidityOfDensity_pct(after.temp_c, after.vapour_kg_m3)).toBeLessThan(100 + 1e-9);
      }),
    );
  });

  it('moves no state by over 1 % when the step is halved', () => {
    fc.assert(
      fc.property(states, inputs, fc.integer({ min: 1, max: 1200 }), (state, given, seconds) => {
        const whole = stepGreenhouse(state, given, seconds);
        const halves = stepGreenhouse(stepGreenhouse(state, given, seconds / 2), given, seconds / 2);
        for (const key of ['dry_matter_kg_m2', 'co2_kg_m3', 'vapour_kg_m3'] as const) {
          expect(Math.abs(halves[key] / whole[key] - 1), key).toBeLessThan(0.01);
        }
        expect(Math.abs(halves.temp_c - whole.temp_c)).toBeLessThan(0.01 * Math.max(1, Math.abs(whole.temp_c)));
      }),
    );
  });
});
