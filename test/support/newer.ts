import { join } from 'node:path';
import { parts } from '../../server/backup/parts.ts';
import { openDatabase } from '../../server/db/open.ts';

/** Migrates each database like a newer program does, including a table that a rollback reads. */
export function migrateFurther(directory: string): void {
  for (const [name, { migrations }] of Object.entries(parts)) {
    const stop = name === 'control.db' ? '; ALTER TABLE emergency_stop ADD COLUMN later TEXT' : '';
    const later = { version: migrations.length + 1, name: 'later', sql: `CREATE TABLE later (id INTEGER)${stop}` };
    openDatabase(join(directory, name), { migrations: [...migrations, later] }).close();
  }
}
