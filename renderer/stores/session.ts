import { useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { authEndpoints, type Login, type Session, type Setup } from '../../server/contract/auth.ts';
import type { Permission } from '../../server/contract/permission.ts';
import { isApiError } from '../client/api-error.ts';
import { useClient } from '../client/client.ts';

type Known = Pick<Session, 'user' | 'permissions'>;

/** The logged-in user. */
export const useSession = defineStore('session', () => {
  const client = useClient();
  const known = shallowRef<Known | null>(null);
  /** null until the server has answered. */
  const isSetUp = shallowRef<boolean | null>(null);
  /** True when a session has expired: its role still says what is shown, but nothing is live or sent any more. */
  const hasEnded = shallowRef(false);
  /** Whether an expired session asks for the log-in over the page. */
  const isAsking = shallowRef(false);
  const lastUsername = shallowRef<string>();
  /** Another user took over: the page still knows what the last one saw, and must be loaded anew. */
  const isTakenOver = shallowRef(false);
  /** A user logged out while the server was away: the cookie must not log anyone in once it is back. */
  const owesLogout = useLocalStorage('orangery.owesLogout', false);

  client.sessionEnded = (isCommand) => {
    if (known.value === null) return;
    hasEnded.value = true;
    if (isCommand) isAsking.value = true;
  };

  function begin(session: Known & { csrf_token: string | null }): void {
    // Recalled answers, and what depends on them, are not live yet.
    if (!client.isRecalled.value) client.goLive();
    void client.remember(authEndpoints.state, { is_set_up: true });
    void client.remember(authEndpoints.session, session);
    client.csrfToken = session.csrf_token;
    const { username } = session.user;
    if (lastUsername.value !== undefined && lastUsername.value !== username) isTakenOver.value = true;
    known.value = session;
    lastUsername.value = username;
    hasEnded.value = false;
    isAsking.value = false;
  }

  /** Asks the server for the session. Throws ApiError when it is unreachable and nothing was stored. */
  async function load(sent: { isProbe?: boolean } = {}): Promise<void> {
    const { is_set_up } = await client.call(authEndpoints.state, sent);
    try {
      const session = is_set_up ? await client.call(authEndpoints.session, sent) : null;
      // A user who logged out meanwhile stays logged out.
      const isWanted = sent.isProbe !== true || client.isRecalled.value;
      // A cookie that is due to be ended logs nobody in.
      if (session !== null && owesLogout.value) await endOwed(session.csrf_token).catch(() => undefined); // tried again
      else if (session !== null && isWanted) begin(session);
    } catch (error) {
      if (!isApiError(error) || error.code !== 'authentication_required') throw error;
    }
    isSetUp.value = is_set_up;
  }

  async function login(credentials: Login): Promise<void> {
    const session = await client.call(authEndpoints.login, { body: credentials });
    owesLogout.value = false; // the cookie is a new one now
    begin(session);
  }

  /** Creates the first administrator and logs in as that user. */
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

  /** Ends the session of a user who logged out while the server was away. Throws ApiError. */
  async function settle(): Promise<void> {
    if (!owesLogout.value || known.value !== null) return;
    try {
      await endOwed((await client.call(authEndpoints.session, { isProbe: true })).csrf_token);
    } catch (error) {
      if (!isApiError(error) || error.code !== 'authentication_required') throw error;
      owesLogout.value = false;
    }
  }

  /**
   * This browser forgets the session in any case. Throws ApiError when the server's session remains: it ends when the
   * server is back.
   */
  async function logout(): Promise<void> {
    try {
      await client.call(authEndpoints.logout);
    } catch (error) {
      if (isApiError(error) && error.code === 'authentication_required') return;
      owesLogout.value = true;
      throw error;
    } finally {
      known.value = null;
      hasEnded.value = false;
      await client.forget();
    }
  }

  return {
    isSetUp,
    hasEnded,
    isAsking,
    lastUsername,
    isTakenOver,
    isLoggedIn: computed(() => known.value !== null && !hasEnded.value),
    user: computed(() => known.value?.user ?? null),
    can: (permission: Permission): boolean => known.value?.permissions.includes(permission) ?? false,
    load,
    login,
    setUp,
    settle,
    logout,
  };
});
