// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent } from 'vue';
import type { Feature } from '../../../../../server/contract/overlay.ts';
import { usePlacedDevices } from '../../../../../renderer/features/map/use-placed-devices.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { mounted } from '../../ui/mounted.ts';

const nowMs = Date.UTC(2026, 5, 1, 12);
beforeEach(() => void vi.useFakeTimers({ now: nowMs }));
afterEach(() => void vi.useRealTimers());

/** The mark of a probe that is read every five minutes, last so long ago. */
async function markOf(age_s: number) {
  const time = new Date(nowMs - age_s * 1000).toISOString();
  const last = { value: 21, quality: 'good', time };
  const channel = { channel: 0, measurement_id: 'air', name: 'Air', unit: 'C', measurement: 'temperature', last };
  const probe = { unique_id: 'probe', name: 'Probe', kind: 'input', stale_after_s: 900, channels: [channel] };
  const used: ReturnType<typeof usePlacedDevices>[] = [];
  const page = defineComponent(() => {
    used.push(usePlacedDevices(() => undefined));
    return () => null;
  });
  mounted(page, { fetch: () => Promise.resolve(Response.json({ devices: [probe] })) });
  const live = useLive();
  live.stream = 'open';
  await live.reload();
  await flushPromises();
  const placed = { properties: { device_id: 'probe' } } as Feature; // what is asked of one
  return used[0]?.describeDevice(placed);
}

it('is old only once its sensor, which is read every five minutes, has been silent for three times that', async () => {
  expect(await markOf(290)).toMatchObject({ value: '21.0\u202f°C', stale: '' });
  expect(await markOf(880)).toMatchObject({ stale: '' });
  expect(await markOf(920)).toMatchObject({ value: '21.0\u202f°C', stale: 'The value is old.' });
});
