// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import AlarmFilterBar from '../../../../../renderer/features/alarms/AlarmFilterBar.vue';
import ChoiceRow from '../../../../../renderer/ui/ChoiceRow.vue';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { mounted } from '../../ui/mounted.ts';

it('writes how many alarms there are as any other number', () => {
  const alarms = Array.from({ length: 1_234 }, () => ({ severity: 'warning' })); // all that it reads of them
  const bar = mounted(AlarmFilterBar, {
    props: { alarms, filter: { text: '', severity: null }, order: 'place' },
  });
  const [severity] = bar.findAllComponents(ChoiceRow);
  expect(severity?.text()).toContain(`${en.alarms.all} (1,234)`);
  expect(severity?.text()).toContain(`${en.alarms.severity.warning} (1,234)`);
});
