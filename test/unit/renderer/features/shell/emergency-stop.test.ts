// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import EmergencyStop from '../../../../../renderer/features/shell/EmergencyStop.vue';
import ConfirmDialog from '../../../../../renderer/ui/ConfirmDialog.vue';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { mounted } from '../../ui/mounted.ts';

it('says who stopped everything and since when, for as long as it holds', async () => {
  const banner = mounted(EmergencyStop, { props: { place: 'banner', modelValue: false } });
  const live = useLive();
  expect(banner.text()).toBe('');
  live.emergency = { active: true, since: '2026-03-01T06:00:00.000Z', by: 'kim', reason: 'smoke' };
  await nextTick();
  expect(banner.text()).toMatch(/Emergency stop by kim since .*smoke/s);
  live.emergency = { active: false, since: null, by: null, reason: null };
  await nextTick();
  expect(banner.text()).toBe('');
});

it('offers no button to somebody who may not switch outputs', () => {
  expect(
    mounted(EmergencyStop, { props: { place: 'button', modelValue: false } })
      .find('button')
      .exists(),
  ).toBe(false);
});

// Dialogs measure it, and happy-dom has none.
vi.stubGlobal('visualViewport', Object.assign(new EventTarget(), { width: 1280, height: 800 }));

const stopped = { active: true, since: '2026-03-01T06:00:00.000Z', by: 'kim', reason: null, outputs: [] };
const released = { active: false, since: null, by: null, reason: null, outputs: [] };

it.each([
  { what: 'closes its question with the answer', events: [], isActive: true, closed: [[false]] },
  {
    what: 'leaves the next question open when the answer comes after the event',
    events: [stopped],
    isActive: true,
    closed: undefined,
  },
  {
    what: 'stays released when somebody released it before the answer to the stop came',
    events: [stopped, released],
    isActive: false,
    closed: undefined,
  },
])('$what', async ({ events, isActive, closed }) => {
  const stream = Object.assign(new EventTarget(), { readyState: 1, close: () => undefined });
  vi.stubGlobal(
    'EventSource',
    vi.fn(function open() {
      return stream;
    }),
  );
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  const button = mounted(EmergencyStop, {
    props: { place: 'button', modelValue: true },
    fetch: async (address) => {
      if (address !== '/api/emergency_stop') {
        const permissions = ['view_stats', 'edit_controllers'];
        return Response.json({ user: { username: 'kim' }, permissions, csrf_token: '' });
      }
      await mayAnswer;
      return Response.json(stopped);
    },
  });
  await useSession().login({ username: 'kim', password: 'a long password' });
  const live = useLive();
  live.start();
  await nextTick();
  const dialog = button.findComponent(ConfirmDialog);
  dialog.vm.$emit('confirm');
  for (const event of events) {
    const data = JSON.stringify({ kind: 'emergency_stop', ...event });
    stream.dispatchEvent(new MessageEvent('emergency_stop', { data }));
  }
  answer();
  for (let turn = 0; turn < 5; turn += 1) await flushPromises(); // the answer is read in several
  expect(live.emergency?.active).toBe(isActive);
  expect(button.emitted('update:modelValue')).toEqual(closed);
});

it('counts the outputs that are confirmed safe and names those that are not', async () => {
  const outcomes = { vent: 'failed', heater: 'confirmed', lamp: 'unknown' } as const;
  const outputs = Object.entries(outcomes).map(([output_id, outcome]) => ({
    output_id,
    channel: 0,
    outcome,
    message: '',
  }));
  const fetch: typeof globalThis.fetch = (address) =>
    Promise.resolve(
      address === '/api/emergency_stop'
        ? Response.json({ ...stopped, outputs })
        : Response.json({ user: { username: 'kim' }, permissions: ['view_stats'], csrf_token: '' }),
    );
  const banner = mounted(EmergencyStop, { props: { place: 'banner', modelValue: false }, fetch });
  await useSession().login({ username: 'kim', password: 'a long password' });
  const live = useLive();
  live.devices = ['vent', 'heater'].map((name) => ({
    unique_id: name,
    kind: 'output',
    name: `The ${name}`,
    driver: '',
    is_activated: true,
    locations: [],
    channels: [{ channel: 0, name: 'Relay' }],
  }));
  live.stream = 'open';
  live.emergency = stopped;
  for (let turn = 0; turn < 5; turn += 1) await flushPromises();
  const said = '1 of 3 outputs are confirmed safe. Not confirmed: The vent, lamp.';
  expect(banner.text()).toContain(said);
  live.stream = 'lost'; // what was confirmed may no longer be so
  await nextTick();
  expect(banner.text()).toContain('Whether the outputs are safe is unknown.');
});

it('says that a stop is not confirmed while no answer comes, and after it failed', async () => {
  vi.useFakeTimers();
  const { promise: answer, reject: fail } = Promise.withResolvers<Response>();
  const session = { user: { username: 'kim' }, permissions: ['edit_controllers'], csrf_token: '' };
  const button = mounted(EmergencyStop, {
    props: { place: 'button', modelValue: true },
    fetch: (address) => (address === '/api/emergency_stop' ? answer : Promise.resolve(Response.json(session))),
  });
  await useSession().login({ username: 'kim', password: 'a long password' });
  await nextTick();
  button.findComponent(ConfirmDialog).vm.$emit('confirm');
  await vi.advanceTimersByTimeAsync(2_900);
  expect(document.body.textContent).not.toContain('not confirmed');
  await vi.advanceTimersByTimeAsync(200);
  expect(document.body.textContent).toContain('The stop is not confirmed');
  fail(new TypeError('fetch failed'));
  await vi.advanceTimersByTimeAsync(10);
  expect(document.body.textContent).toContain('The stop is not confirmed');
  expect(document.body.textContent).toContain('The server cannot be reached');
  const live = useLive();
  live.stream = 'lost';
  await nextTick();
  live.stream = 'open';
  await nextTick();
  expect(document.body.textContent).not.toContain('The server cannot be reached');
  expect(document.body.textContent).toContain('The stop is not confirmed'); // it may not have arrived
  vi.useRealTimers();
});

it('says that a release failed whose connection was lost and back before it failed', async () => {
  const { promise: answer, reject: fail } = Promise.withResolvers<Response>();
  const session = { user: { username: 'kim' }, permissions: ['edit_controllers'], csrf_token: '' };
  const banner = mounted(EmergencyStop, {
    props: { place: 'banner', modelValue: true },
    fetch: (address) => (address === '/api/emergency_stop' ? answer : Promise.resolve(Response.json(session))),
  });
  await useSession().login({ username: 'kim', password: 'a long password' });
  const live = useLive();
  live.stream = 'open';
  live.emergency = stopped;
  await nextTick();
  banner.findComponent(ConfirmDialog).vm.$emit('confirm');
  for (const state of ['lost', 'open'] as const) {
    live.stream = state;
    await nextTick();
  }
  fail(new TypeError('fetch failed'));
  await expect.poll(() => document.body.textContent).toContain('The server cannot be reached');
});

it('says of a stop that the control service did not answer that it is repeated, and not that nothing was switched', async () => {
  const session = { user: { username: 'kim' }, permissions: ['edit_controllers'], csrf_token: '' };
  const refused = { status: 503, headers: { 'Content-Type': 'application/problem+json' } };
  const button = mounted(EmergencyStop, {
    props: { place: 'button', modelValue: true },
    fetch: async (address) =>
      address === '/api/emergency_stop'
        ? Response.json({ code: 'daemon_unreachable', detail: 'no answer' }, refused)
        : Response.json(session),
  });
  await useSession().login({ username: 'kim', password: 'a long password' });
  await nextTick();
  button.findComponent(ConfirmDialog).vm.$emit('confirm');
  await expect.poll(() => document.body.textContent).toContain('The stop is sent again until it does.');
  expect(document.body.textContent).toContain('The stop is not confirmed');
  expect(document.body.textContent).not.toContain('Nothing was switched');
});
