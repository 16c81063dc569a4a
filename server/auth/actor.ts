import type { Permission } from '../contract/permission.ts';

/** Who makes a call, as services and the audit need it. */
export interface Actor {
  /** null: nobody is logged in (public endpoints) or the service itself acts. */
  user_id: string | null;
  username: string | null;
  role: string | null;
  permissions: ReadonlySet<Permission>;
  /** The key that the call came with, null for a session. */
  key_id: string | null;
  /** What its owner called that key. */
  key_name?: string;
  /** A readonly key may not call an endpoint that edits. */
  scope: 'full' | 'readonly';
  /** The session that the call came with, null for a key. */
  session_id: string | null;
  /** Peer address, null for the service itself. */
  address: string | null;
}

export interface AuditEntry {
  /** resource.verb, e.g. `design.save`. */
  kind: string;
  actor: Actor;
  /** When it was done, ISO 8601; now where that is absent. */
  at?: string;
  /** Identifier of what was changed. */
  target?: string;
  before?: unknown;
  after?: unknown;
}

/** Where services write what was done; `AuditLog` stores it in orangery.db. */
export interface AuditSink {
  record(entry: AuditEntry): void;
}
