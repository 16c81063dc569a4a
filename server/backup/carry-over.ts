import { openDatabase, openUnwritable, type Database } from '../db/open.ts';
import { versionOf } from '../db/migrate.ts';

/** How far the alarms were told to people, and the events looked through: from further back they would be told a second time. */
const progress = ['notification_progress', 'heard_events'];
/** With what holds its records. */
const audit = ['audit', 'audit_start'];

/**
 * Gives a database that is to take the place of another what is true whatever is restored. The audit of the present one, where that is sound
 * and of the same version: a restore takes nobody's deeds back, and the chain goes on to its head. And how far alarms and events were
 * followed; where that cannot be known (`goes` null), from now on. Throws what SQLite says.
 */
export function carryOver(goes: string | null, comes: string): void {
  const target = openDatabase(comes);
  try {
    for (const table of progress) target.exec(`DELETE FROM main.${table}`);
    if (goes !== null && versionIn(goes) === versionOf(target)) {
      target.prepare('ATTACH ? AS present').run(goes);
      target.transaction(() => replaceTables(target)).immediate();
      target.exec('DETACH present');
    }
    target.pragma('journal_mode = DELETE');
  } finally {
    target.close();
  }
}

function versionIn(file: string): number {
  const db = openUnwritable(file);
  try {
    return versionOf(db);
  } finally {
    db.close();
  }
}

/** The triggers that keep records from going are of no use on a copy that nobody goes by yet. */
function replaceTables(target: Database): void {
  const triggers = target
    .prepare<[], { name: string; sql: string }>(
      `SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name IN ('audit', 'audit_start')`,
    )
    .all();
  for (const { name } of triggers) target.exec(`DROP TRIGGER main.${name}`);
  for (const table of [...audit, ...progress]) {
    target.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM present.${table}`);
  }
  // Numbers of records are never given twice.
  target.exec(`
    DELETE FROM main.sqlite_sequence WHERE name = 'audit';
    INSERT INTO main.sqlite_sequence (name, seq) SELECT name, seq FROM present.sqlite_sequence WHERE name = 'audit'`);
  for (const { sql } of triggers) target.exec(sql);
}
