import type { ApiKeyService } from '../../services/account/api-key.ts';
import type { RoleService } from '../../services/account/role.ts';
import type { Route } from '../route.ts';
import { apiKeyRoutes } from './api-key.ts';
import { authRoutes, type AuthServices } from './auth.ts';
import { roleRoutes } from './role.ts';
import { totpRoutes } from './totp.ts';
import { userRoutes, type UserServices } from './user.ts';

export interface AccountServices extends AuthServices, UserServices {
  roles: RoleService;
  keys: ApiKeyService;
}

/** Accounts, roles and credentials. */
export function accountRoutes(services: AccountServices): Route[] {
  return [
    ...authRoutes(services),
    ...totpRoutes(services.factors),
    ...userRoutes(services),
    ...roleRoutes(services.roles),
    ...apiKeyRoutes(services.keys),
  ];
}
