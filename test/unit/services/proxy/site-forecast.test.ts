import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../../../server/contract/errors.ts';
import { forecastWeather, SiteForecast } from '../../../../server/services/proxy/site-forecast.ts';

const askedMs = Date.UTC(2026, 2, 1, 6);
const at = (hour: number) => Date.UTC(2026, 2, 1) + hour * 3_600_000;
const answer = {
  latitude: 37,
  longitude: 127,
  hourly: {
    time: ['2026-03-01T00:00', '2026-03-01T01:00', '2026-03-01T02:00'],
    temperature_2m: [4, 6, null],
    wind_speed_10m: [36, 18, 18],
    shortwave_radiation: [0, 100, 200],
  },
};

describe('the weather of a forecast', () => {
  const found = forecastWeather(answer, askedMs);

  it('is straight between its hours, with the sun of the hour that ends', () => {
    expect(found?.at(at(0.5))).toEqual({ temp_c: 5, wind_m_s: 7.5, radiation_w_m2: 100 });
    expect(found?.at(at(1))).toEqual({ temp_c: 6, wind_m_s: 5, radiation_w_m2: 100 });
    expect([found?.asked_at_ms, found?.until_ms]).toEqual([askedMs, at(2)]);
  });

  it.each([
    ['before its first hour', -0.5],
    ['after its last', 2.5],
    ['where it says nothing of the temperature', 1.5],
  ])('is unknown %s', (_where, hour) => {
    expect(found?.at(at(hour))).toBeNull();
  });

  it('is none without hours', () => {
    expect(forecastWeather({ latitude: 37, longitude: 127 }, askedMs)).toBeNull();
  });
});

describe('the forecast of the site', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const relayed = (age_s: number) => ({
    body: Buffer.from(JSON.stringify(answer)),
    type: 'application/json',
    etag: '"1"',
    stored_at_ms: askedMs,
    age_s,
    fresh_s: 0,
    source: 'kept' as const,
  });
  const read = async (forecast: () => Promise<ReturnType<typeof relayed>>, enabled = true) => {
    const asking = vi.fn(forecast);
    const settings = () => ({ lat: 37, lng: 127, providers: { openmeteo: { enabled } } });
    const reading = new SiteForecast({ proxies: { forecast: asking }, settings, clock: () => askedMs }).read();
    await vi.advanceTimersByTimeAsync(2_000);
    return { found: await reading, asked: asking.mock.calls.length };
  };

  it('is read with its age', async () => {
    const { found } = await read(async () => relayed(600));
    expect(found?.asked_at_ms).toBe(askedMs - 600_000);
  });

  it.each([
    ['switched off', async () => relayed(0), false, 0],
    ['refused', () => Promise.reject(new Refusal('provider_unreachable', 'no way out')), true, 1],
    ['not there after two seconds', () => new Promise<never>(() => undefined), true, 1],
    ['older than half a day', async () => relayed(50_000), true, 1],
  ])('is none while it is %s', async (_how, forecast, enabled, asked) => {
    expect(await read(forecast, enabled)).toEqual({ found: null, asked });
  });
});
