import { describe, expect, it } from 'vitest';
import { forecastSeries } from '../../../../../renderer/features/trends/forecast-lines.ts';

const [start, hour] = [Date.parse('2026-03-01T00:00:00Z'), 3_600_000];
const times = Array.from({ length: 6 }, (_, index) => new Date(start + index * hour).toISOString().slice(0, 16));
const answer = {
  latitude: 37,
  longitude: 127,
  hourly: {
    time: times,
    temperature_2m: [0, 1, 2, 3, null, 5],
    wind_speed_10m: [0, 18, 36, 54, 72, 90],
    precipitation: [0, 0, 1, 2, 3, 4],
    shortwave_radiation: Array(6).fill(null),
  },
};

describe('the forecast of what is measured', () => {
  it.each([
    ['temperature', 'temperature_2m', [2, 3, 4, 5], [2, 3, null, 5]],
    ['wind_speed', 'wind_speed_10m', [2, 3, 4, 5], [10, 15, 20, 25]], // m/s
    ['rain', 'precipitation', [2.5, 3.5, 4.5], [2, 3, 4]], // of the hour before
  ])('of %s comes from now on, in its unit', (measurement, variable, hours, values) => {
    expect(forecastSeries(answer, measurement, start + 2.5 * hour)).toEqual({
      variable,
      values,
      times: hours.map((at) => start + at * hour),
    });
  });

  it.each(['radiation', 'humidity', 'co2', 'toString', undefined])('is none of %s, of which it says nothing', (one) => {
    expect(forecastSeries(answer, one, start)).toBeNull();
  });

  it('is none once it is over', () => {
    expect(forecastSeries(answer, 'temperature', start + 9 * hour)).toBeNull();
    expect(forecastSeries({ latitude: 37, longitude: 127 }, 'temperature', start)).toBeNull();
  });
});
