import { authEndpoints } from '../../contract/auth.ts';
import type { AccountService } from '../../services/account/account.ts';
import type { LoginService } from '../../services/account/login.ts';
import type { SessionService } from '../../services/account/session.ts';
import { defineRoute, Reply, type Route } from '../route.ts';
import { clearSessionCookie, setSessionCookie } from '../session-cookie.ts';

export interface AuthServices {
  accounts: AccountService;
  logins: LoginService;
  sessions: SessionService;
}

export function authRoutes({ accounts, logins, sessions }: AuthServices): Route[] {
  return [
    defineRoute(authEndpoints.setup, async ({ body, actor }) => {
      const user = await accounts.setUp(body, actor);
      return new Reply(201, { user }, { Location: `/api/settings/users/${user.unique_id}` });
    }),
    defineRoute(authEndpoints.login, async ({ body, actor }) => {
      const { session, token, maxAge_s } = await logins.logIn(body, actor);
      return new Reply(200, session, { 'Set-Cookie': setSessionCookie(token, maxAge_s) });
    }),
    defineRoute(authEndpoints.logout, ({ actor }) => {
      logins.logOut(actor);
      return new Reply(200, { logged_out: true as const }, { 'Set-Cookie': clearSessionCookie() });
    }),
    defineRoute(authEndpoints.session, ({ actor }) => logins.session(actor)),
    defineRoute(authEndpoints.sessions, ({ actor }) => ({ sessions: sessions.list(actor) })),
    defineRoute(authEndpoints.endSession, ({ params, actor }) => {
      sessions.end(params.session_id, actor);
      return { session_id: params.session_id, ended: true as const };
    }),
    defineRoute(authEndpoints.state, () => ({ is_set_up: accounts.isSetUp() })),
  ];
}
