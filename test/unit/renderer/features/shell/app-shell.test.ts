// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';
import { defineComponent, h, shallowRef } from 'vue';
import AppShell from '../../../../../renderer/features/shell/AppShell.vue';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import ConfirmDialog from '../../../../../renderer/ui/ConfirmDialog.vue';
import { idOf } from '../../../../../renderer/features/feature.ts';
import { mounted } from '../../ui/mounted.ts';

// Menus measure it, and happy-dom has none.
vi.stubGlobal('visualViewport', Object.assign(new EventTarget(), { width: 1280, height: 800 }));

/** A page that, like those of a house, remembers what it read when it was opened. */
const page = defineComponent(
  (props: { facilityUuid?: string | undefined }) => {
    const read = shallowRef(props.facilityUuid);
    return () => h('p', { id: 'read' }, read.value);
  },
  { props: ['facilityUuid'] },
);

it('shows of a house nothing on the page of another', async () => {
  const shell = mounted(AppShell, {
    routes: [
      {
        path: '/houses/:facility_uuid',
        component: page,
        props: (route) => ({ facilityUuid: idOf(route.params.facility_uuid) }),
      },
    ],
  });
  const router = shell.vm.$router;
  await router.push('/houses/a');
  expect(shell.get('#read').text()).toBe('a');
  await router.push('/houses/b');
  await flushPromises();
  expect(shell.get('#read').text()).toBe('b');
});

it('says of an emergency stop from when it is known while the connection is lost, whose words are in its sign', async () => {
  vi.useFakeTimers({ now: new Date('2026-03-01T07:00:00.000Z') });
  const shell = mounted(AppShell, { routes: [{ path: '/', component: page }] });
  const live = useLive();
  live.stream = 'open';
  live.emergency = { active: true, since: '2026-03-01T06:00:00.000Z', by: 'kim', reason: null };
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shell.get('.emergency .notice').text()).toMatch(/^Emergency stop by kim/);
  live.stream = 'lost';
  await vi.advanceTimersByTimeAsync(3_000);
  expect(shell.get('.emergency .notice').text()).toMatch(
    /^As of .*: Emergency stop by kim since .* Whether the outputs are safe is unknown\.$/,
  );
  const lost = 'No live values: the connection to the server is down. Reconnecting…';
  expect(shell.get('.banners [role=img]').attributes()).toMatchObject({ 'aria-label': lost, title: lost });
  expect(shell.get('.banners').text()).toBe(''); // nothing that is hidden, and nothing that takes the focus
  live.stream = 'open';
  await vi.advanceTimersByTimeAsync(3_000);
  expect(shell.get('.emergency .notice').text()).toMatch(/^Emergency stop by kim/);
  vi.useRealTimers();
});

it('keeps the emergency stop when the session is over, and asks of it once somebody has logged in', async () => {
  const session = { user: { username: 'kim' }, permissions: ['edit_controllers'], csrf_token: '' };
  const shell = mounted(AppShell, {
    routes: [{ path: '/', component: page }],
    fetch: async () => Response.json(session),
  });
  const known = useSession();
  const logIn = () => known.login({ username: 'kim', password: 'a long password' });
  await logIn();
  known.hasEnded = true;
  await flushPromises();
  const isAsked = () => (shell.findComponent(ConfirmDialog).props() as { modelValue: boolean }).modelValue;
  const press = () => shell.get('button[aria-label="Emergency stop"]').trigger('click');
  await press();
  expect([known.isAsking, isAsked()]).toEqual([true, false]);
  known.isAsking = false; // put off
  await flushPromises();
  await logIn();
  await flushPromises();
  expect(isAsked()).toBe(false);
  known.hasEnded = true;
  await flushPromises();
  await press();
  await logIn();
  await flushPromises();
  expect(isAsked()).toBe(true);
});
