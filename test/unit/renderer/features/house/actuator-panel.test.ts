// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import ActuatorPanel from '../../../../../renderer/features/house/ActuatorPanel.vue';
import { useDevices } from '../../../../../renderer/stores/device.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { climateDefaults } from '../../../../../server/contract/climate-settings.ts';
import { allKinds } from '../../../../../server/contract/controller-kinds.ts';
import { restingLive } from '../../../../support/resting-pid.ts';
import { stateOf } from '../../../../support/scripted-daemon.ts';
import { mounted } from '../../ui/mounted.ts';

const house = '00000000-0000-4000-8000-00000000000a';
const heater = '00000000-0000-4000-8000-00000000000b';
const loop = '00000000-0000-4000-8000-00000000000c';
const stop = { active: true, since: '2026-03-01T06:00:00.000Z', by: 'kim', reason: null };
const released = { active: false, since: null, by: null, reason: null };
const program = { ...climateDefaults, unique_id: 'program', influences: [], facility_uuid: house, is_activated: true };
const series = { device_id: 'sensor', measurement_id: 'temperature', max_age_s: 60 };
const pid = {
  unique_id: loop,
  is_activated: true,
  period_s: 90,
  direction: 'raise',
  measurement: series,
  setpoint_measurement: null,
  method_id: null,
  raise: { output_id: heater, kind: 'duration' },
  lower: null,
};
const bangBang = {
  unique_id: 'thermostat',
  is_activated: true,
  kind: 'bang_bang',
  options: { period_s: 40, measurement: series, output: { output_id: heater }, direction: 'raise' },
};
const following = {
  unique_id: 'curve',
  is_activated: true,
  kind: 'pwm_method',
  method_id: 'method',
  output: { output_id: heater, channel: 0 },
  period_s: 45,
  actions: [],
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Site {
  climates?: object[];
  pids?: object[];
  functions?: object[];
  triggers?: object[];
  /** States of its PIDs, as the daemon has them. */
  states?: Record<string, string>;
}

/** The panel after the stop was released, beside these controllers. */
async function afterRelease(
  { states = { [loop]: 'running' }, ...controllers }: Site,
  { isRead = true, isBound = true, isActive = true } = {},
) {
  const held = { state: 'off', source: 'emergency_stop', rule: 'emergency_stop' } as const;
  // The second relay of the board is not of this house.
  const device = {
    unique_id: heater,
    kind: 'output',
    is_activated: isActive,
    channels: [0, 1].map((channel) => ({ channel, name: 'Relay', kind: 'switch' })),
    state: [0, 1].map((channel) => stateOf({ channel, ...held })),
  };
  const permissions = ['edit_controllers', 'view_settings', 'view_stats'];
  const lists = { ...Object.fromEntries(allKinds.map(({ plural }) => [plural, []])), ...controllers };
  const lives = Object.entries(states).map(([id, state]) => ({ ...restingLive(id), state }));
  const answers: Record<string, object> = {
    '/api/geo/devices': { devices: [device] },
    '/api/auth/login': { user: { username: 'kim' }, permissions, csrf_token: '' },
    '/api/emergency_stop': stop,
    '/api/alarms': { alarms: [] },
    '/api/pids': { pids: lives },
  };
  const panel = mounted(ActuatorPanel, {
    props: {
      facilityUuid: house,
      actuators: [
        { role: 'heater', device_id: heater, channel: null, name: 'Boiler', quality: 'good' },
        ...(isBound ? [] : [{ role: 'lamp', device_id: house, channel: null, name: 'Lamps', quality: 'unknown' }]),
      ],
    },
    fetch: async (address) =>
      Response.json(answers[address instanceof Request ? address.url : String(address)] ?? lists),
  });
  await useSession().login({ username: 'kim', password: 'a long password' });
  const live = useLive();
  await live.reload();
  if (isRead) await useDevices().load();
  live.stream = 'open';
  live.emergency = stop;
  await nextTick();
  expect(panel.get('.said').text()).toBe('Held safe: the emergency stop is active.');
  answers['/api/emergency_stop'] = released;
  await live.takeEmergency(Promise.resolve(released));
  await flushPromises();
  return { said: () => panel.get('.said').text(), device, live };
}

it('says at once within which time control takes over after an emergency stop, until that is past', async () => {
  const { said } = await afterRelease({ climates: [program] });
  await nextTick();
  expect(said()).toBe('The stop is released. Control takes over within 30 s.');
  await vi.advanceTimersByTimeAsync(11_000);
  expect(said()).toBe('The stop is released. Control takes over within 19 s.');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(said()).toBe('');
});

it('says no more of it once an actuator is commanded', async () => {
  const { said, device, live } = await afterRelease({ climates: [program], pids: [pid] });
  await nextTick();
  expect(said()).toContain('within 1 min 30 s'); // the slowest of them
  device.state = [stateOf({ state: 'on', source: 'automatic' })];
  await live.reload();
  live.stream = 'open';
  await nextTick();
  expect(said()).toBe('');
});

const onSecond = { output_id: heater, channel: 1 };
const any = 'Actuators stay as they are until a person or a controller commands them.';

it.each([
  ['a climate program', { climates: [program] }, 'Control takes over within 30 s.'],
  ['a PID', { pids: [pid] }, 'Control takes over within 1 min 30 s.'],
  [
    'a PID that keeps its control',
    { pids: [pid], states: { [loop]: 'held' } },
    'Control takes over within 1 min 30 s.',
  ],
  ['a PID that is paused', { pids: [pid], states: { [loop]: 'paused' } }, any],
  ['a PID of which nothing was heard', { pids: [pid], states: {} }, any],
  ['a PID on a relay of another house', { pids: [{ ...pid, raise: { ...onSecond, kind: 'duration' } }] }, any],
  ['a function', { functions: [bangBang] }, 'Control takes over within 40 s.'],
  ['a function that is inactive', { functions: [{ ...bangBang, is_activated: false }] }, any],
  [
    'a function on a relay of another house',
    { functions: [{ ...bangBang, options: { ...bangBang.options, output: onSecond } }] },
    any,
  ],
  ['a trigger that follows a method', { triggers: [following] }, 'Control takes over within 45 s.'],
  ['the program of another house', { climates: [{ ...program, facility_uuid: heater }] }, any],
  ['a program without heating', { climates: [{ ...program, heating: { ...program.heating, is_on: false } }] }, any],
  ['no controller', {}, any],
])('knows who takes over: %s', async (_what, site: Site, expected) => {
  const { said } = await afterRelease(site);
  expect(said()).toBe(`The stop is released. ${expected}`);
});

it.each([
  ['an actuator has no state yet', { isBound: false }, 'Control takes over within 30 s.'],
  ['the controllers are not known', { isRead: false }, any],
  ['the device is inactive', { isActive: false }, any],
])('tells no more than is known: %s', async (_what, known, expected) => {
  const { said } = await afterRelease({ climates: [program] }, known);
  expect(said()).toBe(`The stop is released. ${expected}`);
});

it.each([
  [['edit_controllers'], 'Log in to switch.'],
  [[], 'Your role can view but not switch.'],
])('blames no role for an expired session: %j', async (permissions, said) => {
  const panel = mounted(ActuatorPanel, {
    props: { facilityUuid: house, actuators: [] },
    fetch: async () => Response.json({ user: { username: 'kim' }, permissions, csrf_token: '' }),
  });
  await useSession().login({ username: 'kim', password: 'a long password' });
  useSession().hasEnded = true;
  await nextTick();
  expect(panel.get('.said').text()).toBe(said);
});
