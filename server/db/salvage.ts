import type { Database } from 'better-sqlite3';
import { codeOf } from '../contract/code-of.ts';
import { openDamaged, saysDamaged } from './damaged-file.ts';

/** The result for one table. */
export interface SalvagedTable {
  table: string;
  rows: number;
  /** Whether it was read from end to end. */
  isWhole: boolean;
}

/**
 * Copies what is readable from a damaged file into a sound one of the same kind, table by table in one transaction:
 * from the start to the damage, then from the end back to it. Existing rows stay; rows that refer to lost ones, and
 * columns that only one of the files has, are left out. `settle` resolves what the rows of two files disagree about.
 */
export function salvageTables(
  aside: string,
  target: Database,
  settle: (target: Database) => void = () => undefined,
): SalvagedTable[] {
  const source = openDamaged(aside);
  if (source === null) return [];
  try {
    return target
      .transaction(() => {
        const found = copyAll(source, target);
        settle(target);
        return found;
      })
      .immediate();
  } finally {
    source.close();
  }
}

/** Repeated until nothing is added, as a row may refer to one of a later table. */
function copyAll(source: Database, target: Database): SalvagedTable[] {
  const results = new Map<string, SalvagedTable>();
  for (let added = 1; added > 0;) {
    added = 0;
    for (const table of tablesOf(target)) {
      const { rows, isWhole } = copyTable(source, target, table);
      results.set(table, { table, rows: rows + (results.get(table)?.rows ?? 0), isWhole });
      added += rows;
    }
  }
  return [...results.values()];
}

function copyTable(source: Database, target: Database, table: string): SalvagedTable {
  const known = new Set(columnsOf(target, table));
  const columns = columnsOf(source, table).filter((column) => known.has(column));
  const result: SalvagedTable = { table, rows: 0, isWhole: columns.length > 0 };
  if (columns.length === 0) return result;
  const list = columns.map(quoted).join();
  const keep = target.prepare(
    `INSERT OR IGNORE INTO ${quoted(table)} (${list}) VALUES (${columns.map(() => '?').join()})`,
  );
  const key = keyOf(target, table);
  for (const order of ['ASC', 'DESC']) {
    const by = key.map((column) => `${column} ${order}`).join();
    try {
      const rows = source.prepare<[], unknown[]>(`SELECT ${list} FROM ${quoted(table)} NOT INDEXED ORDER BY ${by}`);
      for (const row of rows.raw().safeIntegers().iterate()) result.rows += kept(() => keep.run(...row).changes);
      return result;
    } catch (error) {
      if (!saysDamaged(error)) throw error;
      result.isWhole = false; // as far as the damage: the other end is tried
    }
  }
  return result;
}

/** Leaves out a row that the table refuses because it is damaged or refers to nothing. */
function kept(write: () => number): number {
  try {
    return write();
  } catch (error) {
    if (codeOf(error)?.startsWith('SQLITE_CONSTRAINT')) return 0;
    throw error;
  }
}

/** The key that orders the rows of a table. */
function keyOf(db: Database, table: string): string[] {
  const isPlain =
    db.prepare<[string], number>('SELECT wr FROM pragma_table_list WHERE name = ?').pluck().get(table) === 0;
  if (isPlain) return ['rowid'];
  const key = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk');
  return key.pluck().all(table).map(quoted);
}

function quoted(name: string): string {
  return `"${name}"`;
}

function tablesOf(db: Database): string[] {
  return db
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       ORDER BY name`,
    )
    .pluck()
    .all();
}

function columnsOf(db: Database, table: string): string[] {
  try {
    return db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
  } catch {
    return [];
  }
}
