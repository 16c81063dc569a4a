import type { Database, Statement } from 'better-sqlite3';

/** A record as it is stored; `before` and `after` are JSON text. */
export interface AuditRow {
  id: number;
  at: string;
  kind: string;
  user_id: string | null;
  username: string | null;
  key_id: string | null;
  address: string | null;
  target: string | null;
  before: string | null;
  after: string | null;
  previous_hash: Buffer;
  hash: Buffer;
}

/** A record with the names of its key and its target, null when they no longer exist. */
export interface ListedRow extends AuditRow {
  key_name: string | null;
  target_name: string | null;
}

/** The place of a record in order of time; records of one moment keep their order of writing. */
export interface AuditPlace {
  at: string;
  id: number;
}

export interface AuditFilter {
  kind?: string | undefined;
  username?: string | undefined;
  /** Only for one kind; searched in its newest 20,000 records. */
  target?: string | undefined;
  /** From this time on. */
  from?: string | undefined;
  /** Before this time. */
  to?: string | undefined;
  /** Records older than this one. */
  before?: AuditPlace | undefined;
  limit: number;
}

/** The newest deleted record: the chain continues from its hash. */
export interface AuditStart {
  last_id: number;
  hash: Buffer;
  /** The first record that is chained with the key; null while none is. */
  keyed_from: number | null;
  /** Over the other fields, with the key; null while no record is keyed. */
  mac: Buffer | null;
}

/** The end of the chain. */
export interface AuditEnd {
  id: number;
  hash: Buffer;
}

const columns = 'at, kind, user_id, username, key_id, address, target, before, after, previous_hash, hash';

const keyName = '(SELECT name FROM api_keys WHERE api_keys.key_id = audit.key_id) AS key_name';

/** The tables of targets, with the column that a record's target refers to. */
const named = [
  ...['outputs', 'inputs', 'controllers', 'facilities', 'lcds'].map((table) => [table, 'unique_id', 'name']),
  ['designs', 'map_uuid', 'name'],
  ['users', 'unique_id', 'username'],
  ['notification_targets', 'unique_id', "target ->> '$.name'"],
];
/** For a target that is gone, the name that it had at that time; for a check of a house, the name of the house. */
const targetName = `CASE WHEN audit.target IS NOT NULL THEN coalesce(
  ${named.map(([table, id, name]) => `(SELECT ${name} FROM ${table} WHERE ${id} = audit.target)`).join(',\n  ')},
  audit.after ->> '$.name', audit.before ->> '$.name',
  (SELECT name FROM facilities WHERE unique_id = audit.after ->> '$.facility_uuid')) END AS target_name`;

/** The audit of orangery.db: records are added, never change, and are deleted only from the old end. */
export class AuditRepository {
  readonly #db: Database;
  readonly #insert: Statement<[Omit<AuditRow, 'id'>]>;
  readonly #end: Statement<[], AuditEnd>;
  readonly #start: Statement<[], AuditStart>;

  constructor(db: Database) {
    this.#db = db;
    this.#insert = db.prepare(`INSERT INTO audit (${columns}) VALUES (${columns.replaceAll(/\w+/g, '@$&')})`);
    this.#end = db.prepare('SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1');
    this.#start = db.prepare('SELECT last_id, hash, keyed_from, mac FROM audit_start');
  }

  get isOpen(): boolean {
    return this.#db.open;
  }

  insert(row: Omit<AuditRow, 'id'>): void {
    this.#insert.run(row);
  }

  /** The last record; the last deleted one when there is none. */
  end(): AuditEnd {
    const last = this.#end.get();
    if (last !== undefined) return last;
    const { last_id, hash } = this.start();
    return { id: last_id, hash };
  }

  hashOf(id: number): Buffer | undefined {
    return this.#db.prepare<[number], Buffer>('SELECT hash FROM audit WHERE id = ?').pluck().get(id);
  }

  /** Newest first. Each set of filters has an index that yields its records in this order. */
  list(filter: AuditFilter): ListedRow[] {
    return this.#db.prepare<[object], ListedRow>(listing(filter)).all(parameters(filter));
  }

  /** SQLite's query plan, one step a line. */
  planOf(filter: AuditFilter): string[] {
    const plan = this.#db.prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${listing(filter)}`);
    return plan.all(parameters(filter)).map((step) => step.detail);
  }

  /** In the order of their writing, one at a time. */
  all(): IterableIterator<AuditRow> {
    return this.#db.prepare<[], AuditRow>(`SELECT id, ${columns} FROM audit ORDER BY id`).iterate();
  }

  /** Id of the last record ever written, 0 before the first. */
  lastId(): number {
    return this.#db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'audit'").pluck().get() ?? 0;
  }

  start(): AuditStart {
    const start = this.#start.get();
    if (start === undefined) throw new Error('the start of the audit is lost');
    return start;
  }

  /** The oldest records by their writing. */
  oldest(limit: number): Pick<AuditRow, 'id' | 'at' | 'hash'>[] {
    return this.#db
      .prepare<[number], Pick<AuditRow, 'id' | 'at' | 'hash'>>('SELECT id, at, hash FROM audit ORDER BY id LIMIT ?')
      .all(limit);
  }

  /** The chain starts after `last_id`: everything up to it is deleted. */
  startFrom(start: AuditStart): void {
    this.#db
      .prepare('UPDATE audit_start SET last_id = @last_id, hash = @hash, keyed_from = @keyed_from, mac = @mac')
      .run(start);
    this.#db.prepare('DELETE FROM audit WHERE id <= ?').run(start.last_id);
  }
}

/** No index has the target: this many records of a kind are searched for it. */
const mostLookedThrough = 20_000;
const beginOfNewest = `(SELECT at FROM audit INDEXED BY audit_by_kind WHERE kind = @kind
  ORDER BY at DESC LIMIT 1 OFFSET ${mostLookedThrough - 1})`;

/** Named explicitly: without statistics the planner takes the index of one filter and reads every record of it. */
function indexFor({ kind, username }: AuditFilter): string {
  if (kind !== undefined) return username === undefined ? 'audit_by_kind' : 'audit_by_kind_and_username';
  return username === undefined ? 'audit_by_time' : 'audit_by_username';
}

function listing(filter: AuditFilter): string {
  const { kind, username, target, from, to, before } = filter;
  const conditions = [
    kind !== undefined && 'kind = @kind',
    username !== undefined && 'username = @username COLLATE NOCASE',
    target !== undefined && `target = @target AND at >= coalesce(${beginOfNewest}, '')`,
    from !== undefined && 'at >= @from',
    to !== undefined && 'at < @to',
    before !== undefined && '(at, id) < (@at, @id)',
  ].filter((condition) => condition !== false);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return `SELECT id, ${columns}, ${keyName}, ${targetName} FROM audit INDEXED BY ${indexFor(filter)} ${where}
    ORDER BY at DESC, id DESC LIMIT @limit`;
}

function parameters({ before, ...filter }: AuditFilter): object {
  return { ...filter, at: before?.at, id: before?.id };
}
