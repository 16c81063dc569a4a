import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { controlMigrations } from '../../../server/db/migrations/control.ts';
import { measurementsMigrations } from '../../../server/db/migrations/measurements.ts';
import { orangeryMigrations } from '../../../server/db/migrations/orangery.ts';
import { openDatabase, type Database } from '../../../server/db/open.ts';
import { testDatabase, testFolder } from '../../support/database.ts';

const one = { version: 1, name: 'houses', sql: 'CREATE TABLE houses (id TEXT PRIMARY KEY) STRICT;' };
const two = { version: 2, name: 'bays', sql: 'ALTER TABLE houses ADD COLUMN bays INTEGER NOT NULL DEFAULT 1;' };
const failing = { version: 2, name: 'fails', sql: "INSERT INTO houses VALUES ('lost'); CREATE TABLE houses (x);" };

const opened: Database[] = [];
afterEach(() => {
  for (const db of opened.splice(0)) db.close();
});

function open(...parameters: Parameters<typeof openDatabase>): Database {
  const db = openDatabase(...parameters);
  opened.push(db);
  return db;
}

function version(db: Database): unknown {
  return db.pragma('user_version', { simple: true });
}

/** A file at version 1 with one row, closed. */
function olderFile(): string {
  const file = join(testFolder(), 'houses.db');
  const db = openDatabase(file, { migrations: [one] });
  db.exec("INSERT INTO houses VALUES ('a')");
  db.close();
  return file;
}

describe('openDatabase', () => {
  it('writes through a WAL, flushes every commit and enforces references', () => {
    const db = testDatabase('orangery');
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
    expect(db.pragma('busy_timeout', { simple: true })).toBe(5000);
  });

  it('opens the file of another process for reading only, also when nobody else has it open', () => {
    const file = olderFile();
    const reader = open(file, { migrations: [one], readonly: true });
    expect(reader.prepare('SELECT id FROM houses').pluck().all()).toEqual(['a']);
    expect(() => reader.exec("INSERT INTO houses VALUES ('b')")).toThrow(/readonly/);
  });

  it('does not make a file that it may only read', () => {
    const file = join(testFolder(), 'absent.db');
    expect(() => open(file, { readonly: true })).toThrow();
    expect(existsSync(file)).toBe(false);
  });

  it('shows a reader what the writer committed after the reader opened', () => {
    const file = olderFile();
    const reader = open(file, { readonly: true });
    open(file).exec("INSERT INTO houses VALUES ('b')");
    expect(reader.prepare('SELECT count(*) FROM houses').pluck().get()).toBe(2);
  });
});

describe('migrate', () => {
  it('brings a new file to the last version and leaves no backup of nothing', () => {
    const folder = testFolder();
    expect(version(open(join(folder, 'new.db'), { migrations: [one, two] }))).toBe(2);
    expect(readdirSync(folder).filter((name) => name.endsWith('.bak'))).toEqual([]);
  });

  it('backs up what an older file holds before the first step', () => {
    const file = olderFile();
    const db = open(file, { migrations: [one, two] });
    expect(db.prepare('SELECT id, bays FROM houses').all()).toEqual([{ id: 'a', bays: 1 }]);
    const backup = open(`${file}.1.bak`, { readonly: true });
    expect(version(backup)).toBe(1);
    expect(backup.prepare('SELECT * FROM houses').all()).toEqual([{ id: 'a' }]);
  });

  it('keeps database, log and backup to their owner', () => {
    const file = olderFile();
    open(file, { migrations: [one, two] });
    const modes = readdirSync(dirname(file)).map((name) => [name, statSync(join(dirname(file), name)).mode & 0o777]);
    expect(modes).toContainEqual(['houses.db.1.bak', 0o600]);
    expect(new Set(modes.map(([, mode]) => mode))).toEqual(new Set([0o600]));
  });

  it('makes no second backup when nothing is to be done', () => {
    const file = olderFile();
    open(file, { migrations: [one] });
    expect(readdirSync(dirname(file)).filter((name) => name.includes('.bak'))).toEqual([]);
  });

  it('leaves the file as it was when a step fails, and succeeds with a mended step', () => {
    const file = olderFile();
    expect(() => open(file, { migrations: [one, failing] })).toThrow(/already exists/);
    const untouched = open(file, { migrations: [one] });
    expect(version(untouched)).toBe(1);
    expect(untouched.prepare('SELECT id FROM houses').pluck().all()).toEqual(['a']);
    expect(version(open(file, { migrations: [one, two] }))).toBe(2);
  });

  it('keeps the steps before the failing one', () => {
    const db = join(testFolder(), 'partly.db');
    expect(() => open(db, { migrations: [one, failing] })).toThrow();
    expect(version(open(db, { migrations: [one] }))).toBe(1);
  });

  it.each([false, true])('refuses a newer file and leaves it alone (readonly %s)', (readonly) => {
    const file = olderFile();
    open(file, { migrations: [one, two] }).close();
    const refused = expect.objectContaining({ code: 'database_too_new' }) as Error; // an asymmetric matcher stands for the error
    expect(() => open(file, { migrations: [one], readonly })).toThrow(refused);
    expect(version(open(file))).toBe(2);
  });

  it('refuses a list with a gap', () => {
    expect(() => open(join(testFolder(), 'gap.db'), { migrations: [{ ...one, version: 2 }] })).toThrow(RangeError);
  });

  it('lets a step rebuild a table that others refer to, but not break the references', () => {
    const child = {
      version: 2,
      name: 'bays',
      sql: "CREATE TABLE bays (house TEXT NOT NULL REFERENCES houses (id)) STRICT; INSERT INTO bays VALUES ('a');",
    };
    const rebuild = {
      version: 3,
      name: 'rebuild',
      sql: `CREATE TABLE rebuilt (id TEXT PRIMARY KEY, name TEXT) STRICT;
        INSERT INTO rebuilt (id) SELECT id FROM houses; DROP TABLE houses; ALTER TABLE rebuilt RENAME TO houses;`,
    };
    const breaking = { version: 3, name: 'breaking', sql: 'DELETE FROM houses;' };
    const file = olderFile();
    expect(() => open(file, { migrations: [one, child, breaking] })).toThrow(/refer to nothing/);
    const db = open(file, { migrations: [one, child, rebuild] });
    expect(version(db)).toBe(3);
    expect(() => db.exec("INSERT INTO bays VALUES ('nowhere')")).toThrow(/FOREIGN KEY/);
  });
});

describe.each([
  ['orangery', orangeryMigrations],
  ['control', controlMigrations],
  ['measurements', measurementsMigrations],
] as const)('migrations of %s.db', (kind, migrations) => {
  it('are numbered from 1 without a gap and end at the last', () => {
    expect(migrations.map((migration) => migration.version)).toEqual(migrations.map((_, index) => index + 1));
    expect(version(testDatabase(kind))).toBe(migrations.length);
  });

  it('have a file of their number and name', () => {
    const folder = join(import.meta.dirname, '../../../server/db/migrations', kind);
    const files = existsSync(folder) ? readdirSync(folder).map((name) => basename(name, '.ts')) : [];
    const expected = migrations.map(({ version, name }) => `${String(version).padStart(4, '0')}-${name}`);
    expect(files.sort()).toEqual(expected);
  });

  it('make STRICT tables only', () => {
    const loose = testDatabase(kind)
      .prepare(
        "SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
      )
      .pluck()
      .all();
    expect(loose).toEqual([]);
  });
});

it('what was drawn before features had versions is on its map as it was, in its order and found by its place', () => {
  const file = join(testFolder(), 'orangery.db');
  const before = open(file, { migrations: orangeryMigrations.slice(0, 18) });
  before.exec(`
    INSERT INTO designs (map_uuid, name, lat, lng, zoom, layers, revision, feature_count, is_saved, created_at, updated_at)
      VALUES ('m', 'Farm', 0, 0, 1, '{}', 2, 2, 1, '', '');
    INSERT INTO features (id, unique_id, map_uuid, type, geometry, properties, west, south, east, north, changed_revision)
      VALUES (7, 'late', 'm', 'site', '{}', '{}', 1, 1, 2, 2, 1), (3, 'early', 'm', 'site', '{}', '{}', 5, 5, 6, 6, 2);`);
  before.close();
  const db = open(file, { migrations: orangeryMigrations });
  const ids = (sql: string) => db.prepare<[], string>(sql).pluck().all();
  expect(ids('SELECT unique_id FROM current_features ORDER BY ordinal')).toEqual(['early', 'late']);
  const near = 'SELECT id FROM feature_rtree WHERE west <= 1.5 AND east >= 1.5';
  expect(ids(`SELECT unique_id FROM current_features WHERE id IN (${near})`)).toEqual(['late']);
});
