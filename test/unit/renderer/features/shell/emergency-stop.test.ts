// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { nextTick } from 'vue';
import EmergencyStop from '../../../../../renderer/features/shell/EmergencyStop.vue';
import { useLive } from '../../../../../renderer/stores/live.ts';
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
