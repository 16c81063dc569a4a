import { renameSync, rmSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { Migration } from './migration.ts';
import { createPrivate } from './private-file.ts';
import { syncFile } from './replace-file.ts';

/** The file was written by a newer program than this one; nothing was changed. */
export class DatabaseTooNewError extends Error {
  readonly code = 'database_too_new';

  constructor(file: string, found: number, known: number) {
    super(`${file} has version ${found}, this program knows versions up to ${known}: install the newer program`);
    this.name = 'DatabaseTooNewError';
  }
}

/**
 * Brings an open file up to the last migration of the list, each step all or nothing, after copying it to
 * `<file>.<version>.bak`. Throws `DatabaseTooNewError`, or the SQLite error of a failing step.
 */
export function migrate(db: Database, migrations: readonly Migration[]): void {
  refuseGaps(migrations);
  refuseNewer(db, migrations);
  const version = versionOf(db);
  if (version === migrations.length) return;
  if (holdsData(db)) backUp(db, version);
  withoutForeignKeys(db, () => {
    for (const migration of migrations) if (migration.version > version) apply(db, migration);
  });
}

/** Throws `DatabaseTooNewError` when the file's version is beyond the list. */
export function refuseNewer(db: Database, migrations: readonly Migration[]): void {
  const version = versionOf(db);
  if (version > migrations.length) throw new DatabaseTooNewError(db.name, version, migrations.length);
}

function refuseGaps(migrations: readonly Migration[]): void {
  migrations.forEach(({ version, name }, index) => {
    if (version !== index + 1) throw new RangeError(`migration ${name} has version ${version}, not ${index + 1}`);
  });
}

/** How many migrations the file has had. */
export function versionOf(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

function holdsData(db: Database): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
}

/** VACUUM INTO makes a consistent copy, WAL included; after the rename no partial copy can be mistaken for a backup. */
function backUp(db: Database, version: number): void {
  const backup = `${db.name}.${version}.bak`;
  const partial = `${backup}.partial`;
  rmSync(partial, { force: true });
  createPrivate(partial); // SQLite writes into an empty file and would make an absent one readable to all
  db.prepare('VACUUM INTO ?').run(partial);
  syncFile(partial);
  renameSync(partial, backup);
}

/** A rebuilt table drops the one that others refer to, and the switch has no effect inside a transaction. */
function withoutForeignKeys(db: Database, work: () => void): void {
  const enforced = db.pragma('foreign_keys', { simple: true }) === 1;
  db.pragma('foreign_keys = OFF');
  try {
    work();
  } finally {
    if (enforced) db.pragma('foreign_keys = ON');
  }
}

function apply(db: Database, { version, name, sql }: Migration): void {
  db.transaction(() => {
    db.exec(sql);
    const broken = db.pragma('foreign_key_check');
    if (Array.isArray(broken) && broken.length > 0) {
      throw new Error(`migration ${version} (${name}) leaves ${broken.length} rows that refer to nothing`);
    }
    db.pragma(`user_version = ${version}`);
  }).immediate();
}
