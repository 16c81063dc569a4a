import type { Permission } from '../contract/permission.ts';

/** Who makes a call, for services and the audit. */
export interface Actor {
  /** null: without a login (public endpoints), or the service itself. */
  user_id: string | null;
  username: string | null;
  role: string | null;
  permissions: ReadonlySet<Permission>;
  /** The key used for the call, null for a session. */
  key_id: string | null;
  /** The key's name. */
  key_name?: string;
  /** A readonly key may not call an endpoint that edits. */
  scope: 'full' | 'readonly';
  /** The session of the call, null for a key. */
  session_id: string | null;
  /** Peer address, null for the service itself. */
  address: string | null;
}

export interface AuditEntry {
  /** resource.verb, e.g. `design.save`. */
  kind: string;
  actor: Actor;
  /** When it was done, ISO 8601; default now. */
  at?: string;
  /** Identifier of what was changed. */
  target?: string;
  before?: unknown;
  after?: unknown;
}

/** Where services record what was done; `AuditLog` stores it in orangery.db. */
export interface AuditSink {
  record(entry: AuditEntry): void;
}
