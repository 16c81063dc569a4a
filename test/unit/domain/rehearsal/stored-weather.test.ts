import { describe, expect, it } from 'vitest';
import { weatherAt } from '../../../../server/domain/climate/weather.ts';
import { midnightsOf } from '../../../../server/domain/rehearsal/days.ts';
import { storedWeather, type StoredQuarters } from '../../../../server/domain/rehearsal/stored-weather.ts';

const from_ms = Date.UTC(2026, 3, 10);
const place = { lat: 52, lng: 5 };
const [hour, day] = [4, 96];
const hourMs = 3_600_000;

/** Three days of 10 degrees and 200 W/m2, with what the test changes. */
function stored(changes: Partial<StoredQuarters> = {}): StoredQuarters {
  const all = (value: number) => Array.from({ length: 3 * day }, () => value);
  return {
    midnights_ms: midnightsOf('2026-04-10', 3, 'UTC'),
    step_s: 900,
    temp_c: all(10),
    radiation_w_m2: all(200),
    humidity_pct: all(70),
    wind_m_s: all(4),
    wind_dir_deg: all(350),
    ...changes,
  };
}

/** 10 degrees until a silence of so many quarters in the middle of the second day, 14 degrees after it. */
function silent(quarters: number): (number | null)[] {
  const noon = day + 12 * hour;
  return Array.from({ length: 3 * day }, (_, index) => (index < noon ? 10 : index < noon + quarters ? null : 14));
}

describe('the weather of stored days', () => {
  it('is what was measured', () => {
    const { at, left_out, bridged_h, typical } = storedWeather(stored(), place);
    expect([[...left_out], bridged_h, typical]).toEqual([[], 0, []]);
    expect(at(from_ms + 30 * hourMs)).toEqual({
      temp_c: 10,
      radiation_w_m2: 200,
      humidity_pct: 70,
      wind_m_s: 4,
      wind_dir_deg: 350,
      co2_ppm: 422.8,
      rain_mm_h: 0,
    });
  });

  it.each([
    [1, [], 0.25],
    [4, [], 1],
    [5, [1], 0],
    [40, [1], 0],
  ])('bridges %i silent quarters, or leaves their day out', (quarters, left, bridged) => {
    const found = storedWeather(stored({ temp_c: silent(quarters) }), place);
    expect([[...found.left_out], found.bridged_h]).toEqual([left, bridged]);
    const noon = from_ms + 36 * hourMs;
    if (left.length === 0) expect(found.at(noon + (quarters / 8) * hourMs).temp_c).toBeCloseTo(12, 6);
  });

  it('leaves out both days of a silence over midnight, and the end of one that has not come yet', () => {
    const overMidnight = Array.from({ length: 3 * day }, (_, index) => (Math.abs(index - day) < 6 ? null : 200));
    expect([...storedWeather(stored({ radiation_w_m2: overMidnight }), place).left_out]).toEqual([0, 1]);
    const ends = Array.from({ length: 3 * day }, (_, index) => (index > 3 * day - 3 ? null : 10));
    expect([...storedWeather(stored({ temp_c: ends }), place).left_out]).toEqual([2]);
  });

  it('counts the quarters of a day on which clocks change to that day', () => {
    const midnights_ms = midnightsOf('2026-10-24', 3, 'Europe/Amsterdam');
    const quarters = Array.from({ length: 3 * day + hour }, (): number | null => 10);
    // The last hour of the Sunday with 25.
    quarters.fill(null, 2 * day, 2 * day + hour);
    const bare = { humidity_pct: null, wind_m_s: null, wind_dir_deg: null };
    const found = storedWeather(
      { midnights_ms, step_s: 900, temp_c: quarters, radiation_w_m2: quarters, ...bare },
      place,
    );
    expect([[...found.left_out], found.bridged_h]).toEqual([[], 1]);
    quarters.fill(null, 2 * day - 1, 2 * day);
    const long = storedWeather(
      { midnights_ms, step_s: 900, temp_c: quarters, radiation_w_m2: quarters, ...bare },
      place,
    );
    expect([...long.left_out]).toEqual([1]);
    expect(long.typical[0]?.hours).toBe(48);
  });

  it('has typical humidity and wind where these were not measured, and tells how long', () => {
    const half = Array.from({ length: 3 * day }, (_, index) => (index < day / 2 ? null : 4));
    const { at, typical } = storedWeather(stored({ humidity_pct: null, wind_m_s: half }), place);
    expect(typical).toEqual([
      { what: 'humidity_pct', hours: 72 },
      { what: 'wind_m_s', hours: 12 },
    ]);
    const morning = from_ms + 3 * hourMs;
    const { humidity_pct, wind_m_s } = weatherAt(52, morning, 5);
    expect(at(morning)).toMatchObject({ humidity_pct, wind_m_s, temp_c: 10 });
  });

  it('begins as if the day before had been like the first one', () => {
    const rising = Array.from({ length: 3 * day }, (_, index) => index / hour);
    const { at } = storedWeather(stored({ temp_c: rising }), place);
    expect(at(from_ms - 12 * hourMs).temp_c).toBe(at(from_ms + 12 * hourMs).temp_c);
  });
});
