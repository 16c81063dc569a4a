// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, watch } from 'vue';
import { useDevices } from '../../../../renderer/stores/device.ts';
import { useLive } from '../../../../renderer/stores/live.ts';
import { useSession } from '../../../../renderer/stores/session.ts';
import { eventually } from '../../../support/eventually.ts';
import { mounted } from '../ui/mounted.ts';

const alarm = (alarm_id: string, state: string) => ({
  alarm_id,
  state,
  severity: 'warning',
  source_kind: 'output',
  source_id: 'pump',
  raised_at: '2026-03-01T06:00:00.000Z',
});
const stop = (active: boolean) => ({ active, since: null, by: 'kim', reason: null });
const channel = (state: string) => ({ channel: 0, state });
const service = (state: string) => ({
  state,
  is_stopped: false,
  stopped_by: null,
  last_restart: null,
  controllers: [{ controller_id: 'loop', state: 'running' }],
});
const permissions = ['view_stats', 'view_logs', 'view_settings'];
const session = { user: { unique_id: 'u', username: 'kim' }, permissions, csrf_token: '' };

/** What the server knows now. */
let known: Record<string, unknown>;
/** Instead of an answer. */
const busy = {};
let stream: EventTarget;
/** Answers that are under way: each tells what the server knew when it was asked. */
let underWay: (() => void)[];
let isSlow: boolean;

const send = (kind: string, data: object): boolean =>
  stream.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify({ kind, ...data }) }));

async function answerAll(): Promise<void> {
  isSlow = false;
  for (const answer of underWay.splice(0)) answer();
  for (let turn = 0; turn < 5; turn += 1) await flushPromises(); // an answer is read in several
}

beforeEach(() => {
  vi.stubGlobal(
    'EventSource',
    vi.fn(function open() {
      return Object.assign((stream = new EventTarget()), { readyState: 1, close: () => undefined });
    }),
  );
  [underWay, isSlow] = [[], false];
  known = {
    '/api/auth/login': session,
    '/api/alarms': { alarms: [alarm('old', 'unacknowledged')] },
    '/api/emergency_stop': stop(false),
    '/api/daemon': service('up'),
    '/api/geo/devices': { devices: [{ unique_id: 'pump', channels: [], state: [channel('off')] }] },
    '/api/lcds': { lcds: [] },
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The live state of a page that has just been opened. */
async function opened() {
  mounted(defineComponent({ template: '<i />' }), {
    fetch: async (address) => {
      const body = known[address as string] ?? {};
      const answer = body === busy ? new Response('', { status: 503 }) : Response.json(body);
      if (isSlow) await new Promise<void>((done) => underWay.push(done));
      return answer;
    },
  });
  await useSession().login({ username: 'kim', password: 'a long password' });
  const live = useLive();
  live.start();
  return live;
}

/** The same once it has read everything, and then reads it again from a server that takes its time. */
async function reading() {
  const live = await opened();
  send('reset', {});
  await answerAll();
  expect(live.alarms.map(({ alarm_id }) => alarm_id)).toEqual(['old']);
  isSlow = true;
  send('reset', {});
  await flushPromises();
  return live;
}

it('keeps what events bring while the server is asked', async () => {
  const live = await reading();
  send('alarm', alarm('old', 'normal'));
  send('alarm', alarm('new', 'unacknowledged'));
  send('emergency_stop', stop(true));
  send('output', { output_id: 'pump', ...channel('on') });
  send('controller', { controller_id: 'loop', state: 'failed' });
  await answerAll();
  expect(live.alarms.map(({ alarm_id }) => alarm_id)).toEqual(['new']);
  expect(live.emergency?.active).toBe(true);
  expect(live.output('pump', 0)?.state).toBe('on');
  expect(live.controllers.get('loop')?.state).toBe('failed');
});

it('knows no alarms before they were read, nor while they cannot be, and reads them again by itself', async () => {
  vi.useFakeTimers();
  known['/api/alarms'] = busy;
  const live = await opened();
  send('open', {});
  await answerAll();
  expect([live.isCurrent, live.areAlarmsKnown]).toEqual([true, false]);
  known['/api/alarms'] = { alarms: [alarm('old', 'unacknowledged')] };
  await vi.advanceTimersByTimeAsync(5_000);
  await answerAll();
  expect([live.areAlarmsKnown, live.alarms.length]).toEqual([true, 1]);
  known['/api/alarms'] = busy;
  send('reset', {});
  await answerAll();
  expect(live.areAlarmsKnown).toBe(false);
  live.stop();
});

it('keeps a control service that ended while it was asked about', async () => {
  const live = await reading();
  send('daemon', { state: 'unreachable' });
  await answerAll();
  expect(live.daemon).toBe('unreachable');
});

it('takes from an answer what no event has told since', async () => {
  const live = await reading();
  await answerAll();
  known['/api/alarms'] = { alarms: [alarm('other', 'unacknowledged')] };
  known['/api/emergency_stop'] = stop(true);
  send('reset', {});
  await answerAll();
  expect(live.alarms.map(({ alarm_id }) => alarm_id)).toEqual(['other']);
  expect(live.emergency?.active).toBe(true);
});

it('keeps the stop that was answered while it was asked whether there is one', async () => {
  const live = await reading();
  await live.takeEmergency(Promise.resolve(stop(true)));
  await answerAll();
  expect(live.emergency?.active).toBe(true);
});

it('lets an alarm be gone that ended before the answer to its acknowledgement', async () => {
  const live = await reading();
  await answerAll();
  const acknowledged = Promise.resolve(alarm('old', 'acknowledged') as (typeof live.alarms)[number]);
  const taken = live.takeAlarms(acknowledged, (one) => [one]);
  send('alarm', alarm('old', 'normal'));
  await taken;
  expect(live.alarms).toEqual([]);
});

it('keeps what a controller told before the answer to its command, which may be of the time before', async () => {
  const live = await reading();
  const held = Promise.resolve({ state: 'held' });
  const taken = live.takeControl(held, (one) => [['loop', one]]);
  send('control', { controller_id: 'loop', live: { state: 'running' } });
  await taken;
  expect(live.control('loop')).toEqual({ state: 'running' });
  await live.takeControl(held, (one) => [['loop', one]]);
  expect(live.control('loop')).toEqual({ state: 'held' });
});

it('reads devices and their settings once again when somebody has changed several', async () => {
  const live = await reading();
  await answerAll();
  const devices = useDevices();
  known['/api/outputs'] = { outputs: [{ unique_id: 'pump', name: 'Pump' }] };
  await devices.load();
  vi.useFakeTimers();
  const changed = { unique_id: 'pump', name: 'Mixing pump', channels: [], is_activated: false };
  known['/api/geo/devices'] = { devices: [changed] };
  known['/api/outputs'] = { outputs: [changed] };
  const before = live.devices;
  const read = vi.fn();
  watch(() => live.devices, read, { flush: 'sync' });
  for (const device_id of ['pump', 'probe']) send('device', { device_id });
  expect(live.devices).toBe(before);
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  await eventually(() => expect(devices.outputs.map(({ name }) => name)).toEqual(['Mixing pump']));
  expect(live.device('pump')).toMatchObject({ name: 'Mixing pump', is_activated: false });
  expect(read).toHaveBeenCalledTimes(1);
});

it('reads devices again while somebody goes on to change them', async () => {
  const live = await reading();
  await answerAll();
  vi.useFakeTimers();
  const told = vi.fn();
  live.onDeviceChange(told);
  for (let change = 0; change < 25; change += 1) {
    send('device', { device_id: 'pump' });
    await vi.advanceTimersByTimeAsync(100);
  }
  await answerAll();
  expect(told).toHaveBeenCalledTimes(1);
});
