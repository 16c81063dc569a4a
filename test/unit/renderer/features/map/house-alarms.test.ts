// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, shallowRef } from 'vue';
import type { RuntimeLevel } from '../../../../../server/contract/facility-live.ts';
import { useHouseAlarms } from '../../../../../renderer/features/map/use-house-alarms.ts';
import type { HouseAlarm } from '../../../../../renderer/map/look.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { mounted } from '../../ui/mounted.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const houses = ['tomatoes', 'peppers'].map((unique_id) => ({ unique_id, shape_uuid: `shape of ${unique_id}` }));

/** A map with two houses, on a server that knows their levels. */
async function openMap(levels: Record<string, RuntimeLevel>) {
  const drawn: (readonly (readonly [string, HouseAlarm])[])[] = [];
  const map = { setAlarms: (alarms: ReadonlyMap<string, HouseAlarm>) => void drawn.push([...alarms]) };
  const page = defineComponent(() => {
    useHouseAlarms(shallowRef(map), shallowRef(houses));
    return () => null;
  });
  mounted(page, {
    fetch: (address) => {
      const id = houses.find(({ unique_id }) => typeof address === 'string' && address.includes(unique_id))?.unique_id;
      return Promise.resolve(Response.json({ facility_uuid: id, level: levels[id ?? ''] }));
    },
  });
  const live = useLive();
  live.stream = 'open';
  await flushPromises();
  return { drawn, live };
}

it('colours the houses by the level that their cards show, whatever is behind it', async () => {
  const { drawn } = await openMap({ tomatoes: 'emergency', peppers: 'active' });
  expect(drawn.at(-1)).toEqual([['shape of tomatoes', 'emergency']]);
});

it('colours nothing once the connection is lost', async () => {
  const { drawn, live } = await openMap({ tomatoes: 'warning', peppers: 'warning' });
  expect(drawn.at(-1)?.length).toBe(2);
  live.stream = 'lost';
  await flushPromises();
  expect(drawn.at(-1)).toEqual([]);
});

it('follows the alarms as soon as one is raised', async () => {
  const levels: Record<string, RuntimeLevel> = { tomatoes: 'idle', peppers: 'idle' };
  const { drawn, live } = await openMap(levels);
  levels['peppers'] = 'warning';
  await live.takeAlarms(Promise.resolve([{ alarm_id: 'a', state: 'unacknowledged' } as never]), (listed) => listed);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(drawn.at(-1)).toEqual([['shape of peppers', 'warning']]);
});
