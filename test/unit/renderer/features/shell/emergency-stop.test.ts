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
  { what: 'closes its question with the answer', events: [], after: stopped, closed: [[false]] },
  {
    what: 'leaves the next question open when the answer comes after the event',
    events: [stopped],
    after: stopped,
    closed: undefined,
  },
])('$what', async ({ events, after, closed }) => {
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  const button = mounted(EmergencyStop, {
    props: { place: 'button', modelValue: true },
    fetch: async (address) => {
      if (address !== '/api/emergency_stop') {
        return Response.json({ user: { username: 'kim' }, permissions: ['edit_controllers'], csrf_token: '' });
      }
      await mayAnswer;
      return Response.json(stopped);
    },
  });
  await useSession().login({ username: 'kim', password: 'a long password' });
  const live = useLive();
  live.emergency = released;
  await nextTick();
  const dialog = button.findComponent(ConfirmDialog);
  dialog.vm.$emit('confirm');
  for (const event of events) live.emergency = event;
  answer();
  for (let turn = 0; turn < 5; turn += 1) await flushPromises(); // the answer is read in several
  expect([live.emergency, button.emitted('update:modelValue')]).toEqual([after, closed]);
});
