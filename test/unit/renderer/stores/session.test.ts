// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { defineComponent } from 'vue';
import { useCall } from '../../../../renderer/client/client.ts';
import { safetyEndpoints } from '../../../../server/contract/safety.ts';
import { useSession } from '../../../../renderer/stores/session.ts';
import { mounted } from '../ui/mounted.ts';

const user = { unique_id: '00000000-0000-4000-8000-000000000001', username: 'kim', role: 'Admin', email: null };
const permissions = ['edit_controllers'];
const session = { user: { ...user, language: null, is_enabled: true, last_login_at: null }, permissions };
/** What the server has of the cookie of this browser. */
let cookie: string | null;
let isAway: boolean;

const answers: Record<string, () => Response> = {
  '/api/auth/state': () => Response.json({ is_set_up: true }),
  '/api/auth/session': () => (cookie === null ? refused() : Response.json({ ...session, csrf_token: cookie })),
  '/api/emergency_stop': () => refused(),
  '/api/auth/login': () => Response.json({ ...session, csrf_token: (cookie = 'another') }),
};

const refused = (): Response =>
  Response.json({ code: 'authentication_required', detail: 'no session' }, { status: 401 });

beforeEach(() => {
  localStorage.clear();
  cookie = 'token';
  isAway = false;
});

let stop: () => Promise<unknown>;

/** The page as it is opened in this browser. */
function opened() {
  const page = defineComponent(() => {
    const call = useCall();
    stop = () => call(safetyEndpoints.stopAll, { body: {} });
    return () => null;
  });
  mounted(page, {
    fetch: async (address, sent) => {
      if (isAway) throw new TypeError('away');
      const path = new URL(address as string, 'https://here').pathname;
      if (path !== '/api/auth/logout') return answers[path]?.() ?? Response.error();
      expect(new Headers(sent?.headers).get('X-CSRF-Token')).toBe(cookie);
      cookie = null;
      return Response.json({ logged_out: true });
    },
  });
  return useSession();
}

async function logOutWhileAway() {
  const page = opened();
  await page.load();
  expect(page.isLoggedIn).toBe(true);
  isAway = true;
  await expect(page.logout()).rejects.toThrow();
  expect(page.isLoggedIn).toBe(false);
  return page;
}

it('who logs out while the server is away is out, also for it once it is back', async () => {
  const page = await logOutWhileAway();
  await expect(page.settle()).rejects.toThrow();
  isAway = false;
  await page.settle();
  expect(cookie).toBeNull();
});

it('nobody is let in by the cookie that was left, on a page that is opened anew', async () => {
  await logOutWhileAway();
  isAway = false;
  const page = opened();
  await page.load();
  expect([page.isLoggedIn, cookie]).toEqual([false, null]);
});

it('who logs in again stays in', async () => {
  const page = await logOutWhileAway();
  isAway = false;
  await page.login({ username: 'kim', password: 'secret' });
  await page.settle();
  expect([page.isLoggedIn, cookie]).toEqual([true, 'another']);
});

it('an expired one goes on saying what its role may, and asks for the log-in by each command', async () => {
  const page = opened();
  await page.load();
  cookie = null;
  await expect(page.load()).resolves.toBeUndefined();
  const now = () => [page.isLoggedIn, page.hasEnded, page.isAsking, page.can('edit_controllers')];
  expect(now()).toEqual([false, true, false, true]);
  await expect(stop()).rejects.toThrow();
  expect(now()).toEqual([false, true, true, true]);
  await page.login({ username: 'kim', password: 'secret' });
  expect(now()).toEqual([true, false, false, true]);
  await page.logout();
  expect(now()).toEqual([false, false, false, false]);
});
