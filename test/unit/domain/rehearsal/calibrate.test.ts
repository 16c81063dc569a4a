import { describe, expect, it } from 'vitest';
import { calibrated, fitted, type HousePast } from '../../../../server/domain/rehearsal/calibrate.ts';
import { afterDay, allOff, crops, readModel, stepHouse } from '../../../../server/domain/simulation/house-model.ts';
import { simulatedHouse } from '../../../../server/domain/simulation/simulated-house.ts';
import { weatherAt } from '../../../../server/domain/climate/weather.ts';

const step_s = 900;
const fromMs = Date.UTC(2026, 4, 10);
const perDay = 86_400 / step_s;
const dry_matter_kg_m2 = crops.young;

/** What the sensors of a house said that loses more heat and lets in less sun than it is drawn with. */
function past(days: number, truth = { loss_factor: 1.3, sun_factor: 0.8 }, noise_k = 0): HousePast[] {
  const model = fitted(simulatedHouse, truth);
  let state = afterDay(model, (before_s) => weatherAt(52, fromMs - before_s * 1000, 5));
  return Array.from({ length: days * perDay }, (_, index) => {
    const weather = weatherAt(52, fromMs + index * step_s * 1000, 5);
    const hour = ((index * step_s) / 3600) % 24;
    const equipment = { ...allOff, heater: hour < 7 ? 0.3 : 0, roof_vent: hour > 11 && hour < 16 ? 0.2 : 0 };
    const { temp_c, humidity_pct } = readModel(model, state, { equipment, weather });
    state = { ...stepHouse(model, state, { equipment, weather }, step_s), dry_matter_kg_m2 };
    const noise = noise_k * Math.sin(index * 12.9898);
    return { weather, equipment, temp_c: temp_c + noise, humidity_pct };
  });
}

describe('a model that is fitted to the past of its house', () => {
  it('finds how the house differs from its drawing, and shows the error of a day that it did not see', () => {
    const found = calibrated(simulatedHouse, { step_s, steps: past(3, undefined, 0.2), dry_matter_kg_m2 });
    expect(found?.days).toBe(3);
    expect(Math.abs((found?.loss_factor ?? 0) / 1.3 - 1)).toBeLessThan(0.1);
    expect(Math.abs((found?.sun_factor ?? 0) / 0.8 - 1)).toBeLessThan(0.1);
    expect(found?.drawn_error_k).toBeGreaterThan(1);
    expect(found?.error_k).toBeLessThan(0.5);
    expect(found?.error_humidity_pct).toBeLessThan(8);
  });

  it('leaves a house alone that is as drawn, and begins anew after a gap', () => {
    const steps = past(2, { loss_factor: 1, sun_factor: 1 }).map((one, index) => (index % 50 === 7 ? null : one));
    const found = calibrated(simulatedHouse, { step_s, steps, dry_matter_kg_m2 });
    expect(found?.days).toBe(2);
    expect(Math.abs((found?.loss_factor ?? 0) - 1)).toBeLessThan(0.15);
    expect(found?.error_k).toBeLessThan(0.5);
  });

  it('says nothing where too little was measured', () => {
    const steps = past(2).map((one, index) => (index > perDay && index % 2 === 0 ? null : one));
    expect(calibrated(simulatedHouse, { step_s, steps, dry_matter_kg_m2 })).toBeNull();
    expect(calibrated(simulatedHouse, { step_s, steps: [], dry_matter_kg_m2 })).toBeNull();
  });
});
