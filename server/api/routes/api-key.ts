import { apiKeyEndpoints } from '../../contract/api-key.ts';
import type { ApiKeyService } from '../../services/account/api-key.ts';
import { pageOf } from '../page.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export function apiKeyRoutes(keys: ApiKeyService): Route[] {
  return [
    defineRoute(apiKeyEndpoints.list, ({ params, query, actor }) => {
      const { page, next_cursor } = pageOf(keys.list(params.user_id, actor), query, ({ key_id }) => key_id);
      return { api_keys: page, next_cursor };
    }),
    defineRoute(apiKeyEndpoints.get, ({ params, actor }) =>
      keys.get({ userId: params.user_id, keyId: params.key_id }, actor),
    ),
    defineRoute(apiKeyEndpoints.create, ({ params, body, actor }) => {
      const created = keys.create(params.user_id, body, actor);
      const location = `/api/settings/users/${params.user_id}/api_keys/${created.key_id}`;
      return new Reply(201, created, { Location: location });
    }),
    defineRoute(apiKeyEndpoints.revoke, ({ params, actor }) =>
      keys.revoke({ userId: params.user_id, keyId: params.key_id }, actor),
    ),
  ];
}
