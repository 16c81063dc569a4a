// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, h, shallowRef } from 'vue';
import { useAimed } from '../../../../../renderer/features/house/use-aimed.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { aimSeriesId } from '../../../../../server/contract/climate-aims.ts';
import type { ClimateLive, ClimateSetpoint, ClimateSetpointsNow } from '../../../../../server/contract/climate-live.ts';
import { setpointNames } from '../../../../../server/contract/climate-settings.ts';
import { mounted } from '../../ui/mounted.ts';

const house = '00000000-0000-4000-8000-00000000000a';
const id = '00000000-0000-4000-8000-00000000000b';
const startMs = Date.parse('2026-03-01T06:00:00.000Z');

/** Setpoints as the program tells them; `atMs` null: it does not run. */
function told(atMs: number | null, heating_c: number, ventilation_c: number): ClimateLive {
  const none: ClimateSetpoint = { value: null, parts: [] };
  const setpoints = Object.fromEntries(setpointNames.map((name) => [name, none])) as ClimateSetpointsNow; // of every name
  const given = { heating_c: { value: heating_c, parts: [] }, ventilation_c: { value: ventilation_c, parts: [] } };
  return {
    ...{ climate_id: id, facility_uuid: house, period: null, loops: [], fallbacks: [], sums: null, actuators: [] },
    ...{ at: atMs === null ? null : new Date(atMs).toISOString(), setpoints: { ...setpoints, ...given } },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ now: startMs });
});
afterEach(() => {
  vi.useRealTimers();
});

it('joins what a program stored and what it tells, and adds nothing while it does not run', async () => {
  const asked: string[] = [];
  const series = (measurement_id: string, value: number): object => ({
    ...{ device_id: id, measurement_id, unit: 'C', resolution: null },
    ...{ times: [startMs - 120_000], values: [value] },
  });
  const program = shallowRef<string | null>(null);
  const present = shallowRef<ClimateLive>();
  let aimedOf: ReturnType<typeof useAimed> = () => null;
  const Shown = defineComponent(() => {
    aimedOf = useAimed(program, present);
    return () => h('p');
  });
  mounted(Shown, {
    fetch: (address) => {
      if (typeof address !== 'string' || !address.startsWith('/api/measurements/multi'))
        return Promise.resolve(
          Response.json({ user: { username: 'wall' }, permissions: ['view_stats'], csrf_token: '' }),
        );
      asked.push(address);
      const stored = [series(aimSeriesId(id, 'heating_c'), 17), series(aimSeriesId(id, 'ventilation_c'), 21)];
      return Promise.resolve(Response.json({ series: stored }));
    },
  });
  await useSession().login({ username: 'wall', password: 'a long password' });
  await flushPromises();
  expect([aimedOf('indoor_temp'), asked]).toEqual([null, []]);
  program.value = id;
  await flushPromises();
  expect(asked).toHaveLength(1);
  present.value = told(startMs, 18, 22);
  await flushPromises();
  const aimed = {
    low: [
      { time_ms: startMs - 120_000, value: 17 },
      { time_ms: startMs, value: 18 },
    ],
    high: [
      { time_ms: startMs - 120_000, value: 21 },
      { time_ms: startMs, value: 22 },
    ],
  };
  expect(aimedOf('indoor_temp')).toEqual(aimed);
  expect(aimedOf('outdoor_temp')).toBeNull();
  present.value = told(null, 18, 22);
  await flushPromises();
  expect(aimedOf('indoor_temp')).toEqual(aimed);
});
