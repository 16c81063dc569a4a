// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { VSelect } from 'vuetify/components/VSelect';
import { VTextField } from 'vuetify/components/VTextField';
import RehearsalCard from '../../../../../renderer/features/climate/RehearsalCard.vue';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { useSettings } from '../../../../../renderer/stores/settings.ts';
import type { Rehearsal } from '../../../../../server/contract/climate-rehearsal.ts';
import { climateDefaults, type Climate } from '../../../../../server/contract/climate-settings.ts';
import { defaultSettings } from '../../../../../server/services/setting/defaults.ts';
import { mounted } from '../../ui/mounted.ts';
import { eventually } from '../../../../support/eventually.ts';

const id = '00000000-0000-4000-8000-000000000001';
const program: Climate = {
  unique_id: id,
  facility_uuid: id,
  name: 'Tomato',
  is_activated: true,
  revision: 1,
  ...climateDefaults,
  periods: [{ name: 'Day', start: { event: 'clock', at: '07:30' }, setpoints: { heating_c: 19, ventilation_c: 23 } }],
};
const found: Rehearsal = {
  from: '2026-01-15',
  days: 1,
  crop: 'full',
  weather: 'Suwon',
  stored: null,
  calibration: null,
  assumed: [],
  unseen: [],
  programs: [figures('present')],
};

function figures(which: 'present' | 'changed'): Rehearsal['programs'][number] {
  const none = { cost_heat: null, cost_lamps: null, cost_co2: null, cost_water: null };
  const amounts = { cold_kh: 1, warm_kh: 2, humid_h: 0, heat_kwh_m2: 3, lamps_kwh_m2: 0, co2_kg_m2: 0 };
  const days = { mean_c: [18], heat_kwh_m2: [3] };
  return { which, ...amounts, co2_lost_kg_m2: 0, water_l_m2: 0, moves: [], ...none, days };
}

/** A server that answers each rehearsal with the same figures. */
function fetch(address: string | URL | Request): Promise<Response> {
  const { pathname } = new URL(address instanceof Request ? address.url : String(address), 'https://here');
  const job = { job_id: id, kind: 'climate.rehearse', created_at: '2026-01-15T00:00:00Z', ended_at: null };
  if (pathname.endsWith('/rehearse')) return Promise.resolve(Response.json({ job_id: id }, { status: 201 }));
  if (pathname.startsWith('/api/jobs')) {
    return Promise.resolve(Response.json({ ...job, status: 'done', done: 1, total: 1, result: found }));
  }
  return Promise.resolve(Response.json({ weather_files: [] }));
}

async function rehearsed() {
  const props = { program, changed: null, isWhole: true };
  const routes = [{ name: 'house-edit', path: '/houses/:facility_uuid/edit', component: RehearsalCard }];
  const card = mounted(RehearsalCard, { props, fetch, routes });
  await card.get('.form-card__actions button').trigger('click');
  await eventually(() => expect(card.find('table').exists()).toBe(true));
  return card;
}

it.each<[string, (card: Awaited<ReturnType<typeof rehearsed>>) => Promise<unknown>]>([
  ['the draft', (card) => card.setProps({ changed: { periods: program.periods } })],
  [
    'the program',
    (card) => card.setProps({ program: { ...program, periods: [{ ...program.periods[0], name: 'Noon' }] } }),
  ],
  ['the first day', (card) => card.getComponent(VTextField).setValue('2026-02-01')],
  ['how long', (card) => card.findAllComponents(VSelect)[0]?.setValue(60) ?? Promise.reject(new Error('no choice'))],
])('says that its figures are no longer of what is entered after a change of %s', async (_what, change) => {
  const card = await rehearsed();
  expect(card.text()).not.toContain(en.capacity.outdated);
  await change(card);
  expect(card.text()).toContain(en.capacity.outdated);
  await card.get('.form-card__actions button').trigger('click');
  await eventually(() => expect(card.text()).not.toContain(en.capacity.outdated));
});

it('is still of the program after that was turned off', async () => {
  const card = await rehearsed();
  await card.setProps({ program: { ...program, is_activated: false } });
  expect(card.text()).not.toContain(en.capacity.outdated);
});

it('begins in the January of the year that the site has', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 11, 31, 12), toFake: ['Date'] });
  try {
    const ofSite = defineComponent(() => {
      useSettings().site = defaultSettings('Pacific/Kiritimati'); // 14 hours ahead of UTC
      return () => h(RehearsalCard, { program, changed: null, isWhole: true });
    });
    const card = mounted(ofSite, { fetch });
    expect(card.getComponent(VTextField).props('modelValue')).toBe('2027-01-15');
  } finally {
    vi.useRealTimers();
  }
});
