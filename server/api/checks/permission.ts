import type { Actor } from '../../auth/actor.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { Refusal } from '../../contract/errors.ts';
import { isEditing } from '../../contract/permission.ts';

/** Refuses callers who lack the endpoint's access. Throws `readonly_key`, `forbidden`. */
export function checkPermission(endpoint: Endpoint, actor: Actor): void {
  const { access } = endpoint;
  if (actor.scope === 'readonly' && (isEditing(access) || endpoint.changesState)) {
    throw new Refusal('readonly_key', 'this key may read only');
  }
  if (access === 'public' || access === 'login' || actor.permissions.has(access)) return;
  throw new Refusal('forbidden', `this needs the permission ${access}`, { members: { permission: access } });
}
