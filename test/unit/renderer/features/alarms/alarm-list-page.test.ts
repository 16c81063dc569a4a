// @vitest-environment happy-dom
import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import type { Alarm } from '../../../../../server/contract/alarm.ts';
import AcknowledgeDialog from '../../../../../renderer/features/alarms/AcknowledgeDialog.vue';
import AlarmCard from '../../../../../renderer/features/alarms/AlarmCard.vue';
import AlarmListPage from '../../../../../renderer/features/alarms/AlarmListPage.vue';
import ConfirmDialog from '../../../../../renderer/ui/ConfirmDialog.vue';
import ErrorNotice from '../../../../../renderer/ui/ErrorNotice.vue';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useNotice } from '../../../../../renderer/stores/notice.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { mounted } from '../../ui/mounted.ts';

// Dialogs measure it, and happy-dom has none.
vi.stubGlobal('visualViewport', Object.assign(new EventTarget(), { width: 1280, height: 800 }));
vi.stubGlobal(
  'IntersectionObserver',
  class {
    constructor(seen: (entries: { isIntersecting: boolean; time: number }[]) => void) {
      queueMicrotask(() => seen([{ isIntersecting: true, time: 1 }]));
    }
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  },
);

const at = '2026-11-23T08:00:00Z';
const alarm: Alarm = {
  alarm_id: 'a',
  code: 'stale',
  severity: 'warning',
  source_kind: 'input',
  source_id: 'probe',
  source_name: 'Probe',
  channel: null,
  role: null,
  name: null,
  value: null,
  limit: null,
  unit: null,
  message: null,
  state: 'unacknowledged',
  is_raised: true,
  caused_by: null,
  is_first_out: false,
  occurrences: 1,
  raised_at: at,
  changed_at: at,
  acknowledged_by: null,
  acknowledged_at: null,
  shelved_until: null,
};

/** The page with alarms, seen by a grower, on a server that refuses whatever is done to an alarm while `isAway`. */
async function openPage(alarms: Alarm[] = [alarm]) {
  const server = { isAway: true, answer: { ...alarm, state: 'shelved' } as object };
  const session = { user: { username: 'kim' }, permissions: ['edit_controllers', 'view_stats'], csrf_token: '' };
  const page = mounted(AlarmListPage, {
    fetch: async (address) => {
      if (typeof address === 'string' && !address.includes('/alarm')) return Response.json(session);
      if (server.isAway) throw new TypeError('the server is away');
      return Response.json(server.answer);
    },
    routes: ['/alarms', '/alarms/journal'].map((path) => ({ path, component: {} })),
  });
  await useSession().login({ username: 'kim', password: 'a long password' });
  await useLive(page.vm.$pinia).takeAlarms(Promise.resolve(alarms), (listed) => listed);
  await flushPromises();
  return { page, server };
}

const isOpen = (dialog: Pick<VueWrapper, 'getComponent'>): boolean =>
  dialog.getComponent({ name: 'VDialog' }).props('modelValue') === true;

it.each(['shelve', 'remove'] as const)(
  'keeps the question of "%s" with its answers while it is refused',
  async (deed) => {
    const { page, server } = await openPage();
    page.getComponent(AlarmCard).vm.$emit(deed);
    await nextTick();
    const dialog = page.findAllComponents(ConfirmDialog).find(isOpen);
    dialog?.vm.$emit('confirm');
    await flushPromises();
    expect(dialog && isOpen(dialog)).toBe(true);
    expect(dialog?.getComponent(ErrorNotice).text()).toContain('server');
    server.isAway = false;
    dialog?.vm.$emit('confirm');
    await flushPromises();
    expect(dialog && isOpen(dialog)).toBe(false);
  },
);

it('moves no card by a refusal of what a card does at once', async () => {
  const { page } = await openPage();
  page.getComponent(AlarmCard).vm.$emit('acknowledge');
  await flushPromises();
  expect(page.find('[role=alert]').exists()).toBe(false);
  expect(useNotice(page.vm.$pinia).shown).toMatchObject({ kind: 'problem' });
});

it('does not say that there are no alarms before it has read them', async () => {
  const routes = ['/alarms', '/alarms/journal'].map((path) => ({ path, component: {} }));
  const page = mounted(AlarmListPage, { fetch: () => new Promise(() => undefined), routes });
  useLive().stream = 'open';
  await nextTick();
  expect(page.text()).toContain('Current alarms unknown');
  expect(page.text()).not.toContain('No alarms');
});

it('says of a shelved alarm that it is over, and no more that it is there', async () => {
  const { page } = await openPage();
  const shelved = { ...alarm, state: 'shelved', code: 'connection_lost', message: 'ECONNREFUSED' } as const;
  const tell = (is_raised: boolean) =>
    useLive(page.vm.$pinia).takeAlarms(Promise.resolve([{ ...shelved, is_raised }]), (listed) => listed);
  const told = (): string => page.getComponent(AlarmCard).text();
  await tell(true);
  await vi.waitFor(() => expect(told()).toMatch(/None of its devices can be reached.*ECONNREFUSED/s));
  await tell(false);
  await vi.waitFor(() => expect(told()).toContain('Its cause has cleared.'));
  expect(told()).not.toMatch(/can be reached|ECONNREFUSED/);
});

it('keeps no alarm in the list that is over once all were acknowledged together', async () => {
  const over: Alarm = { ...alarm, alarm_id: 'over', state: 'returned', is_raised: false };
  const there: Alarm = { ...alarm, alarm_id: 'there' };
  const { page, server } = await openPage([over, there, { ...alarm, state: 'shelved' }]);
  const states = () => page.findAllComponents(AlarmCard).map((card) => card.attributes('data-state'));
  expect(states()).toEqual(['unacknowledged', 'returned', 'shelved']);
  server.isAway = false;
  const alarms = [
    { ...over, state: 'normal' },
    { ...there, state: 'acknowledged' },
  ];
  server.answer = { alarms, refused: [] };
  await page
    .findAll('button')
    .find((one) => one.text() === 'Acknowledge all (2)')
    ?.trigger('click');
  page.getComponent(AcknowledgeDialog).vm.$emit('acknowledge', '');
  await vi.waitFor(() => expect(states()).toEqual(['acknowledged', 'shelved']));
  expect(page.text()).not.toContain('Cleared, not acknowledged');
});
