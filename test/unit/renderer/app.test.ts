// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import App from '../../../renderer/App.vue';
import { useSession } from '../../../renderer/stores/session.ts';
import { mounted } from './ui/mounted.ts';

// Menus measure it, and happy-dom has none.
vi.stubGlobal('visualViewport', Object.assign(new EventTarget(), { width: 1280, height: 800 }));
afterEach(() => vi.restoreAllMocks());

const whatKimSaw = defineComponent(() => () => h('p', 'what kim saw'));

/** A page of which kim has logged out. */
async function leftByKim() {
  const reload = vi.spyOn(location, 'reload').mockReturnValue();
  const page = mounted(App, {
    routes: [{ path: '/', component: whatKimSaw, meta: { isPublic: true } }],
    fetch: (address, sent) =>
      Promise.resolve(
        address === '/api/auth/login'
          ? Response.json({ user: JSON.parse(sent?.body as string) as unknown, permissions: [], csrf_token: '' })
          : Response.json({ devices: [] }),
      ),
  });
  await page.vm.$router.push('/');
  const session = useSession();
  const logIn = async (username: string): Promise<void> => {
    await session.login({ username, password: 'a long password' });
    await flushPromises();
  };
  await logIn('kim');
  await session.logout();
  expect(page.text()).toBe('what kim saw');
  return { page, logIn, reload };
}

it('shows nothing of what the last user saw to another one, and is loaded anew', async () => {
  const { page, logIn, reload } = await leftByKim();
  await logIn('guest');
  expect([page.text(), reload.mock.calls.length]).toEqual(['', 1]);
});

it('stays as it is for the same user', async () => {
  const { page, logIn, reload } = await leftByKim();
  await logIn('kim');
  expect([page.text(), reload.mock.calls.length]).toEqual(['what kim saw', 0]);
});
