// @vitest-environment happy-dom
import type { Pinia } from 'pinia';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, nextTick } from 'vue';
import { useHouseLevels } from '../../../../../renderer/features/house/use-house-levels.ts';
import { useRuntime } from '../../../../../renderer/features/house/use-runtime.ts';
import { useFacilities } from '../../../../../renderer/stores/facility.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import type { Facility } from '../../../../../server/contract/facility.ts';
import { mounted } from '../../ui/mounted.ts';
import { eventually } from '../../../../support/eventually.ts';

const house = { unique_id: 'house', sensors: [], actuators: [] } as unknown as Facility; // all that is read of it
const of = { severity: 'emergency', source_kind: 'input', source_id: 'probe', raised_at: '2026-03-01T06:00:00.000Z' };

/** Of the page. */
let pinia: Pinia;
let asked: string[];
/** Answers that are under way, in the order in which they were asked for. */
let underWay: ((level: string) => void)[];

beforeEach(() => {
  [asked, underWay] = [[], []];
});
afterEach(() => vi.useRealTimers());

/** A page of one house, and what it uses. */
function open<Used>(use: () => Used): Used {
  const used: Used[] = [];
  const page = defineComponent(() => {
    useFacilities().list = [house];
    used.push(use());
    return () => null;
  });
  const fetch = (address: string | URL | Request): Promise<Response> => {
    asked.push(address as string);
    if (!(address as string).endsWith('/runtime')) return Promise.resolve(Response.json(house));
    return new Promise((resolve) =>
      underWay.push((level) => resolve(Response.json({ level, actuators: [], sensors: [] }))),
    );
  };
  pinia = mounted(page, { fetch }).vm.$pinia;
  return used[0] as Used; // it was set up
}

const areAsked = (n: number): Promise<unknown> => eventually(() => expect(underWay).toHaveLength(n));

async function raise(alarm_id: string): Promise<void> {
  const live = useLive(pinia);
  const alarm = { ...of, alarm_id, state: 'unacknowledged' } as (typeof live.alarms)[number];
  await live.takeAlarms(Promise.resolve(alarm), (one) => [one]);
  await nextTick();
}

it('reads the levels of the houses again with an alarm, and in a flood of them every two seconds', async () => {
  vi.useFakeTimers();
  open(useHouseLevels);
  await raise('1');
  expect(asked).toHaveLength(1);
  for (const id of ['2', '3', '4']) await raise(id);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toHaveLength(2);
});

it('reads a house again with an alarm of one of its devices', async () => {
  const runtime = open(() => useRuntime(() => 'house'));
  await areAsked(1);
  underWay[0]?.('normal');
  await eventually(() => expect(runtime.facility.value).not.toBeNull());
  await raise('1');
  await areAsked(2);
});

it('keeps the newest state of a house, in whatever order answers come', async () => {
  const facilities = open(useFacilities);
  const [older, newer] = [facilities.loadRuntime('house'), facilities.loadRuntime('house')];
  await areAsked(2);
  underWay[1]?.('emergency');
  await newer;
  underWay[0]?.('normal');
  await older;
  expect(facilities.runtimes.get('house')?.level).toBe('emergency');
});
