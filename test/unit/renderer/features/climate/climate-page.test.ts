// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';
import type { ComponentPublicInstance } from 'vue';
import ClimatePage from '../../../../../renderer/features/climate/ClimatePage.vue';
import type { PeriodRow } from '../../../../../renderer/features/climate/period-rows.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useNotice } from '../../../../../renderer/stores/notice.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import type { ClimateLive } from '../../../../../server/contract/climate-live.ts';
import { setpointNames, type Climate } from '../../../../../server/contract/climate-settings.ts';
import { programOf } from '../../../../support/climate-run.ts';
import { eventually } from '../../../../support/eventually.ts';
import { mounted } from '../../ui/mounted.ts';

// A hundred fields that no test here is about.
const fields = vi.hoisted(() => (name: string) => ({
  default: { name, props: ['modelValue'], emits: ['update:modelValue'], render: () => null },
}));
vi.mock('../../../../../renderer/features/climate/LoopForms.vue', () => fields('LoopForms'));
vi.mock('../../../../../renderer/features/climate/PeriodRows.vue', () => fields('PeriodRows'));

const id = '00000000-0000-4000-8000-000000000001';
const program: Climate = {
  ...programOf(),
  unique_id: id,
  facility_uuid: id,
  name: 'Tomato',
  is_activated: true,
  revision: 1,
};
const house = { unique_id: id, name: 'House 1' };
const live: ClimateLive = {
  climate_id: id,
  facility_uuid: id,
  at: '2026-03-01T06:00:00.000Z',
  period: 'Day',
  setpoints: null,
  loops: [
    {
      loop: 'heating',
      target: 19,
      measured: 18.2,
      demand_pct: 40,
      limits: [],
      cause: { code: 'warm_enough', values: {} },
    },
  ],
  fallbacks: [],
  sums: null,
  actuators: [],
};
const empty = { values: [], period: [], shift: [], shares: [] };
const preview = {
  times: [],
  periods: [],
  forecast: null,
  sun: { sunrises: [], sunsets: [] },
  setpoints: Object.fromEntries(setpointNames.map((name) => [name, empty])),
};

const answers: Record<string, unknown> = { '/live': live, '/preview': preview, '': program };
const none = { type: 'about:blank', title: 'Not Found', status: 404, code: 'not_found', detail: '', request_id: 'r1' };
const login = { user: { username: 'kim' }, permissions: ['edit_controllers'], csrf_token: '' };

/** The page of a house with a running program, as the server answers when asked for it. */
async function opened(answering: (path: string) => Promise<Response> = answered) {
  const page = mounted(ClimatePage, {
    props: { facilityUuid: id },
    routes: [{ name: 'house', path: '/houses/:facility_uuid', component: ClimatePage }],
    fetch: (address) => answering(new URL(address as string, 'https://here').pathname),
  });
  await settled();
  return page;
}

function answered(path: string): Promise<Response> {
  if (path === '/api/auth/login') return Promise.resolve(Response.json(login));
  if (path === '/api/geo/facility/list') return Promise.resolve(Response.json({ facilities: [house] }));
  const answer = answers[path.slice(path.indexOf('/climate') + '/climate'.length)];
  return answer === undefined ? new Promise(() => undefined) : Promise.resolve(Response.json(answer));
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await flushPromises(); // answers are read in several
}

it('says from when its loops are, and draws no present value, once the connection is lost', async () => {
  const page = await opened();
  const stream = useLive();
  stream.stream = 'open';
  await flushPromises();
  expect(page.get('header').text()).toContain('House 1 · Tomato');
  expect(page.text()).not.toContain('These values are from');
  expect(page.text()).toMatch(/Measured indoors\s18\.2/);
  stream.stream = 'lost';
  await flushPromises();
  expect(page.text()).toMatch(/These values are from .*2026.* lost its connection/);
  expect(page.find('section.not-current').text()).toContain('18.2');
  expect(page.text()).not.toContain('Measured indoors');
});

it('tells what a commissioning check drives from what a person or a rule holds', async () => {
  const actuator = {
    output_id: id,
    channel: 0,
    demand_pct: 0,
    cause: { code: 'warm_enough', values: {} },
    because: '',
  };
  const holds = [
    { role: 'heater', name: 'Boiler', held_by: 'commissioning' },
    { role: 'roof_vent', name: 'Ridge', held_by: 'manual' },
    { role: 'circulation_fan', name: 'North', held_by: 'commissioning' },
    { role: 'side_vent', name: 'East', held_by: null },
  ] as const;
  const actuators = holds.map((one) => ({ ...actuator, ...one, held_by_hand: one.held_by !== null }));
  const told = { ...live, loops: live.loops.map((one) => ({ ...one, limits: ['commissioning'] })), actuators };
  const page = await opened((path) => (path.endsWith('/live') ? Promise.resolve(Response.json(told)) : answered(path)));
  expect(page.get('.loops dd').text()).toContain('· commissioning');
  expect(page.findAll('.loops__held p').map((one) => one.text())).toEqual([
    'Driven by the commissioning check: Heater · Boiler and Circulation fan · North.',
    'Held by hand or by a safety rule: Roof vent · Ridge.',
  ]);
});

it('says that there is no program, and offers to make one, only once that is known', async () => {
  const { promise: isAsked, resolve: answer } = Promise.withResolvers<void>();
  const page = await opened(async (path) => {
    if (!path.endsWith('/climate')) return path === `/api/geo/facility/${id}` ? Response.json(house) : answered(path);
    await isAsked;
    return Response.json(none, { status: none.status });
  });
  await useSession().login({ username: 'kim', password: 'a long password' });
  await settled();
  const said = () => [en.climate.none, en.climate.periods].filter((one) => page.text().includes(one));
  expect(said()).toEqual([]);
  answer();
  // The forms take a while to be drawn.
  await eventually(() => expect(said()).toEqual([en.climate.none, en.climate.periods]));
});

it('gives a discarded change back on Undo', async () => {
  const page = await opened();
  await useSession().login({ username: 'kim', password: 'a long password' });
  await flushPromises();
  const rows = page.getComponent({ name: 'PeriodRows' });
  const shown = (): PeriodRow[] => (rows.props() as { modelValue: PeriodRow[] }).modelValue; // its model
  const names = (): string[] => shown().map(({ name }) => name);
  const [before, entered] = [names(), names().map((name) => `${name} later`)];
  (rows.vm as ComponentPublicInstance).$emit(
    'update:modelValue',
    shown().map((row) => ({ ...row, name: `${row.name} later` })),
  );
  await flushPromises();
  expect(names()).toEqual(entered);
  const buttons = page.get('.climate__taking').findAll('button');
  await buttons.find((button) => button.text() === 'Discard')?.trigger('click');
  await settled();
  expect(names()).toEqual(before);
  expect(useNotice().shown?.action?.label).toBe('Undo');
  useNotice().shown?.action?.run();
  await flushPromises();
  expect(names()).toEqual(entered);
});
