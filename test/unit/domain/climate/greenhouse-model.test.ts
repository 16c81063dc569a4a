import { describe, expect, it } from 'vitest';
import {
  greenhouseRates,
  photosynthesis,
  publishedStart,
  type GreenhouseInputs,
  type GreenhouseState,
} from '../../../../server/domain/climate/greenhouse-model.ts';

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

describe('greenhouseRates', () => {
  it('follows the published equations by day', () => {
    const day = { ...night, radiation_w_m2: 400, co2_kg_m2s: 1e-6, ventilation_m_s: 0.01 };
    const state = { dry_matter_kg_m2: 0.1, co2_kg_m3: 1e-3, temp_c: 20, vapour_kg_m3: 0.01, floor_c: 20 };
    const cover = 1 - Math.exp(-5.3);
    const a = 3.55e-9 * 400;
    const b = (-5.11e-6 * 400 + 2.3e-4 * 20 - 6.29e-4) * (1e-3 - 5.2e-5);
    const uptake = (cover * a * b) / (a + b);
    const hold = 0.1 * 2 ** -0.5;
    const leaf = (9348 / (8314 * 293.15)) * Math.exp((17.4 * 20) / 259);
    const rates = greenhouseRates(state, day);
    const close = (found: number, expected: number) => expect(Math.abs(found / expected - 1)).toBeLessThan(1e-12);
    close(rates.dry_matter_kg_m2, 0.544 * uptake - 2.65e-7 * hold);
    close(rates.co2_kg_m3, (-uptake + 4.87e-7 * hold + 1e-6 - (0.01 + 0.75e-4) * (1e-3 - 7e-4)) / 4.1);
    close(rates.temp_c, (90 - (1290 * 0.01 + 6.1) * 20 + 0.2 * 400) / 30_000);
    close(rates.vapour_kg_m3, (cover * 3.6e-3 * (leaf - 0.01) - (0.01 + 0.75e-4) * 0.006) / 4.1);
  });

  // Saturated air of 15 C holds 12.8 g/m3.
  it.each([
    ['dry air evaporates all', 2e-3, 1],
    ['air 0.5 g/m3 below saturation evaporates 1 - exp(-1)', 0.012826 - 5e-4, 1 - Math.exp(-1)],
    ['full air evaporates none', 0.0129, 0],
  ])('adds the fog that evaporates to the vapour and takes its heat: %s', (_name, vapour_kg_m3, share) => {
    const state = { ...publishedStart, vapour_kg_m3 };
    const dry = greenhouseRates(state, night);
    const fogged = greenhouseRates(state, { ...night, fog_kg_m2s: 4e-5 });
    expect(((fogged.vapour_kg_m3 - dry.vapour_kg_m3) * 4.1) / 4e-5).toBeCloseTo(share, 2);
    expect(((fogged.temp_c - dry.temp_c) * 30_000) / (-2.45e6 * 4e-5)).toBeCloseTo(share, 2);
  });

  it('takes the leakage given', () => {
    const dry = greenhouseRates(publishedStart, night);
    const leaky = greenhouseRates(publishedStart, { ...night, leakage_m_s: 1.75e-4 });
    expect(leaky.vapour_kg_m3 - dry.vapour_kg_m3).toBeCloseTo((-1e-4 * (9.5e-3 - 0.004)) / 4.1, 15);
  });
});

describe('photosynthesis', () => {
  const grown: GreenhouseState = {
    dry_matter_kg_m2: 0.1,
    co2_kg_m3: 7e-4,
    temp_c: 20,
    vapour_kg_m3: 0.01,
    floor_c: 20,
  };
  it.each([
    ['in the dark', grown, 0],
    ['without CO2', { ...grown, co2_kg_m3: 5.2e-5 }, 400],
    ['in the cold', { ...grown, temp_c: 2.8 }, 400],
    ['in the heat', { ...grown, temp_c: 42.3 }, 400],
  ])('rests %s', (_name, state, radiation) => {
    expect(photosynthesis(state, radiation)).toBe(0);
  });

  it('starts without a jump at 3 and 42 C', () => {
    expect(photosynthesis({ ...grown, temp_c: 2.95 }, 400)).toBeLessThan(1e-8);
    expect(photosynthesis({ ...grown, temp_c: 42.0 }, 400)).toBeLessThan(3e-8);
    expect(photosynthesis(grown, 400)).toBeGreaterThan(1e-7);
  });
});
