import type { Accounts } from '../../services/account/compose.ts';
import type { Route } from '../route.ts';
import { apiKeyRoutes } from './api-key.ts';
import { authRoutes } from './auth.ts';
import { roleRoutes } from './role.ts';
import { totpRoutes } from './totp.ts';
import { userRoutes } from './user.ts';

export type AccountServices = Pick<
  Accounts,
  'accounts' | 'accountChanges' | 'roles' | 'logins' | 'sessions' | 'factors' | 'keys'
>;

/** Who there is, what they may, and how they say who they are. */
export function accountRoutes(services: AccountServices): Route[] {
  return [
    ...authRoutes(services),
    ...totpRoutes(services.factors),
    ...userRoutes(services),
    ...roleRoutes(services.roles),
    ...apiKeyRoutes(services.keys),
  ];
}
