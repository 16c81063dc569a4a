import { roleEndpoints } from '../../contract/role.ts';
import type { RoleService } from '../../services/account/role.ts';
import { pageOf } from '../page.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export function roleRoutes(roles: RoleService): Route[] {
  return [
    defineRoute(roleEndpoints.list, ({ query }) => {
      const { page, next_cursor } = pageOf(roles.list(), query, ({ unique_id }) => unique_id);
      return { roles: page, next_cursor };
    }),
    defineRoute(roleEndpoints.create, ({ body, actor }) => {
      const role = roles.create(body, actor);
      return new Reply(201, role, { Location: `/api/settings/roles/${role.unique_id}` });
    }),
    defineRoute(roleEndpoints.get, ({ params }) => roles.get(params.role_id)),
    defineRoute(roleEndpoints.update, ({ params, body, actor }) => roles.update(params.role_id, body, actor)),
    defineRoute(roleEndpoints.remove, ({ params, actor }) => {
      roles.remove(params.role_id, actor);
      return { unique_id: params.role_id, deleted: true as const };
    }),
  ];
}
