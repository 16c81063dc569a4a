import { openDatabase, openUnwritable, type Database } from '../db/open.ts';
import { versionOf } from '../db/migrate.ts';

/** How far the alarms were sent and the events processed: from further back they would be repeated. */
const progress = ['notification_progress', 'heard_events'];
/** The audit with the start of its chain. */
const audit = ['audit', 'audit_start'];

/**
 * Carries into a database that replaces another what stays true whatever is restored: the audit of the present one, if
 * that is sound and of the same version, so that a restore erases no one's actions and the chain still leads to its
 * head; and how far alarms and events were followed, or from now on if that cannot be known (`goes` null). Throws the
 * SQLite error.
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

/** The triggers that protect records are not needed on a copy that is not in use yet. */
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
  // Record numbers are never reused.
  target.exec(`
    DELETE FROM main.sqlite_sequence WHERE name = 'audit';
    INSERT INTO main.sqlite_sequence (name, seq) SELECT name, seq FROM present.sqlite_sequence WHERE name = 'audit'`);
  for (const { sql } of triggers) target.exec(sql);
}
