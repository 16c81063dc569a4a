// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it } from 'vitest';
import ClimatePage from '../../../../../renderer/features/climate/ClimatePage.vue';
import { useLive } from '../../../../../renderer/stores/live.ts';
import type { ClimateLive } from '../../../../../server/contract/climate-live.ts';
import { setpointNames, type Climate } from '../../../../../server/contract/climate-settings.ts';
import { programOf } from '../../../../support/climate-run.ts';
import { mounted } from '../../ui/mounted.ts';

const id = '00000000-0000-4000-8000-000000000001';
const program: Climate = {
  ...programOf(),
  ...{ unique_id: id, facility_uuid: id, name: 'House 1', is_activated: true, revision: 1 },
};
const live: ClimateLive = {
  ...{ climate_id: id, facility_uuid: id, at: '2026-03-01T06:00:00.000Z', period: 'Day', setpoints: null },
  loops: [
    {
      ...{ loop: 'heating', target: 19, measured: 18.2, demand_pct: 40, limits: [] },
      cause: { code: 'warm_enough', values: {} },
    },
  ],
  ...{ fallbacks: [], sums: null, actuators: [] },
};
const empty = { values: [], period: [], shift: [], shares: [] };
const preview = {
  ...{ times: [], periods: [], forecast: null, sun: { sunrises: [], sunsets: [] } },
  setpoints: Object.fromEntries(setpointNames.map((name) => [name, empty])),
};

const answers: Record<string, unknown> = { '/live': live, '/preview': preview, '': program };

/** The page of a house with a running program. */
async function opened() {
  const page = mounted(ClimatePage, {
    props: { facilityUuid: id },
    routes: [{ name: 'house', path: '/houses/:facility_uuid', component: ClimatePage }],
    fetch: (address) => {
      const { pathname } = new URL(address as string, 'https://here');
      const answer = answers[pathname.slice(pathname.indexOf('/climate') + '/climate'.length)];
      return answer === undefined ? new Promise(() => undefined) : Promise.resolve(Response.json(answer));
    },
  });
  for (let turn = 0; turn < 10; turn += 1) await flushPromises(); // answers are read in several
  return page;
}

it('says from when its loops are, and draws no present value, once the connection is lost', async () => {
  const page = await opened();
  const stream = useLive();
  stream.stream = 'open';
  await flushPromises();
  expect(page.text()).not.toContain('These values are from');
  expect(page.text()).toMatch(/Measured indoors\s18\.2/);
  stream.stream = 'lost';
  await flushPromises();
  expect(page.text()).toMatch(/These values are from .*2026.* lost its connection/);
  expect(page.find('section.not-current').text()).toContain('18.2');
  expect(page.text()).not.toContain('Measured indoors');
});
