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
      if (session !== null && isWanted) begin(session);
    } catch (error) {
      if (!isApiError(error) || error.code !== 'authentication_required') throw error;
    }
    isSetUp.value = is_set_up;
  }

  async function login(credentials: Login): Promise<void> {
    begin(await client.call(authEndpoints.login, { body: credentials }));
  }

  /** Makes the first administrator and logs in as that user. */
  async function setUp(first: Setup): Promise<void> {
    await client.call(authEndpoints.setup, { body: first });
    isSetUp.value = true;
    await login({ username: first.username, password: first.password });
  }

  /** This browser forgets the session in any case. Throws ApiError where the server's stands still. */
  async function logout(): Promise<void> {
    try {
      await client.call(authEndpoints.logout);
    } catch (error) {
      if (!isApiError(error) || error.code !== 'authentication_required') throw error;
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
    logout,
  };
});
