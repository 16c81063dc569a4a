import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weatherAt, type Weather } from '../../../../server/domain/climate/weather.ts';

const seoul = { lat: 37.57, lng: 126.98 };
const hourMs = 3_600_000;
const at = (iso: string) => weatherAt(seoul.lat, Date.parse(iso), seoul.lng);
const mean = (from: string, hours: number, of: (weather: Weather) => number, lat = seoul.lat) => {
  const start = Date.parse(from);
  let sum = 0;
  for (let hour = 0; hour < hours; hour += 1) sum += of(weatherAt(lat, start + hour * hourMs, seoul.lng));
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

  it.each([
    { place: 'Naaldwijk', lat: 51.99, lng: 4.21, month: '01', mean_c: 3.6 },
    { place: 'Naaldwijk', lat: 51.99, lng: 4.21, month: '11', mean_c: 7 },
    { place: 'Almeria', lat: 36.84, lng: -2.4, month: '11', mean_c: 16 },
    { place: 'Singapore', lat: 1.35, lng: 103.82, month: '11', mean_c: 27.2 },
    { place: 'Abu Dhabi', lat: 24.45, lng: 54.4, month: '08', mean_c: 35.9 },
    { place: 'Moscow', lat: 55.75, lng: 37.6, month: '01', mean_c: -9.3 },
    { place: 'Seoul', lat: 37.57, lng: 126.98, month: '01', mean_c: -2.4 },
    { place: 'Chicago', lat: 41.9, lng: -87.7, month: '07', mean_c: 23.5 },
  ])('follows the normals: $place in month $month is $mean_c C, within 1.6 K', ({ lat, lng, month, mean_c }) => {
    const start = Date.parse(`2026-${month}-01T00:00Z`);
    let sum = 0;
    for (let hour = 0; hour < month_h; hour += 1) sum += weatherAt(lat, start + hour * hourMs, lng).temp_c;
    expect(Math.abs(sum / month_h - mean_c)).toBeLessThan(1.6);
  });

  it('has the daily range of the place: 5 K in De Bilt in January, 14 K in Abu Dhabi in April, within a third', () => {
    const meanRange = (lat: number, lng: number, from: string) => {
      let sum = 0;
      for (let day = 0; day < 30; day += 1) {
        const temps = Array.from(
          { length: 24 },
          (_, hour) => weatherAt(lat, Date.parse(from) + (day * 24 + hour) * hourMs, lng).temp_c,
        );
        sum += Math.max(...temps) - Math.min(...temps);
      }
      return sum / 30;
    };
    const deBilt = meanRange(52.1, 5.18, '2026-01-01T00:00Z');
    expect(deBilt).toBeGreaterThan(3.5);
    expect(deBilt).toBeLessThan(7);
    const abuDhabi = meanRange(24.43, 54.65, '2026-04-01T00:00Z');
    expect(abuDhabi).toBeGreaterThan(10);
    expect(abuDhabi).toBeLessThan(18);
  });

  it.each([
    // Monthly means of the typical year at O'Hare (NREL TMY3).
    { place: 'Chicago', lat: 41.98, lng: -87.92, month: '01', kwh_m2: 1.76 },
    { place: 'Chicago', lat: 41.98, lng: -87.92, month: '04', kwh_m2: 4.39 },
    { place: 'Chicago', lat: 41.98, lng: -87.92, month: '06', kwh_m2: 6.29 },
    { place: 'Chicago', lat: 41.98, lng: -87.92, month: '07', kwh_m2: 6.18 },
    { place: 'Chicago', lat: 41.98, lng: -87.92, month: '09', kwh_m2: 4.19 },
    { place: 'Chicago', lat: 41.98, lng: -87.92, month: '12', kwh_m2: 1.5 },
  ])('has the sun of the place: $place in month $month $kwh_m2 kWh/m2 a day, within 10 %', (one) => {
    const start = Date.parse(`2026-${one.month}-01T06:00Z`);
    let sum = 0;
    for (let hour = 0; hour < month_h; hour += 1)
      sum += weatherAt(one.lat, start + hour * hourMs, one.lng).radiation_w_m2 / 1000;
    expect(Math.abs(sum / 30 / one.kwh_m2 - 1)).toBeLessThan(0.1);
  });

  it('has a year of wind as over land: 3.28 m/s on average, calm for hours and above 10 m/s on some days', () => {
    const start = Date.UTC(2026, 0, 1);
    const winds = Array.from(
      { length: 8760 },
      (_, hour) => weatherAt(seoul.lat, start + hour * hourMs, seoul.lng).wind_m_s,
    );
    expect(winds.reduce((sum, one) => sum + one, 0) / winds.length).toBeCloseTo(3.28, 0);
    const hoursOf = (is: (wind_m_s: number) => boolean) => winds.filter(is).length;
    expect(hoursOf((one) => one < 0.5)).toBeGreaterThan(24);
    expect(hoursOf((one) => one > 10)).toBeGreaterThan(6);
    expect(hoursOf((one) => one > 10)).toBeLessThan(200);
  });

  it('rains 300 to 1200 mm a year in the middle latitudes, in a quarter of the hours at most', () => {
    for (const { lat, lng } of [seoul, { lat: 41.98, lng: -87.92 }, { lat: 52.1, lng: 5.18 }]) {
      const start = Date.UTC(2026, 0, 1);
      const rain = Array.from({ length: 8760 }, (_, hour) => weatherAt(lat, start + hour * hourMs, lng).rain_mm_h);
      const year_mm = rain.reduce((sum, one) => sum + one, 0);
      expect(year_mm).toBeGreaterThan(300);
      expect(year_mm).toBeLessThan(1200);
      expect(rain.filter((one) => one > 0).length / rain.length).toBeLessThan(0.25);
    }
  });

  it('is 6.5 K cooler a kilometre higher', () => {
    const epochMs = Date.parse('2026-05-01T12:00Z');
    const low = weatherAt(1.35, epochMs, 103.82, 16).temp_c;
    expect(low - weatherAt(1.35, epochMs, 103.82, 1016).temp_c).toBeCloseTo(6.5, 9);
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
        within(found.temp_c, -45, 50);
        within(found.humidity_pct, 15, 100);
        within(found.co2_ppm, 400, 450);
        within(found.radiation_w_m2, 0, 1100);
        within(found.wind_m_s, 0, 16);
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
