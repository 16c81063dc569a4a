import { permissions } from '../contract/permission.ts';
import type { Actor } from './actor.ts';

/** The service itself, and whoever has a shell on its machine. */
export const systemActor: Actor = {
  user_id: null,
  username: null,
  role: null,
  permissions: new Set(permissions),
  key_id: null,
  scope: 'full',
  session_id: null,
  address: null,
};
