import { describe, expect, it } from 'vitest';
import { greenhouseRates, type GreenhouseInputs } from '../../../../server/domain/climate/greenhouse-model.ts';
import { restingState } from '../../../../server/domain/climate/resting-state.ts';

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

describe('restingState', () => {
  it.each([
    ['night', { ...night, heating_w_m2: 0 }],
    ['day', { ...night, heating_w_m2: 0, radiation_w_m2: 300, outdoor_c: 10 }],
  ])('is where temperature, vapour and CO2 rest by %s', (_name, inputs) => {
    const rates = greenhouseRates(restingState(inputs, 0.05), inputs);
    expect(Math.abs(rates.temp_c)).toBeLessThan(1e-12);
    expect(Math.abs(rates.vapour_kg_m3)).toBeLessThan(1e-15);
    expect(Math.abs(rates.co2_kg_m3)).toBeLessThan(1e-15);
  });
});
