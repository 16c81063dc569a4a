// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { VSelect } from 'vuetify/components/VSelect';
import VerdictForm from '../../../../../renderer/features/commissioning/VerdictForm.vue';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { mounted } from '../../ui/mounted.ts';

const item = { device_id: 'a', channel: 0, role: 'heater', name: 'Boiler', note: '', verdict: 'none' };
const open = { ...item, verdict_reason: null }; // all that it reads of it

it('holds for a reason alone, and approves without', async () => {
  const judge = vi.fn<(verdict: unknown) => Promise<void>>(() => Promise.resolve());
  const form = mounted(VerdictForm, { props: { item: open, judge } });
  const press = (name: string) =>
    form
      .findAll('button')
      .find((one) => one.text() === name)
      ?.trigger('click');
  await press(en.commissioning.hold);
  expect(form.get('[role=alert]').text()).toBe(en.commissioning.reasonMissing);
  expect(judge).not.toHaveBeenCalled();
  await form.getComponent(VSelect).setValue('sensor');
  expect(form.find('[role=alert]').exists()).toBe(false);
  await press(en.commissioning.hold);
  const verdict = { device_id: 'a', channel: 0, note: '' };
  expect(judge.mock.lastCall).toEqual([{ ...verdict, verdict: 'held', reason: 'sensor' }]);
  await form.getComponent(VSelect).setValue(null);
  await press(en.commissioning.approve);
  expect(judge.mock.lastCall).toEqual([{ ...verdict, verdict: 'approved' }]);
});
