import type { Migration } from '../../migration.ts';

/**
 * Who may do what, who did what, and the settings. Times are ISO 8601 UTC with milliseconds, so text order is time
 * order.
 */
export const accounts: Migration = {
  version: 1,
  name: 'accounts',
  sql: `
    CREATE TABLE roles (
      name TEXT PRIMARY KEY,
      permissions TEXT NOT NULL CHECK (json_type(permissions) = 'array')
    ) STRICT;

    INSERT INTO roles (name, permissions) VALUES
      ('Admin', '["edit_users","edit_settings","edit_controllers","view_settings","view_stats","view_logs"]'),
      ('Editor', '["edit_settings","edit_controllers","view_settings","view_stats","view_logs"]'),
      ('Monitor', '["view_settings","view_stats","view_logs"]'),
      ('Kiosk', '["view_stats"]'),
      ('Guest', '[]');

    CREATE TABLE users (
      unique_id TEXT PRIMARY KEY,
      username TEXT NOT NULL,
      username_folded TEXT NOT NULL UNIQUE, -- two names that differ in case alone are one account
      password_hash TEXT NOT NULL,
      role TEXT NOT NULL REFERENCES roles (name) ON UPDATE CASCADE,
      email TEXT,
      language TEXT,
      is_enabled INTEGER NOT NULL DEFAULT 1 CHECK (is_enabled IN (0, 1)),
      created_at TEXT NOT NULL,
      last_login_at TEXT
    ) STRICT;

    CREATE TABLE login_addresses ( -- from where an account has logged in before
      user_id TEXT NOT NULL REFERENCES users (unique_id) ON DELETE CASCADE,
      address TEXT NOT NULL,
      last_login_at TEXT NOT NULL,
      PRIMARY KEY (user_id, address)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sessions (
      session_id TEXT PRIMARY KEY,
      token_hash BLOB NOT NULL UNIQUE, -- SHA-256 of the cookie
      csrf_token TEXT NOT NULL,
      user_id TEXT NOT NULL REFERENCES users (unique_id) ON DELETE CASCADE,
      created_at TEXT NOT NULL,
      last_seen_at TEXT NOT NULL,
      expires_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX sessions_by_user ON sessions (user_id);

    CREATE TABLE api_keys (
      key_id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (unique_id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      scope TEXT NOT NULL CHECK (scope IN ('full', 'readonly')),
      key_hash BLOB NOT NULL UNIQUE, -- SHA-256 of the key
      created_at TEXT NOT NULL,
      expires_at TEXT,
      last_used_at TEXT,
      revoked_at TEXT
    ) STRICT;
    CREATE INDEX api_keys_by_user ON api_keys (user_id);

    CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      kind TEXT NOT NULL,
      user_id TEXT, -- no reference: a record outlives its user
      username TEXT,
      key_id TEXT,
      address TEXT,
      target TEXT,
      before TEXT CHECK (before IS NULL OR json_valid(before)),
      after TEXT CHECK (after IS NULL OR json_valid(after)),
      previous_hash BLOB NOT NULL,
      hash BLOB NOT NULL -- SHA-256 over previous_hash and the record
    ) STRICT;
    CREATE INDEX audit_by_kind ON audit (kind, id);
    CREATE INDEX audit_by_username ON audit (username COLLATE NOCASE, id);
    CREATE TRIGGER audit_is_written_once BEFORE UPDATE ON audit
    BEGIN
      SELECT RAISE(ABORT, 'an audit record never changes');
    END;

    CREATE TABLE settings (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL CHECK (json_valid(value))
    ) STRICT, WITHOUT ROWID;
  `,
};
