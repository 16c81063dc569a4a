// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import HouseCard from '../../../../../renderer/features/house/HouseCard.vue';
import LevelBadge from '../../../../../renderer/ui/LevelBadge.vue';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { useFacilities } from '../../../../../renderer/stores/facility.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import type { Facility } from '../../../../../server/contract/facility.ts';
import type { Alert, RuntimeResult } from '../../../../../server/contract/facility-live.ts';
import { mounted } from '../../ui/mounted.ts';
import { eventually } from '../../../../support/eventually.ts';

const unique_id = '00000000-0000-4000-8000-00000000000a';
// All that the card reads of them.
const facility = { unique_id, name: 'House 1', sensors: [], actuators: [] } as unknown as Facility;
const heater = { role: 'heater', name: 'Heater', device_id: unique_id } as Facility['actuators'][number];
const probe = { role: 'indoor_light', name: 'Probe', device_id: unique_id } as Facility['sensors'][number];
const runtime = {
  facility_uuid: unique_id,
  level: 'idle',
  sensors: [],
  actuators: [],
  alerts: { items: [] },
} as unknown as RuntimeResult;

const shown = (fetch?: typeof globalThis.fetch, house = facility) =>
  mounted(HouseCard, {
    props: { facility: house, mapName: 'Farm' },
    ...(fetch && { fetch }),
    routes: [{ name: 'house', path: '/houses/:facility_uuid', component: HouseCard }],
  });

const stop: Alert = { code: 'emergency_stop', severity: 'emergency', message: '', since: '2026-11-27T08:00:00Z' };

function tell(alert: Alert): void {
  useFacilities().runtimes.set(unique_id, { ...runtime, alerts: { ...runtime.alerts, items: [alert] } });
}

it('has no level while no sensor watches the house and nothing runs', async () => {
  const card = shown();
  useFacilities().runtimes.set(unique_id, runtime);
  const live = useLive();
  live.stream = 'open';
  live.daemon = 'up';
  await nextTick();
  expect(card.findComponent(LevelBadge).exists()).toBe(false);
  await card.setProps({ facility: { ...facility, actuators: [heater] } });
  expect(card.findComponent(LevelBadge).exists()).toBe(false);
  await card.setProps({ facility: { ...facility, sensors: [probe] } });
  expect(card.findComponent(LevelBadge).exists()).toBe(true);
});

it('claims nothing of the present while it is cut off from the server', async () => {
  const card = shown(undefined, { ...facility, sensors: [probe] });
  useFacilities().runtimes.set(unique_id, runtime);
  const live = useLive();
  live.stream = 'open';
  live.daemon = 'up';
  await nextTick();
  expect(card.findComponent(LevelBadge).exists()).toBe(true);
  expect(card.classes()).not.toContain('house-card--old');
  expect(card.text()).toContain(en.overview.running);
  live.stream = 'lost';
  await nextTick();
  expect(card.findComponent(LevelBadge).exists()).toBe(false);
  expect(card.classes()).toContain('house-card--old');
  expect(card.text()).toContain(en.overview.ranLast);
});

it('says in words of the page by which key everything was stopped', async () => {
  const card = shown();
  tell({ ...stop, name: 'kim by key spare' });
  await nextTick();
  expect(card.text()).toContain('kim · key spare');
});

it('knows at once that a check elsewhere has ended', async () => {
  const stream = new EventTarget();
  const opened = vi.fn(function open() {
    return Object.assign(stream, { readyState: 1, close: () => undefined });
  });
  vi.stubGlobal('EventSource', opened);
  const actuators = [heater];
  let checks: object[] = [];
  const card = shown(() => Promise.resolve(Response.json({ checks })), { ...facility, actuators });
  await eventually(() => expect(card.text()).toContain(en.overview.due.never));
  vi.spyOn(useSession(), 'can').mockReturnValue(true);
  useLive().start();
  const ended_at = new Date().toISOString();
  const summary = { results: {}, approved: 1, held: 0, unjudged: 0 };
  checks = [{ status: 'completed', started_at: ended_at, ended_at, progress: { done: 1, total: 1 }, summary }];
  const data = JSON.stringify({ kind: 'commissioning', facility_uuid: unique_id });
  stream.dispatchEvent(new MessageEvent('commissioning', { data }));
  await eventually(() => expect(card.text()).not.toContain(en.overview.due.never));
  useLive().stop();
  vi.unstubAllGlobals();
});

it('says that commissioning is due also while there is an alert', async () => {
  const actuators = [heater];
  const card = shown(() => Promise.resolve(Response.json({ checks: [] })), { ...facility, actuators });
  tell(stop);
  await eventually(() => expect(card.text()).toContain(en.overview.due.never));
  expect(card.text()).toContain(en.alarms.code.emergency_stop);
});

it('names what drives an actuator in short, also in the pause of its cycle, and counts those that have no room', async () => {
  const roles = ['heater', 'fogger', 'lighting'] as const;
  const actuators = roles.map((role) => ({ role, name: role, device_id: role })) as Facility['actuators'];
  const cause = { kind: 'climate', unique_id, name: 'Days', because: 'colder than it should be', reason: null };
  const state = { channel: 0, state: 'on', source: 'automatic', actor: null, reason: null, rule: null, cause };
  const pausing = { ...state, state: 'off', cause: { ...cause, reason: { code: 'heat_pause', facts: {} } } };
  const devices = roles.map((role) => ({
    unique_id: role,
    channels: [],
    state: [role === 'heater' ? pausing : state],
  }));
  const card = shown(() => Promise.resolve(Response.json({ devices, checks: [] })), { ...facility, actuators });
  await useLive().reload();
  await nextTick();
  const lines = card.findAll('.house-card__list li').map((line) => line.text());
  expect(lines).toEqual(['Heater (pausing) Climate program “Days”', 'Fogger Climate program “Days”', '1 more']);
});

it.each([
  ['on', ['Heater Climate program “Days”']],
  [null, []],
])('shows a heater that should pause but is %s as what it is', async (is, running) => {
  const actuators = [{ role: 'heater', name: 'heater', device_id: 'heater' }] as Facility['actuators'];
  const reason = { code: 'heat_pause', facts: {} };
  const cause = { kind: 'climate', unique_id, name: 'Days', because: 'colder than it should be', reason };
  const state = { channel: 0, state: is, source: 'automatic', actor: null, reason: null, rule: null, cause };
  const devices = [{ unique_id: 'heater', channels: [], state: [state] }];
  const card = shown(() => Promise.resolve(Response.json({ devices, checks: [] })), { ...facility, actuators });
  await useLive().reload();
  await nextTick();
  expect(card.findAll('.house-card__list li').map((line) => line.text())).toEqual(running);
  expect(card.text().includes('1 in unknown state')).toBe(is === null);
});

it('says who commissions it instead of that it runs', async () => {
  const check = { status: 'running', started_by: 'kim', started_at: '2026-11-28T05:00:00Z' };
  const card = shown(() => Promise.resolve(Response.json({ checks: [check] })), { ...facility, sensors: [probe] });
  const { runtimes } = useFacilities();
  runtimes.set(unique_id, { ...runtime, level: 'active' });
  const live = useLive();
  live.stream = 'open';
  live.daemon = 'up';
  await eventually(() => expect(card.findComponent(LevelBadge).text()).toBe(en.ui.level.commissioning));
  expect(card.get('.house-card__due').text()).toMatch(/^Commissioning by kim, started /);
  runtimes.set(unique_id, { ...runtime, level: 'warning' });
  await eventually(() => expect(card.findComponent(LevelBadge).text()).toBe(en.ui.level.warning));
  expect(card.text()).toContain('Commissioning by kim');
  expect(card.findComponent(LevelBadge).get('.level--mark').attributes('aria-label')).toBe(en.ui.level.commissioning);
  live.daemon = 'unreachable';
  await eventually(() => expect(card.text()).not.toContain('Commissioning by kim')); // whether the check still runs is not known
});
