import { describe, expect, it } from 'vitest';
import { functionSettings, type FunctionSettings } from '../../../../../server/contract/function.ts';
import { functionDryRun } from '../../../../../server/domain/control/dry-runs/function.ts';
import type { StoredSeries } from '../../../../../server/domain/control/dry-runs/stored.ts';
import { explained } from '../../../../../server/domain/control/reason-text.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const place = { lat: 40.4, lng: -3.7, time_zone: 'Europe/Madrid' };
const series = (n: number) => ({ device_id: id(n), measurement_id: id(n + 1), max_age_s: 90 });
const output = { output_id: id(20) };
const minute = 60_000;

/** One reading a minute. */
function readings(unit: string, ...values: number[]): StoredSeries {
  const samples = { times: Float64Array.from(values, (_, at) => at * minute), values: Float64Array.from(values) };
  return { samples, unit };
}

function tried(given: object, stored: StoredSeries[], looks: number, more = {}) {
  const settings: FunctionSettings = functionSettings.parse({
    unique_id: id(1),
    name: 'F',
    is_activated: true,
    ...given,
  });
  const limits = { mostListed: 100, mostDrawn: 289 };
  return functionDryRun({ settings, stored, channels: [], place, from_ms: 0, looks, ...limits, ...more });
}

const guard = {
  kind: 'bang_bang',
  options: { period_s: 60, measurement: series(2), output, direction: 'raise', setpoint: 5, hysteresis: 1 },
};

describe('a function over stored days', () => {
  it('says when it would have switched its output, by which numbers, and how it ends', async () => {
    const found = await tried(guard, [readings('C', 6, 3, 4.5, 7, 5, 3)], 6);
    expect(found.runs.map(({ at_ms, value }) => [at_ms / minute, value])).toEqual([
      [1, true],
      [3, false],
      [5, true],
    ]);
    expect(explained(found.runs[0]?.reason ?? expect.fail()).because).toContain('3\u202f°C');
    expect(found.last).toMatchObject({ value: 3, unit: 'C', is_on: true });
    expect(found.values).toEqual([6, 3, 4.5, 7, 5, 3]);
  });

  it('counts the looks at which something was missing, and begins anew after them', async () => {
    const found = await tried(guard, [readings('C', 3, 3)], 6);
    expect(found.missing_count).toBe(3);
    expect(found.values).toEqual([3, 3, 3, null, null, null]);
    expect(found.run_count).toBe(1);
  });

  it('works out what it derives, drawn thinner where it looks often', async () => {
    const average = { kind: 'average', options: { period_s: 1, measurements: [series(2), series(4)] } };
    const found = await tried(average, [readings('C', 10, 20), readings('C', 20, 20)], 90, { mostDrawn: 3 });
    expect(found.times).toEqual([0, 30_000, 60_000]);
    expect(found.values).toEqual([15, 15, 20]);
  });

  it('doses within its mixing time, and stops where the stored reading does not react', async () => {
    const dosing = {
      kind: 'dosing',
      options: {
        period_s: 60,
        measurement: series(2),
        target: 6,
        tolerance: 0.2,
        mixing_s: 300,
        lock_s: 600,
        lower_output: output,
        lower_ml: 5,
        daily_ml: 100,
        least_reaction: 0.05,
        doses_to_react: 2,
      },
    };
    const found = await tried(dosing, [readings('pH', ...Array<number>(60).fill(7))], 60);
    expect(found.runs.map(({ value }) => value)).toEqual(found.runs.map(() => 5));
    const gaps = found.runs.slice(1).map(({ at_ms }, at) => at_ms - (found.runs[at]?.at_ms ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(300_000);
    expect(found.run_count).toBeLessThan(5);
  });
});
