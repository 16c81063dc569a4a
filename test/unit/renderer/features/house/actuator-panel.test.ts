// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import ActuatorPanel from '../../../../../renderer/features/house/ActuatorPanel.vue';
import { useDevices } from '../../../../../renderer/stores/device.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { allKinds } from '../../../../../server/contract/controller-kinds.ts';
import { stateOf } from '../../../../support/scripted-daemon.ts';
import { mounted } from '../../ui/mounted.ts';

const house = '00000000-0000-4000-8000-00000000000a';
const heater = '00000000-0000-4000-8000-00000000000b';
const stop = { active: true, since: '2026-03-01T06:00:00.000Z', by: 'kim', reason: null };
const released = { active: false, since: null, by: null, reason: null };
const program = { facility_uuid: house, is_activated: true };
const pid = { is_activated: true, period_s: 90, raise: { output_id: heater }, lower: null };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The panel after the stop was released, beside these controllers. */
async function afterRelease(
  controllers: { climates?: object[]; pids?: object[] },
  { isRead = true, isBound = true } = {},
) {
  const device = {
    unique_id: heater,
    kind: 'output',
    is_activated: true,
    channels: [{ channel: 0, name: 'Heater', kind: 'switch' }],
    state: [stateOf({ state: 'off', source: 'emergency_stop', rule: 'emergency_stop' })],
  };
  const permissions = ['edit_controllers', 'view_settings'];
  const lists = { ...Object.fromEntries(allKinds.map(({ plural }) => [plural, []])), ...controllers };
  const panel = mounted(ActuatorPanel, {
    props: {
      facilityUuid: house,
      actuators: [
        { role: 'heater', device_id: heater, channel: null, name: 'Boiler', quality: 'good' },
        ...(isBound ? [] : [{ role: 'lamp', device_id: house, channel: null, name: 'Lamps', quality: 'unknown' }]),
      ],
    },
    fetch: async (address) => {
      const path = address instanceof Request ? address.url : String(address);
      if (path.startsWith('/api/auth'))
        return Response.json({ user: { username: 'kim' }, permissions, csrf_token: '' });
      return Response.json(path === '/api/geo/devices' ? { devices: [device] } : lists);
    },
  });
  await useSession().login({ username: 'kim', password: 'a long password' });
  const live = useLive();
  await live.reload();
  if (isRead) await useDevices().load();
  live.stream = 'open';
  live.emergency = stop;
  await nextTick();
  expect(panel.get('.said').text()).toBe('Held safe: the emergency stop is active.');
  await live.takeEmergency(Promise.resolve(released));
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

it('says that nothing takes over where no controller drives the house', async () => {
  const { said } = await afterRelease({ climates: [{ ...program, is_activated: false }] });
  await nextTick();
  expect(said()).toBe('The stop is released. Every actuator stays as it is until its next command.');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said()).toContain('until its next command');
});

it.each([
  ['an actuator has no state yet', { climates: [program] }, { isBound: false }, 'Control takes over within 30 s.'],
  ['the controllers are not known', { climates: [program] }, { isRead: false }, ''],
])('tells no more than is known: %s', async (_what, controllers, known, expected) => {
  const { said } = await afterRelease(controllers, known);
  await nextTick();
  expect(said()).toBe(expected === '' ? '' : `The stop is released. ${expected}`);
});
