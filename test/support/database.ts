import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Migration } from '../../server/db/migration.ts';
import { controlMigrations } from '../../server/db/migrations/control.ts';
import { measurementsMigrations } from '../../server/db/migrations/measurements.ts';
import { orangeryMigrations } from '../../server/db/migrations/orangery.ts';
import { openDatabase, type Database } from '../../server/db/open.ts';
import { afterTest } from './cleanup.ts';

const lists: Record<'orangery' | 'control' | 'measurements', readonly Migration[]> = {
  orangery: orangeryMigrations,
  control: controlMigrations,
  measurements: measurementsMigrations,
};

/** A folder of its own for the running test (call it in a test or in beforeEach), removed after it. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orangery-test-'));
  afterTest(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return folder;
}

/** A fresh migrated file of its own for the running test, closed and removed after it; its path is `db.name`. */
export function testDatabase(kind: keyof typeof lists): Database {
  const db = openDatabase(join(testFolder(), `${kind}.db`), { migrations: lists[kind] });
  afterTest(() => {
    db.close();
  });
  return db;
}
