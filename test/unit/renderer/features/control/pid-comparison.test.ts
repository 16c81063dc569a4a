// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { VSelect } from 'vuetify/components/VSelect';
import PidComparison from '../../../../../renderer/features/control/PidComparison.vue';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import QuantityField from '../../../../../renderer/ui/QuantityField.vue';
import type { PidRehearsal } from '../../../../../server/contract/pid-rehearsal.ts';
import { heating, id } from './heating-pid.ts';
import { mounted } from '../../ui/mounted.ts';
import { eventually } from '../../../../support/eventually.ts';

const run = {
  kp: 12,
  ki: 0.02,
  kd: 0,
  values: [20, 22],
  control: [0, 50],
  overshoot: 0,
  rise_s: 60,
  settling_s: 90,
  error_h: 1,
  moves: 3,
};
const answer: PidRehearsal = {
  pid_id: id,
  unit: 'C',
  raise: 'heater',
  lower: null,
  times_s: [0, 3_600],
  runs: [run, run],
};

/** A server that lets this user edit, and answers each comparison with the same runs. */
function fetch(address: string | URL | Request): Promise<Response> {
  const { pathname } = new URL(address instanceof Request ? address.url : String(address), 'https://here');
  const session = { user: { unique_id: id, username: 'kim' }, permissions: ['edit_controllers'], csrf_token: '' };
  return Promise.resolve(Response.json(pathname.endsWith('/rehearse') ? answer : session));
}

const props = { pid: heating, now: undefined, unit: 'C', quantity: 'temperature', proposed: null };

it('says that its result is not of the gains that are entered now, and does not offer those to be used', async () => {
  const page = mounted(PidComparison, { props, fetch });
  await useSession().login({ username: 'kim', password: 'secret' });
  const compare = () => page.get('form').trigger('submit');
  const use = () => page.findAll('.compare__deeds button')[0]?.attributes('disabled');
  await compare();
  await eventually(() => expect(page.find('[data-compare-found]').exists()).toBe(true));
  expect(page.text()).not.toContain(en.capacity.outdated);
  expect(use()).toBeUndefined();
  page.findAllComponents(QuantityField)[0]?.vm.$emit('update:modelValue', 30);
  await eventually(() => expect(page.text()).toContain(en.capacity.outdated));
  expect(use()).toBe('');
  await compare();
  await eventually(() => expect(page.text()).not.toContain(en.capacity.outdated));
});

it('keeps what was chosen while a comparison ran, and calls the result outdated', async () => {
  const answered = Promise.withResolvers<void>();
  const slow: typeof globalThis.fetch = async (address) => {
    const response = await fetch(address);
    if (typeof address === 'string' && address.endsWith('/rehearse')) await answered.promise;
    return response;
  };
  const page = mounted(PidComparison, { props, fetch: slow });
  await useSession().login({ username: 'kim', password: 'secret' });
  await page.get('form').trigger('submit');
  page.findComponent(VSelect).vm.$emit('update:modelValue', 'lighting');
  answered.resolve();
  await eventually(() => expect(page.find('[data-compare-found]').exists()).toBe(true));
  expect(page.findComponent(VSelect).props('modelValue')).toBe('lighting');
  expect(page.text()).toContain(en.capacity.outdated);
});
