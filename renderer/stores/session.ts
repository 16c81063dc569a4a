import { useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { authEndpoints, type Login, type Session, type Setup } from '../../server/contract/auth.ts';
import type { Permission } from '../../server/contract/permission.ts';
import { isApiError } from '../client/api-error.ts';
import { useClient } from '../client/client.ts';

type Known = Pick<Session, 'user' | 'permissions'>;

/** Who is logged in. */
export const useSession = defineStore('session', () => {
  const client = useClient();
  const known = shallowRef<Known | null>(null);
  /** null until the server was asked. */
  const isSetUp = shallowRef<boolean | null>(null);
  /** True when a session that was there has ended: the log-in page says so. */
  const hasEnded = shallowRef(false);
  const lastUsername = shallowRef<string>();
  /** Somebody logged out while the server was away: its cookie must let nobody in once it is back. */
  const owesLogout = useLocalStorage('orangery.owesLogout', false);

  client.sessionEnded = () => {
    if (known.value !== null) hasEnded.value = true;
    known.value = null;
  };

  function begin(session: Known & { csrf_token: string | null }): void {
    // What was recalled, and what stands behind recalled answers, is not live yet.
    if (!client.isRecalled.value) client.goLive();
    void client.remember(authEndpoints.state, { is_set_up: true });
    void client.remember(authEndpoints.session, session);
    client.csrfToken = session.csrf_token;
    known.value = session;
    lastUsername.value = session.user.username;
    hasEnded.value = false;
  }

  /** Asks the server who we are. Throws ApiError when it cannot be reached and nothing was kept. */
  async function load(sent: { isProbe?: boolean } = {}): Promise<void> {
    const { is_set_up } = await client.call(authEndpoints.state, sent);
    try {
      const session = is_set_up ? await client.call(authEndpoints.session, sent) : null;
      // Who logged out while it was asked stays logged out.
      const isWanted = sent.isProbe !== true || client.isRecalled.value;
      // Nobody is let in by a cookie that is to end.
      if (session !== null && owesLogout.value)
        await endOwed(session.csrf_token).catch(() => undefined); // tried again
      else if (session !== null && isWanted) begin(session);
    } catch (error) {
      if (!isApiError(error) || error.code !== 'authentication_required') throw error;
    }
    isSetUp.value = is_set_up;
  }

  async function login(credentials: Login): Promise<void> {
    const session = await client.call(authEndpoints.login, { body: credentials });
    owesLogout.value = false; // the cookie is another now
    begin(session);
  }

  /** Makes the first administrator and logs in as that user. */
  async function setUp(first: Setup): Promise<void> {
    await client.call(authEndpoints.setup, { body: first });
    isSetUp.value = true;
    await login({ username: first.username, password: first.password });
  }

  async function endOwed(csrf_token: string | null): Promise<void> {
    client.csrfToken = csrf_token;
    await client.call(authEndpoints.logout, { isProbe: true });
    owesLogout.value = false;
    await client.forget();
  }

  /** Ends the session of who logged out while the server was away, where it is back. Throws ApiError. */
  async function settle(): Promise<void> {
    if (!owesLogout.value || known.value !== null) return;
    try {
      await endOwed((await client.call(authEndpoints.session, { isProbe: true })).csrf_token);
    } catch (error) {
      if (!isApiError(error) || error.code !== 'authentication_required') throw error;
      owesLogout.value = false;
    }
  }

  /** This browser forgets the session in any case. Throws ApiError where the server's stands still: it is ended when that is back. */
  async function logout(): Promise<void> {
    try {
      await client.call(authEndpoints.logout);
    } catch (error) {
      if (isApiError(error) && error.code === 'authentication_required') return;
      owesLogout.value = true;
      throw error;
    } finally {
      known.value = null;
      await client.forget();
    }
  }

  return {
    isSetUp,
    hasEnded,
    lastUsername,
    isLoggedIn: computed(() => known.value !== null),
    user: computed(() => known.value?.user ?? null),
    can: (permission: Permission): boolean => known.value?.permissions.includes(permission) ?? false,
    load,
    login,
    setUp,
    settle,
    logout,
  };
});
