// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it } from 'vitest';
import OverviewPage from '../../../../../renderer/features/overview/OverviewPage.vue';
import SiteStatus from '../../../../../renderer/features/overview/SiteStatus.vue';
import { useFacilities } from '../../../../../renderer/stores/facility.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import type { RuntimeResult } from '../../../../../server/contract/facility.ts';
import { eventually } from '../../../../support/eventually.ts';
import { mounted } from '../../ui/mounted.ts';

const routes = ['/', '/dashboards', '/alarms', '/maps'].map((path) => ({ path, component: SiteStatus }));
const alarm = {
  alarm_id: 'a',
  state: 'unacknowledged',
  is_raised: true,
  caused_by: null,
  severity: 'emergency',
  code: 'stale',
  channel: null,
  role: null,
  source_kind: 'input',
  source_id: 'probe',
  source_name: 'Probe',
  raised_at: '2026-03-01T06:00:00.000Z',
};

const session = { user: { username: 'kim' }, permissions: ['view_stats'], csrf_token: '' };
/** A site that has nothing, and tells so. */
const nothing = (): Response =>
  Response.json({ ...session, alarms: [], devices: [], lcds: [], facilities: [], designs: [] });

/** Logs in and reads what is live now. */
async function read(): Promise<void> {
  await useSession().login({ username: 'kim', password: 'a long password' });
  useLive().stream = 'open';
  await useLive().reload();
}

/** The overview of a site without a map. */
async function opened(answer: (address: string) => Response = nothing) {
  const page = mounted(OverviewPage, { routes, fetch: (address) => Promise.resolve(answer(address as string)) });
  await read();
  await eventually(() => expect(page.find('.page > [role=progressbar]').exists()).toBe(false));
  return page;
}

async function raise(change: object = {}): Promise<void> {
  const live = useLive();
  await live.takeAlarms(Promise.resolve({ ...alarm, ...change } as unknown as (typeof live.alarms)[number]), (one) => [
    one,
  ]);
}

it('tells of alarms where there is no map or house yet', async () => {
  const page = await opened();
  await raise();
  expect(page.findComponent(SiteStatus).text()).toContain('1 alarm');
  expect(page.text()).toContain('No map yet');
});

it('tells calmly of an alarm that is over and that nobody has seen', async () => {
  const page = await opened();
  await raise({ state: 'returned', is_raised: false });
  const status = page.findComponent(SiteStatus);
  for (const said of ['No active alarms', '1 cleared, not acknowledged', 'Old reading', 'Cleared'])
    expect(status.text()).toContain(said);
  expect(status.classes()).not.toContain('status--emergency');
});

it('counts no consequence as an alarm of its own, and calls nothing well before it has cleared', async () => {
  const page = await opened();
  const effect = { alarm_id: 'b', state: 'suppressed', caused_by: 'a', code: 'controller_down', severity: 'warning' };
  await raise();
  await raise(effect);
  const status = page.findComponent(SiteStatus);
  expect(status.text()).toMatch(/^1 alarm(?!s)/);
  await raise({ state: 'returned', is_raised: false });
  expect(status.text()).toMatch(/^No active alarms\s*1 cleared, not acknowledged/);
  expect(status.text()).not.toContain('Device not working');
  await raise({ state: 'normal', is_raised: false });
  expect(status.text()).toContain('No active alarms');
  expect(status.text()).toContain('Still affected by an alarm: Probe.');
  for (const name of ['Fan', 'Lamps', 'Pump', 'Valve'])
    await raise({ ...effect, alarm_id: name, source_id: name, source_name: name });
  await raise({ ...effect, alarm_id: 'c', code: 'stale' }); // of the probe too
  expect(status.text()).toContain('Still affected by an alarm: Probe, Fan, Lamps (+2).');
  await raise({ ...effect, state: 'unacknowledged', caused_by: null });
  expect(status.text()).toMatch(/^1 alarm\s+Warning\s+1.*Device not working/s);
});

it('tells of alarms where the houses could not be read', async () => {
  const broken = { code: 'unexpected', status: 500, title: 'Broken' };
  const page = await opened((address) =>
    address.includes('facilities') ? Response.json(broken, { status: 500 }) : nothing(),
  );
  await raise();
  expect(page.findComponent(SiteStatus).text()).toContain('1 alarm');
});

it('does not say that all is well where nothing is', async () => {
  expect((await opened()).findComponent(SiteStatus).exists()).toBe(false);
});

it.each([
  ['idle', 'Everything being watched is within its limits.'],
  ['warning', 'To check: East house.'],
  ['unknown', 'To check: East house.'],
] as const)('says of a site without alarms whose house is %s: %s', async (level, told) => {
  const status = mounted(SiteStatus, { routes, fetch: () => Promise.resolve(nothing()) });
  const facilities = useFacilities();
  useLive().stream = 'open';
  expect(status.text()).not.toMatch(/No alarms|within its limits/); // nobody has asked yet
  await read();
  facilities.list = [{ unique_id: 'east', name: 'East house' } as (typeof facilities.list)[number]]; // what it reads
  facilities.runtimes.set('east', { level } as RuntimeResult); // what it reads
  await flushPromises();
  expect(status.text()).toContain(told);
});

it('names a house with a warning beside what is over', async () => {
  const page = await opened();
  const facilities = useFacilities();
  facilities.list = [
    { unique_id: 'east', name: 'East house', sensors: [] } as unknown as (typeof facilities.list)[number],
  ]; // what it reads
  facilities.runtimes.set('east', { level: 'warning' } as RuntimeResult); // what it reads
  await raise({ state: 'returned', is_raised: false });
  const status = page.findComponent(SiteStatus);
  expect(status.text()).toMatch(/No active alarms.*To check: East house\..*Old reading/s);
  await raise();
  expect(status.text()).not.toContain('To check');
});

it('tells what somebody silenced, and whether it is over', async () => {
  const page = await opened();
  const shelved = {
    state: 'shelved',
    code: 'connection_lost',
    source_name: 'Gateway',
    shelved_until: '2026-03-01T07:00:00.000Z',
  };
  await raise(shelved);
  const status = page.findComponent(SiteStatus);
  expect(status.text()).toMatch(/No active alarms\s*1 silenced/);
  expect(status.text()).toMatch(/Connection lost\s*Gateway.*· Shelved · until .*2026/);
  expect(status.text()).not.toMatch(/within its limits|Cleared/);
  await raise({ ...shelved, is_raised: false });
  expect(status.text()).toMatch(/· Shelved · until .*· Cleared/);
});

it.each([
  ['idle', ''],
  ['warning', 'To check: East house.'],
] as const)('tells a role without alarms of a house that is %s: %s', async (level, told) => {
  const guest = { user: { username: 'lee' }, permissions: [], csrf_token: '' };
  const status = mounted(SiteStatus, { routes, fetch: () => Promise.resolve(Response.json(guest)) });
  await useSession().login({ username: 'lee', password: 'a long password' });
  const facilities = useFacilities();
  facilities.list = [{ unique_id: 'east', name: 'East house' } as (typeof facilities.list)[number]]; // what it reads
  facilities.runtimes.set('east', { level } as RuntimeResult); // what it reads
  await flushPromises();
  expect([status.get('h2').text(), status.get('ul').text()]).toEqual(['Alarms are not shown to your role', told]);
});
