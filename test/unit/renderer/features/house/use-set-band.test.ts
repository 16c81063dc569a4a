// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, h, shallowRef } from 'vue';
import { useSetBand } from '../../../../../renderer/features/house/use-set-band.ts';
import { useDevices } from '../../../../../renderer/stores/device.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { allKinds } from '../../../../../server/contract/controller-kinds.ts';
import { setpointNames } from '../../../../../server/contract/climate-settings.ts';
import { mounted } from '../../ui/mounted.ts';

const house = '00000000-0000-4000-8000-00000000000a';
const program = '00000000-0000-4000-8000-00000000000b';

/** What the program of the house does, as the server tells it. */
function told(at: string | null, given: Record<string, number>): object {
  const none = { value: null, parts: [] };
  const setpoints = Object.fromEntries(
    setpointNames.map((name) => [name, name in given ? { value: given[name], parts: [] } : none]),
  );
  const rest = { period: null, loops: [], fallbacks: [], sums: null, actuators: [] };
  return { climate_id: program, facility_uuid: house, at, setpoints: at === null ? null : setpoints, ...rest };
}

const shownHouse = shallowRef(house);
const Shown = defineComponent(() => {
  const band = useSetBand(() => shownHouse.value);
  return () => h('p', JSON.stringify(band.value));
});

/** A wall display: it may see what a program does, and no settings. */
async function wall(answer: () => Response) {
  const shown = mounted(Shown, {
    fetch: (address) => {
      const isLive = address === `/api/geo/facility/${house}/climate/live`;
      const user = { user: { username: 'wall' }, permissions: ['view_stats'], csrf_token: '' };
      return Promise.resolve(isLive ? answer() : Response.json(user));
    },
  });
  await useSession().login({ username: 'wall', password: 'a long password' });
  const read = async (): Promise<unknown> => {
    await vi.advanceTimersByTimeAsync(1_000);
    await flushPromises();
    return JSON.parse(shown.text()) as unknown;
  };
  useLive().devices = [];
  return read;
}

beforeEach(() => {
  vi.useFakeTimers();
  shownHouse.value = house;
});
afterEach(() => {
  vi.useRealTimers();
});

it('is known to a wall display that was opened while the program ran', async () => {
  const band = await wall(() => Response.json(told('2026-03-01T06:00:00.000Z', { heating_c: 18, ventilation_c: 24 })));
  expect(await band()).toEqual({ indoor_temp: [18, 24] });
});

it('is not known after a question without an answer, and asked for again', async () => {
  let isBusy = true;
  shownHouse.value = '00000000-0000-4000-8000-00000000000c';
  const band = await wall(() =>
    isBusy
      ? Response.json({ code: 'unavailable', status: 503, title: '', detail: '' }, { status: 503 })
      : Response.json(told('2026-03-01T06:00:00.000Z', { heating_c: 18, ventilation_c: 24 })),
  );
  await band();
  shownHouse.value = house;
  expect(await band()).toBeNull();
  isBusy = false;
  expect(await band()).toBeNull();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await band()).toEqual({ indoor_temp: [18, 24] });
});

it('is not known before the page has read which programs there are', async () => {
  const shown = mounted(Shown, {
    fetch: (address) =>
      Promise.resolve(
        Response.json(
          typeof address === 'string' && address.startsWith('/api/settings/')
            ? Object.fromEntries(allKinds.map(({ plural }) => [plural, []]))
            : { user: { username: 'kim' }, permissions: ['view_stats', 'view_settings'], csrf_token: '' },
        ),
      ),
  });
  await useSession().login({ username: 'kim', password: 'a long password' });
  shownHouse.value = '00000000-0000-4000-8000-00000000000c';
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown.text()).toBe('null');
  await useDevices().load();
  await flushPromises();
  expect(shown.text()).toBe('{}');
});

it('follows the stream, and is read again when a program starts or stops', async () => {
  let answer = Response.json({ code: 'not_found', status: 404, title: '', detail: '' }, { status: 404 });
  const band = await wall(() => answer);
  const live = useLive();
  const turned = (state: 'running' | 'stopped'): void =>
    void live.controllers.set(program, {
      controller_id: program,
      controller_type: 'Climate',
      state,
      reason: null,
    });
  expect(await band()).toEqual({});
  answer = Response.json(told('2026-03-01T06:00:00.000Z', { heating_c: 18, ventilation_c: 24 }));
  turned('running');
  expect(await band()).toEqual({ indoor_temp: [18, 24] });
  const seven = told('2026-03-01T07:00:00.000Z', { heating_c: 16, ventilation_c: 22 });
  await live.takeControl(Promise.resolve(seven), (one) => [[program, one]]);
  expect(await band()).toEqual({ indoor_temp: [16, 22] });
  answer = Response.json(told(null, {}));
  turned('stopped');
  expect(await band()).toEqual({});
});
