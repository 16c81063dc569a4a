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

/** A record with the names of its key and of its target, null where there is none any more. */
export interface ListedRow extends AuditRow {
  key_name: string | null;
  target_name: string | null;
}

/** Where a record stands in the order of time; two of one moment in that of their writing. */
export interface AuditPlace {
  at: string;
  id: number;
}

export interface AuditFilter {
  kind?: string | undefined;
  username?: string | undefined;
  /** For one kind alone; looked for in its newest 20,000 records. */
  target?: string | undefined;
  /** From this time on. */
  from?: string | undefined;
  /** Before this time. */
  to?: string | undefined;
  /** Records older than this one. */
  before?: AuditPlace | undefined;
  limit: number;
}

/** The newest record that was given up: the chain goes on from its hash. */
export interface AuditStart {
  last_id: number;
  hash: Buffer;
  /** The first record that is chained with the key; null while none is. */
  keyed_from: number | null;
  /** Over the rest of this, with the key; null while no record is keyed. */
  mac: Buffer | null;
}

/** The end of the chain. */
export interface AuditEnd {
  id: number;
  hash: Buffer;
}

const columns = 'at, kind, user_id, username, key_id, address, target, before, after, previous_hash, hash';

const keyName = '(SELECT name FROM api_keys WHERE api_keys.key_id = audit.key_id) AS key_name';

/** What records are about, with the column that is their target. */
const named = [
  ...['outputs', 'inputs', 'controllers', 'facilities', 'lcds'].map((table) => [table, 'unique_id', 'name']),
  ['designs', 'map_uuid', 'name'],
  ['users', 'unique_id', 'username'],
  ['notification_targets', 'unique_id', "target ->> '$.name'"],
];
/** Of what is gone the record has the name that it had then. */
const targetName = `CASE WHEN audit.target IS NOT NULL THEN coalesce(
  ${named.map(([table, id, name]) => `(SELECT ${name} FROM ${table} WHERE ${id} = audit.target)`).join(',\n  ')},
  audit.after ->> '$.name', audit.before ->> '$.name') END AS target_name`;

/** The audit of orangery.db: records are added, never change, and go from the old end alone. */
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

  /** The last record; what was last given up where there is none. */
  end(): AuditEnd {
    const last = this.#end.get();
    if (last !== undefined) return last;
    const { last_id, hash } = this.start();
    return { id: last_id, hash };
  }

  hashOf(id: number): Buffer | undefined {
    return this.#db.prepare<[number], Buffer>('SELECT hash FROM audit WHERE id = ?').pluck().get(id);
  }

  /** Newest first. Each set of filters has an index that gives its records in this order. */
  list(filter: AuditFilter): ListedRow[] {
    return this.#db.prepare<[object], ListedRow>(listing(filter)).all(parameters(filter));
  }

  /** How SQLite reads a list, a line a step. */
  planOf(filter: AuditFilter): string[] {
    const plan = this.#db.prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${listing(filter)}`);
    return plan.all(parameters(filter)).map((step) => step.detail);
  }

  /** In the order of their writing, one at a time. */
  all(): IterableIterator<AuditRow> {
    return this.#db.prepare<[], AuditRow>(`SELECT id, ${columns} FROM audit ORDER BY id`).iterate();
  }

  /** Identifier of the last record that was ever written, 0 before the first. */
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

  /** The chain starts after `last_id`: everything up to it goes. */
  startFrom(start: AuditStart): void {
    this.#db
      .prepare('UPDATE audit_start SET last_id = @last_id, hash = @hash, keyed_from = @keyed_from, mac = @mac')
      .run(start);
    this.#db.prepare('DELETE FROM audit WHERE id <= ?').run(start.last_id);
  }
}

/** No index has the target: so many records of a kind are looked through for it. */
const mostLookedThrough = 20_000;
const beginOfNewest = `(SELECT at FROM audit INDEXED BY audit_by_kind WHERE kind = @kind
  ORDER BY at DESC LIMIT 1 OFFSET ${mostLookedThrough - 1})`;

/** Named, not left to the planner: without statistics it takes the index of one filter and looks at every record of it. */
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
