import { userEndpoints } from '../../contract/user.ts';
import type { AccountService } from '../../services/account/account.ts';
import type { AccountChangeService } from '../../services/account/change.ts';
import type { TotpService } from '../../services/account/totp.ts';
import { pageOf } from '../page.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export interface UserServices {
  accounts: AccountService;
  accountChanges: AccountChangeService;
  factors: TotpService;
}

export function userRoutes({ accounts, accountChanges, factors }: UserServices): Route[] {
  return [
    defineRoute(userEndpoints.list, ({ query }) => {
      const { page, next_cursor } = pageOf(accounts.list(), query, ({ unique_id }) => unique_id);
      return { users: page, next_cursor };
    }),
    defineRoute(userEndpoints.create, async ({ body, actor }) => {
      const user = await accounts.create(body, actor);
      return new Reply(201, user, { Location: `/api/settings/users/${user.unique_id}` });
    }),
    defineRoute(userEndpoints.get, ({ params, actor }) => accounts.get(params.user_id, actor)),
    defineRoute(userEndpoints.update, ({ params, body, actor }) => accountChanges.update(params.user_id, body, actor)),
    defineRoute(userEndpoints.remove, ({ params, actor }) => {
      accountChanges.remove(params.user_id, actor);
      return { unique_id: params.user_id, deleted: true as const };
    }),
    defineRoute(userEndpoints.removeTotp, ({ params, actor }) => {
      factors.removeOf(params.user_id, actor);
      return { is_enabled: false as const };
    }),
  ];
}
