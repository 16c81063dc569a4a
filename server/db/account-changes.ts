import { isReadOnly, type Database } from './open.ts';
import { onceWriting } from './recovering.ts';

/** Changes that affect what a credential allows. Its mere use is none. */
const changes = [
  ['users', 'DELETE'],
  ['users', 'UPDATE OF unique_id, username, role, is_enabled'],
  ['roles', 'DELETE'],
  ['roles', 'UPDATE'],
  ['sessions', 'DELETE'],
  ['sessions', 'UPDATE OF session_id, token_hash, csrf_token, user_id, expires_at'],
  ['api_keys', 'DELETE'],
  ['api_keys', 'UPDATE OF key_id, user_id, scope, key_hash, expires_at, revoked_at'],
] as const;

/**
 * Calls `listener` whenever this connection changes what a credential allows; one listener a connection. Triggers see
 * every write of the connection, so no caller can forget to report one.
 */
export function onAccountChange(db: Database, listener: () => void): void {
  if (isReadOnly(db)) return onceWriting(db, () => onAccountChange(db, listener)); // before, nothing of it changes
  db.function('account_changed', () => {
    listener();
    return null;
  });
  for (const [index, [table, event]] of changes.entries()) {
    db.exec(`CREATE TEMP TRIGGER account_change_${index} AFTER ${event} ON main.${table}
      BEGIN SELECT account_changed(); END`);
  }
}
