// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';
import { defineComponent } from 'vue';
import SessionDialog from '../../../../../renderer/features/login/SessionDialog.vue';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { mounted } from '../../ui/mounted.ts';

// Dialogs measure it, and happy-dom has none.
vi.stubGlobal('visualViewport', Object.assign(new EventTarget(), { width: 1280, height: 800 }));

const page = defineComponent(() => () => null);

it.each([
  { address: '/houses', asksByItself: true },
  { address: '/?wall', asksByItself: false },
])('over $address asks for the log-in by itself: $asksByItself', async ({ address, asksByItself }) => {
  const routes = ['/', '/houses'].map((path) => ({ path, component: page }));
  const session = { user: { username: 'kim' }, permissions: [], csrf_token: '' };
  const dialog = mounted(SessionDialog, { routes, fetch: async () => Response.json(session) });
  await dialog.vm.$router.push(address);
  const known = useSession();
  await known.login({ username: 'kim', password: 'a long password' });
  const isOpen = () => document.body.textContent?.includes('Your session has ended. Log in to continue');
  expect(isOpen()).toBe(false);
  known.hasEnded = true;
  await flushPromises();
  expect(isOpen()).toBe(asksByItself);
  known.isAsking = true; // by a command
  await flushPromises();
  expect(isOpen()).toBe(true);
  document.querySelector<HTMLElement>('.dialog__later')?.click();
  await flushPromises();
  expect([known.isAsking, known.hasEnded]).toEqual([false, true]);
  dialog.unmount();
  await flushPromises();
});
