import { describe, expect, it } from 'vitest';
import { expectedFrom } from '../../../../../renderer/features/house/forecast.ts';

const start = Date.parse('2026-03-01T00:00:00Z');
const hour = 3_600_000;
const times = Array.from({ length: 96 }, (_, index) => new Date(start + index * hour).toISOString().slice(0, 16));
const of = (value: (index: number) => number | null) => times.map((_, index) => value(index));

describe('the weather that is expected', () => {
  const hourly = {
    time: times,
    temperature_2m: of((index) => index),
    precipitation: of(() => 0.5),
    wind_speed_10m: of((index) => (index % 3) * 18),
    shortwave_radiation: of((index) => (index === 4 ? null : 300)),
  };
  const answer = { latitude: 37, longitude: 127, hourly };

  it('is told from this hour on, by three hours: means, sums and the strongest wind', () => {
    const steps = expectedFrom(answer, start + 3.5 * hour);
    expect(steps[0]).toEqual({ at_ms: start + 3 * hour, temp_c: 4, rain_mm: 1.5, wind_m_s: 10, radiation_w_m2: 300 });
    expect([steps.length, steps[1]?.at_ms]).toEqual([16, start + 6 * hour]);
  });

  it('ends where the forecast does', () => {
    expect(expectedFrom(answer, start + 91 * hour)).toHaveLength(1);
    expect(expectedFrom(answer, start + 200 * hour)).toEqual([]);
    expect(expectedFrom({ latitude: 37, longitude: 127 }, start)).toEqual([]);
  });

  it('has nothing where the model says nothing', () => {
    const [step] = expectedFrom({ ...answer, hourly: { time: times, temperature_2m: of(() => null) } }, start);
    expect(step).toEqual({ at_ms: start, temp_c: null, rain_mm: null, wind_m_s: null, radiation_w_m2: null });
  });
});
