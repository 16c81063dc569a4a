import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weatherAt, type Weather } from '../../../../server/domain/climate/weather.ts';

const seoul = { lat: 37.57, lng: 126.98 };
const hour_ms = 3_600_000;
const at = (iso: string) => weatherAt(seoul.lat, Date.parse(iso), seoul.lng);
const mean = (from: string, hours: number, of: (weather: Weather) => number, lat = seoul.lat) => {
  const start = Date.parse(from);
  let sum = 0;
  for (let hour = 0; hour < hours; hour += 1) sum += of(weatherAt(lat, start + hour * hour_ms, seoul.lng));
  return sum / hours;
};
const month_h = 720;

describe('weatherAt', () => {
  it('has the sun by day only, at local solar time', () => {
    expect(at('2026-06-20T15:30Z').radiation_w_m2).toBe(0);
    expect(at('2026-06-20T03:30Z').radiation_w_m2).toBeGreaterThan(200);
    expect(weatherAt(seoul.lat, Date.parse('2026-06-20T15:30Z'), seoul.lng - 180).radiation_w_m2).toBeGreaterThan(200);
  });

  it('is brighter and warmer in June than in December in the north, the reverse in the south', () => {
    for (const of of [(weather: Weather) => weather.temp_c, (weather: Weather) => weather.radiation_w_m2]) {
      expect(mean('2026-06-10T00:00Z', month_h, of)).toBeGreaterThan(mean('2026-12-10T00:00Z', month_h, of));
      expect(mean('2026-06-10T00:00Z', month_h, of, -37)).toBeLessThan(mean('2026-12-10T00:00Z', month_h, of, -37));
    }
  });

  it('comes near the means of Seoul: January -2 C, July 25.5 C, within 3 K (Korea Meteorological Administration)', () => {
    const temp = (weather: Weather) => weather.temp_c;
    expect(Math.abs(mean('2026-01-01T00:00Z', 744, temp) + 2)).toBeLessThan(3);
    expect(Math.abs(mean('2026-07-01T00:00Z', 744, temp) - 25.5)).toBeLessThan(3);
  });

  it('is warmer at three in the afternoon than before dawn', () => {
    for (let day = 1; day <= 28; day += 1) {
      const date = `2026-04-${String(day).padStart(2, '0')}`;
      expect(at(`${date}T06:30Z`).temp_c).toBeGreaterThan(at(`${date}T20:30Z`).temp_c);
    }
  });

  const moments = fc.record({
    lat: fc.integer({ min: -89, max: 89 }),
    lng: fc.integer({ min: -180, max: 180 }),
    epoch_ms: fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) }),
  });

  it('stays in range everywhere, and is the same whenever it is asked', () => {
    fc.assert(
      fc.property(moments, ({ lat, lng, epoch_ms }) => {
        const found = weatherAt(lat, epoch_ms, lng);
        expect(found).toEqual(weatherAt(lat, epoch_ms, lng));
        const within = (value: number, low: number, high: number) => {
          expect(value).toBeGreaterThanOrEqual(low);
          expect(value).toBeLessThanOrEqual(high);
        };
        within(found.temp_c, -45, 45);
        within(found.humidity_pct, 15, 100);
        within(found.co2_ppm, 400, 450);
        within(found.radiation_w_m2, 0, 1100);
        within(found.wind_m_s, 0, 8);
        within(found.wind_dir_deg, 0, 360);
        within(found.rain_mm_h, 0, 5);
      }),
    );
  });

  it('moves little from one second to the next', () => {
    fc.assert(
      fc.property(moments, ({ lat, lng, epoch_ms }) => {
        const now = weatherAt(lat, epoch_ms, lng);
        const next = weatherAt(lat, epoch_ms + 1000, lng);
        expect(Math.abs(next.temp_c - now.temp_c)).toBeLessThan(0.01);
        expect(Math.abs(next.radiation_w_m2 - now.radiation_w_m2)).toBeLessThan(1);
        expect(Math.abs(next.wind_m_s - now.wind_m_s)).toBeLessThan(0.01);
        const turned = Math.abs(next.wind_dir_deg - now.wind_dir_deg);
        expect(Math.min(turned, 360 - turned)).toBeLessThan(0.1);
      }),
    );
  });
});
