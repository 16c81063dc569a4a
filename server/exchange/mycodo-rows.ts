import { openUnwritable, type Database } from '../db/open.ts';

export type Row = Record<string, unknown>;

/** No greenhouse has larger tables; the rest is reported as left out. */
export const mostRows = 1_000;

/** Opens a settings database of Mycodo read-only. Throws the SQLite error when it is none. */
export function openMycodo(file: string): Database {
  const db = openUnwritable(file);
  db.pragma('trusted_schema = OFF'); // what a foreign file declares is not run
  return db;
}

/** Empty when the database lacks the table, as older ones do; one row beyond the maximum when it has more. */
export function rowsOf(db: Database, table: string, of?: { column: string; id: unknown }): Row[] {
  const isThere = db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(table) !== undefined;
  if (!isThere) return [];
  const where = of === undefined ? '' : ` WHERE ${of.column} = ?`;
  const query = db.prepare<unknown[], Row>(`SELECT * FROM "${table}"${where} ORDER BY id LIMIT ${mostRows + 1}`);
  return of === undefined ? query.all() : query.all(of.id);
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
