// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick, shallowRef } from 'vue';
import type { Method } from '../../../../../server/contract/method.ts';
import type { FunctionLive, FunctionSettings } from '../../../../../server/contract/function.ts';
import type { Trigger, TriggerLive } from '../../../../../server/contract/trigger.ts';
import { pid, type Pid, type PidLive } from '../../../../../server/contract/pid.ts';
import ControlPage from '../../../../../renderer/features/control/ControlPage.vue';
import { bodyOf, formOf, pidSchema } from '../../../../../renderer/features/control/pid-form.ts';
import { faultsOf } from '../../../../../renderer/features/devices/form/field-faults.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { mounted } from '../../ui/mounted.ts';
import { heating as heatingPid } from './heating-pid.ts';
import { eventually } from '../../../../support/eventually.ts';

const id = (n: number): string => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`;

const heating: Pid = {
  ...heatingPid,
  unique_id: id(1),
  measurement: { device_id: id(2), measurement_id: id(3), max_age_s: 60 },
  raise: { output_id: id(4), kind: 'duration' },
};

const now: PidLive = {
  pid_id: id(1),
  state: 'running',
  setpoint: 20,
  measurement: 18,
  measured_at: null,
  error: 2,
  p: 24,
  i: 3,
  d: 0,
  control: 27,
  raise: 27,
  lower: null,
  kp: 12,
  ki: 0.02,
  kd: 0,
  cause: {
    kind: 'pid',
    unique_id: id(1),
    name: 'Heating',
    because: 'held at 27 s',
    reason: { code: 'pid_held', facts: { control: { value: 27, unit: 's' } } },
  },
};

const thermometer = { channel: 0, name: 'Air', measurement_id: id(3), measurement: 'temperature', unit: 'C' };
const devices = [
  { unique_id: id(2), kind: 'input', name: 'Sensor', driver: 'simulated', channels: [thermometer] },
  { unique_id: id(4), kind: 'output', name: 'Boiler', driver: 'simulated', channels: [{ channel: 0, name: 'On' }] },
].map((one) => ({ ...one, is_activated: true, locations: [] }));

const day: Method = {
  unique_id: id(5),
  name: 'Tomato day',
  unit: 'C',
  is_activated: true,
  kind: 'daily',
  shape: 'linear',
  points: [{ at: '06:00', value: 18 }],
};
const morning: Trigger = {
  unique_id: id(6),
  name: 'Morning',
  is_activated: true,
  kind: 'time_point',
  at: '06:00',
  missed: 'skip',
  actions: [{ unique_id: id(7), name: 'lamps', kind: 'alarm', severity: 'info', text: 'Up', raise: true }],
};
const acted: TriggerLive = {
  trigger_id: id(6),
  next_at: '2026-03-02T06:00:00Z',
  missed: null,
  last_run: {
    at: '2026-03-01T06:00:00Z',
    because: 'time of day',
    reason: { code: 'time_point' as const, facts: { at: { at: '2026-03-01T06:00:00Z' } } },
    results: [{ action_id: id(7), name: 'lamps', kind: 'alarm', outcome: 'failed', message: 'no daemon' }],
  },
};
const air = { device_id: id(2), max_age_s: 60 };
const drying: FunctionSettings = {
  unique_id: id(8),
  name: 'Dryness',
  is_activated: true,
  kind: 'vpd',
  options: {
    period_s: 10,
    temperature: { ...air, measurement_id: id(3) },
    humidity: { ...air, measurement_id: id(4) },
  },
};

const dryness: FunctionLive = {
  function_id: id(8),
  value: 0.8,
  unit: 'kPa',
  is_on: null,
  because: 'not damp',
  reason: { code: 'told' as const, facts: { text: { text: 'not damp' } } },
  at: new Date().toISOString(),
  progress: null,
  values: [],
};

/** Answers of a server with one PID, one method, one trigger and one function. */
function answer(pathname: string, method: string): unknown {
  if (pathname === '/api/auth/login') {
    const permissions = ['view_settings', 'view_stats', 'edit_controllers'];
    return { user: { unique_id: id(9), username: 'kim' }, permissions, csrf_token: '' };
  }
  const [, word] = /^\/api\/(?:settings\/)?(inputs|outputs|lcds)$/.exec(pathname) ?? [];
  if (word !== undefined) return word === 'outputs' ? { outputs: [] } : { [word]: [], next_cursor: null };
  if (pathname === '/api/settings/pids') return { pids: [heating], next_cursor: null };
  if (pathname === '/api/settings/methods') return { methods: [day], next_cursor: null };
  if (pathname === `/api/settings/methods/${id(5)}/preview`)
    return { method_id: id(5), unit: 'C', times: [0, 43_200_000, 86_400_000], values: [16, 24, null] };
  if (pathname === '/api/settings/triggers') return { triggers: [morning], next_cursor: null };
  if (pathname === '/api/settings/functions') return { functions: [drying], next_cursor: null };
  if (pathname === '/api/settings/conditionals') return { conditionals: [], next_cursor: null };
  if (pathname === '/api/triggers') return { triggers: [acted] };
  if (pathname === '/api/conditionals') return { conditionals: [] };
  if (pathname === '/api/functions') return { functions: [dryness] };
  if (pathname === '/api/alarms') return { alarms: [], next_cursor: null };
  if (pathname === '/api/pids') return { pids: [now] };
  if (pathname === `/api/pids/${id(1)}/hold` && method === 'POST') return { ...now, state: 'held' };
  if (pathname === '/api/geo/facility/list') return { facilities: [] };
  return pathname === '/api/geo/devices' ? { devices } : {};
}

/** Everything is near the window. */
vi.stubGlobal(
  'IntersectionObserver',
  class {
    readonly #told: (seen: object[]) => void;
    constructor(told: (seen: object[]) => void) {
      this.#told = told;
    }
    observe(target: Element): void {
      this.#told([{ target, isIntersecting: true, time: 0 }]);
    }
    unobserve(): void {}
    disconnect(): void {}
  },
);

/** The card of a controller. */
const card = (n: number): string => `[data-controller="${id(n)}"]`;

/** The page as it is opened after a log-in. */
const opened = defineComponent(() => {
  const isIn = shallowRef(false);
  void useSession()
    .login({ username: 'kim', password: 'secret' })
    .then(() => (isIn.value = true));
  return () => (isIn.value ? h(ControlPage) : null);
});

const fetch: typeof globalThis.fetch = async (address, options) => {
  const { pathname } = new URL(address instanceof Request ? address.url : String(address), 'https://here');
  const method = (address instanceof Request ? address.method : options?.method) ?? 'GET';
  return Response.json(answer(pathname, method));
};

const tell = (state: PidLive): Promise<PidLive> =>
  useLive().takeControl(Promise.resolve(state), (one) => [[one.pid_id, one]]);

it('shows what a PID wants, measures and drives, and why, as it changes, and tells it to hold', async () => {
  const page = mounted(opened, { fetch });
  await eventually(() => expect(page.text()).toMatch(/held at 27\ssHold/));
  for (const text of ['Heating', 'Sensor · Air', 'Boiler', 'asks for 27', 'Running'])
    expect(page.text()).toContain(text);
  await tell({ ...now, raise: 31, cause: null });
  await nextTick();
  expect(page.text()).toContain('asks for 31');
  await page
    .findAll('button')
    .find((one) => one.text() === 'Hold')
    ?.trigger('click');
  await eventually(() => expect(page.find(`${card(1)} [data-state]`).attributes('data-state')).toBe('held'));
  expect(page.findAll('button').map((one) => one.text())).toEqual(expect.arrayContaining(['Pause', 'Resume']));
});

it('says how old the measurement of a PID is, and marks all cards as past once the connection is lost', async () => {
  const page = mounted(opened, { fetch });
  await eventually(() => expect(page.text()).toContain('Heating'));
  const live = useLive();
  live.stream = 'open';
  await tell({ ...now, measured_at: new Date(Date.now() - 40_000).toISOString() });
  await nextTick();
  expect(page.find(card(1)).text()).toMatch(/[34]\d\ss\sago/);
  expect(page.find('.value--stale').exists()).toBe(false);
  await tell({ ...now, measured_at: '2026-03-01T06:00:00Z' }); // a sensor that has given no value since
  await nextTick();
  expect(page.find(`${card(1)} .value--stale`).text()).toContain('ago');
  expect(page.findAll('.not-current')).toEqual([]);
  live.stream = 'lost';
  await nextTick();
  for (const n of [1, 5, 6, 8]) expect(page.find(card(n)).classes()).toContain('not-current');
  expect(page.find('.control__old').text()).toMatch(/These values are from .*lost its connection/);
});

it('names the climate programs with their houses, and does not say that nothing controls where there is only one', async () => {
  const program = { kind: 'climate', name: 'Tomato', driver: '', channels: [], is_activated: true, locations: [] };
  const programs = [
    { ...program, unique_id: id(7), facility_uuid: id(6) },
    { ...program, unique_id: id(17), facility_uuid: id(16), is_activated: false },
    { ...program, unique_id: id(27), facility_uuid: id(26), name: 'East house' },
  ];
  const houses = [
    { unique_id: id(6), name: 'North house' },
    { unique_id: id(16), name: 'South house' },
    { unique_id: id(26), name: 'East house' },
  ];
  const emptied = ['pids', 'methods', 'triggers', 'functions'];
  const page = mounted(opened, {
    routes: [{ path: '/houses/:facility_uuid/climate', name: 'house-climate', component: { render: () => null } }],
    fetch: async (address, options) => {
      const { pathname } = new URL(address instanceof Request ? address.url : String(address), 'https://here');
      if (pathname === '/api/geo/devices') return Response.json({ devices: programs });
      if (pathname === '/api/geo/facility/list') return Response.json({ facilities: houses });
      const word = emptied.find((one) => pathname === `/api/settings/${one}` || pathname === `/api/${one}`);
      return word === undefined ? fetch(address, options) : Response.json({ [word]: [], next_cursor: null });
    },
  });
  await eventually(() => expect(page.find('.control__programs a').attributes('href')).toContain(id(6)));
  expect(page.findAll('.control__programs a').map((one) => one.text())).toEqual([
    'North house · Tomato',
    'South house · Tomato (Inactive)',
    'East house',
  ]);
  expect(page.text()).not.toContain('Nothing controls by itself yet');
});

it('shows the curves that are followed and the rules that act', async () => {
  const page = mounted(opened, { fetch });
  await eventually(() => expect(page.find(card(5)).text()).toMatch(/Tomato day.*16.*24/));
  expect(page.find(`${card(5)} figure path`).attributes('d')).toMatch(/^M[\d.,]+L[\d.,]+$/);
  expect(page.find(card(6)).text()).toMatch(
    /Morning.*Time of day.*does: Raise or end an alarm · Up.*06:00.*Next.*26.*Last.*time of day, .*Raise or end an alarm · Up: Failed.*no daemon/s,
  );
  expect(page.find(`[data-day="${id(6)}"] .today__mark`).exists()).toBe(true);
  expect(page.find(card(8)).text()).toMatch(/Dryness.*Vapour pressure deficit.*0\.8.*kPa.*not damp/);
});

it('enters a PID and sends what was taken out as null', () => {
  const form = formOf(heating);
  expect(form).not.toHaveProperty('lower');
  expect(faultsOf(pidSchema, form).size).toBe(0);
  const body = bodyOf({ ...form, integrator_max: 50 });
  expect(body).toMatchObject({ lower: null, method_id: null, integrator_max: 50, raise: heating.raise });
  expect(pid.safeParse({ ...heating, ...body }).success).toBe(true);
});
