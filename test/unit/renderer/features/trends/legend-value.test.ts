// @vitest-environment happy-dom
import { createPinia } from 'pinia';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createApp, ref } from 'vue';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import LegendValue from '../../../../../renderer/features/trends/LegendValue.vue';
import { useDrawnLines } from '../../../../../renderer/features/trends/use-drawn-lines.ts';
import { mounted } from '../../ui/mounted.ts';

const nowMs = Date.UTC(2026, 5, 1, 12);
const hourMs = 3_600_000;

beforeEach(() => void vi.useFakeTimers({ now: nowMs }));
afterEach(() => void vi.useRealTimers());

/** The legend's value of a probe that is read every five minutes, last at this time, in a chart of these hours. */
function shown({ last_ms, hours, at_ms = null }: { last_ms: number; hours: number; at_ms?: number | null }) {
  const air = { device_id: 'box', measurement_id: 'air', unit: 'C' };
  const words = { house: '', device: 'Box', name: 'Air', measurement: 'temperature', measured: 'Temperature' };
  const app = createApp({})
    .use(createPinia())
    .provide(clientKey, new ApiClient(() => Promise.reject(new Error('nothing is asked for'))));
  const { rows } = app.runWithContext(() =>
    useDrawnLines({
      trends: ref([{ ...air, times: [last_ms], values: [21.3] }]),
      chosen: ref(['box/air']),
      channels: ref([{ ...air, ...words, key: 'box/air', stale_after_s: 900 }]),
      span: ref({ from_ms: nowMs - hours * hourMs, to_ms: nowMs }),
      at_ms: ref(at_ms),
    }),
  );
  return mounted(LegendValue, { props: { row: rows.value[0] } });
}

it('says since when the newest value of a silent probe stands, and greys it', () => {
  const value = shown({ last_ms: nowMs - 3 * hourMs, hours: 24 });
  expect(value.text()).toContain('21.3');
  expect(value.text()).toContain('09:00');
  expect(value.classes()).toContain('value--old');
});

it.each([
  ['a reading younger than the probe promises', { last_ms: nowMs - 840_000, hours: 1 }],
  ['the day under way, which has the time of its begin', { last_ms: nowMs - 12 * hourMs, hours: 24 * 365 }],
  ['what the pointer is at', { last_ms: nowMs - 3 * hourMs, hours: 24, at_ms: nowMs - 3 * hourMs }],
])('gives no time to %s', (_, given) => {
  expect(shown(given).text()).toBe('21.3\u202f°C');
});

it('becomes old while nobody touches it', async () => {
  const value = shown({ last_ms: nowMs - 890_000, hours: 1 });
  expect(value.classes()).not.toContain('value--old');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(value.classes()).toContain('value--old');
});
