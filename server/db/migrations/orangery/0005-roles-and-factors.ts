import type { Migration } from '../../migration.ts';

/**
 * Roles of an installation's own, second factors, and an audit that is searched by time and deleted from its old end.
 */
export const rolesAndFactors: Migration = {
  version: 5,
  name: 'roles-and-factors',
  sql: `
    CREATE TABLE roles_with_id (
      unique_id TEXT PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      name_folded TEXT NOT NULL UNIQUE, -- two names that differ in case alone are one role
      permissions TEXT NOT NULL CHECK (json_type(permissions) = 'array')
    ) STRICT;
    INSERT INTO roles_with_id (unique_id, name, name_folded, permissions)
    SELECT
      CASE name
        WHEN 'Admin' THEN 'c0a5f2de-6a3e-4d6f-9a52-000000000001'
        WHEN 'Editor' THEN 'c0a5f2de-6a3e-4d6f-9a52-000000000002'
        WHEN 'Monitor' THEN 'c0a5f2de-6a3e-4d6f-9a52-000000000003'
        WHEN 'Kiosk' THEN 'c0a5f2de-6a3e-4d6f-9a52-000000000004'
        WHEN 'Guest' THEN 'c0a5f2de-6a3e-4d6f-9a52-000000000005'
      END,
      name, lower(name), permissions
    FROM roles;
    DROP TABLE roles;
    ALTER TABLE roles_with_id RENAME TO roles;
    CREATE INDEX users_by_role ON users (role);

    ALTER TABLE sessions ADD COLUMN address TEXT; -- from where it was begun

    CREATE TABLE totp (
      user_id TEXT PRIMARY KEY REFERENCES users (unique_id) ON DELETE CASCADE,
      secret TEXT NOT NULL, -- sealed with the key file
      created_at TEXT NOT NULL,
      confirmed_at TEXT, -- in force from then on
      last_step INTEGER NOT NULL DEFAULT 0 -- time step of the newest code that was taken: none up to it is taken again
    ) STRICT;
    CREATE TABLE recovery_codes (
      user_id TEXT NOT NULL REFERENCES totp (user_id) ON DELETE CASCADE,
      code_hash BLOB NOT NULL, -- SHA-256 of the code
      PRIMARY KEY (user_id, code_hash)
    ) STRICT, WITHOUT ROWID;

    DROP INDEX audit_by_kind;
    DROP INDEX audit_by_username;
    CREATE INDEX audit_by_time ON audit (at);
    CREATE INDEX audit_by_kind ON audit (kind, at);
    CREATE INDEX audit_by_username ON audit (username COLLATE NOCASE, at);
    CREATE INDEX audit_by_kind_and_username ON audit (kind, username COLLATE NOCASE, at);

    CREATE TABLE audit_start ( -- the newest record that was given up, from which the chain goes on
      singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
      last_id INTEGER NOT NULL,
      hash BLOB NOT NULL
    ) STRICT;
    INSERT INTO audit_start (singleton, last_id, hash) VALUES (1, 0, zeroblob(32));
    CREATE TRIGGER audit_goes_from_its_old_end BEFORE DELETE ON audit
    WHEN OLD.id > (SELECT last_id FROM audit_start)
    BEGIN
      SELECT RAISE(ABORT, 'an audit record goes by its age alone');
    END;
  `,
};
