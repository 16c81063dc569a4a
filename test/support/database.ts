import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Migration } from '../../server/db/migration.ts';
import { controlMigrations } from '../../server/db/migrations/control.ts';
import { measurementsMigrations } from '../../server/db/migrations/measurements.ts';
import { orangeryMigrations } from '../../server/db/migrations/orangery.ts';
import { openDatabase, type Database } from '../../server/db/open.ts';

const lists: Record<'orangery' | 'control' | 'measurements', readonly Migration[]> = {
  orangery: orangeryMigrations,
  control: controlMigrations,
  measurements: measurementsMigrations,
};

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

/** A folder of its own for the running test (call it in a test or in beforeEach), removed after it. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orangery-test-'));
  cleanups.push(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return folder;
}

/** A fresh migrated file of its own for the running test, closed and removed after it; its path is `db.name`. */
export function testDatabase(kind: keyof typeof lists): Database {
  const db = openDatabase(join(testFolder(), `${kind}.db`), { migrations: lists[kind] });
  cleanups.push(() => {
    db.close();
  });
  return db;
}
