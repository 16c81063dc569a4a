// @vitest-environment happy-dom
import { createPinia } from 'pinia';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createApp, effectScope, ref } from 'vue';
import type { Span } from '../../../../../renderer/chart/night.ts';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { useDegreeHours } from '../../../../../renderer/features/trends/use-degree-hours.ts';

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 5, 1, 12);
const spring: Span = { from_ms: nowMs - 120 * dayMs, to_ms: nowMs };

beforeEach(() => void vi.useFakeTimers({ now: nowMs }));
afterEach(() => void vi.useRealTimers());

/** A server that counted 480 K h in the half of the time that it has readings of. */
function setUp(first: Span, laterMs: readonly number[] = [0]) {
  const asked: URLSearchParams[] = [];
  const failing = { from: '' };
  const client = new ApiClient((address) => {
    const { searchParams } = new URL(typeof address === 'string' ? address : '', 'http://orangery.test');
    asked.push(searchParams);
    if (searchParams.get('from') === failing.from) return Promise.resolve(Response.json({}, { status: 500 }));
    const length_s = (Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')) / 1000;
    const sums = { degree_hours: 480, degree_days: 20, covered_s: length_s / 2 };
    return Promise.resolve(Response.json({ time_zone: 'UTC', ...sums, days: [] }));
  });
  const app = createApp({}).use(createPinia()).provide(clientKey, client);
  const span = ref(first);
  const base_c = ref(10);
  const lines = laterMs.map((later_ms, at) => ({
    row: `row ${at}`,
    device_id: 'box',
    measurement_id: 'air',
    later_ms,
  }));
  const used = app.runWithContext(() =>
    effectScope().run(() => useDegreeHours(() => ({ lines, span: span.value, base_c: base_c.value }))),
  );
  if (used === undefined) throw new Error('no scope');
  return { used, asked, failing, span, base_c };
}

it('takes them from all that was measured, not from the means that are drawn, with the share measured', async () => {
  const { used, asked } = setUp(spring);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(Object.fromEntries(asked[0] ?? [])).toEqual({
    device_id: 'box',
    measurement_id: 'air',
    from: new Date(spring.from_ms).toISOString(),
    to: new Date(spring.to_ms).toISOString(),
    base_c: '10',
  });
  expect(used.sums.value).toEqual(new Map([['row 0', { value: 480, unit: 'K h', covered: 0.5 }]]));
});

it('counts an earlier time where it was measured, not where it is drawn', async () => {
  const { asked } = setUp(spring, [0, 365 * dayMs]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.map((query) => query.get('from'))).toEqual([
    new Date(spring.from_ms).toISOString(),
    new Date(spring.from_ms - 365 * dayMs).toISOString(),
  ]);
});

it('asks anew for another base or span, and not at every step of a span that moves with time', async () => {
  const { asked, span, base_c } = setUp(spring);
  await vi.advanceTimersByTimeAsync(1_000);
  span.value = { from_ms: spring.from_ms + 5_000, to_ms: spring.to_ms + 5_000 };
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.length).toBe(1);
  base_c.value = 12;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.at(-1)?.get('base_c')).toBe('12');
  span.value = { from_ms: nowMs - 7 * dayMs, to_ms: nowMs };
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.at(-1)?.get('from')).toBe(new Date(nowMs - 7 * dayMs).toISOString());
});

it('counts up to now where the forecast is drawn, and asks nothing of the future', async () => {
  const { asked } = setUp({ from_ms: nowMs - dayMs, to_ms: nowMs + dayMs });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(Date.parse(asked[0]?.get('to') ?? '')).toBeLessThan(nowMs + 10_000);
  const { asked: none } = setUp({ from_ms: nowMs + dayMs, to_ms: nowMs + 2 * dayMs });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(none).toEqual([]);
});

it('keeps the sums of the other rows when one cannot be read, and takes the fault away once it can', async () => {
  const { used, failing } = setUp(spring, [0, 365 * dayMs]);
  failing.from = new Date(spring.from_ms).toISOString();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([...used.sums.value.keys()]).toEqual(['row 1']);
  expect(used.error.value).toMatchObject({ status: 500 });
  failing.from = '';
  await used.load();
  expect([...used.sums.value.keys()]).toEqual(['row 0', 'row 1']);
  expect(used.error.value).toBeNull();
});

it('shows no sum of another span or base, not even until the next is read', async () => {
  const { used, span, base_c } = setUp(spring);
  await vi.advanceTimersByTimeAsync(1_000);
  span.value = { from_ms: spring.from_ms + 5_000, to_ms: spring.to_ms + 5_000 };
  expect(used.sums.value.size).toBe(1); // it only moves with time
  base_c.value = 12;
  expect(used.sums.value.size).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(used.sums.value.size).toBe(1);
  span.value = { from_ms: nowMs - 7 * dayMs, to_ms: nowMs };
  expect(used.sums.value.size).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(used.sums.value.size).toBe(1);
});
