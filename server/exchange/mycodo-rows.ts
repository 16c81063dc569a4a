import { openUnwritable, type Database } from '../db/open.ts';

export type Row = Record<string, unknown>;

/** Larger tables are of no greenhouse; the rest of them is said to be left out. */
export const mostRows = 1_000;

/** Opens a settings database of Mycodo to read. Throws what SQLite says where it is none. */
export function openMycodo(file: string): Database {
  const db = openUnwritable(file);
  db.pragma('trusted_schema = OFF'); // what a foreign file declares is not run
  return db;
}

/** None where the database has no such table, as older ones have not; one more than is taken where it has more. */
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
