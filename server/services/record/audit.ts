import { setImmediate } from 'node:timers/promises';
import type { AuditLog } from '../../auth/audit.ts';
import type { Now } from '../../auth/now.ts';
import type { auditEndpoints, AuditQuery, AuditRecord } from '../../contract/audit.ts';
import type { AnswerOf, QueryOf } from '../../contract/endpoint.ts';
import { refuseField, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { isoOf, type Moment } from '../../contract/time.ts';
import type { AuditFilter, AuditPlace } from '../../db/repositories/audit.ts';
import { periodically } from './periodic.ts';

type List = typeof auditEndpoints.list;

const defaultLimit = 100; // records
const exportLimit = 500; // records read at once
const dayMs = 24 * 60 * 60 * 1000;
const keptMs = 400 * dayMs;
const tidyPeriodMs = 6 * 60 * 60 * 1000;

/** Reads the audit, and deletes what is older than 400 days. */
export class AuditService {
  readonly #log: AuditLog;
  readonly #trusted: Now;
  #end: (() => void) | undefined;
  #isStopped = false;

  /** `trusted` is the time by which old records are deleted. */
  constructor(log: AuditLog, trusted: Now) {
    this.#log = log;
    this.#trusted = trusted;
  }

  /** Newest first; the cursor is the place of the previous page's last record. Throws `invalid_field`. */
  list({ limit = defaultLimit, cursor, ...query }: QueryOf<List>): AnswerOf<List> {
    const found = this.#log.list({ ...filterOf(query), before: readCursor(cursor), limit: limit + 1 });
    const audit = found.slice(0, limit);
    const last = found.length > limit ? audit.at(-1) : undefined;
    return { audit, next_cursor: last === undefined ? null : `${last.at}~${last.id}` };
  }

  /**
   * All records of a query, newest first, in pages, so that other requests get their turn. Throws `invalid_field` at
   * once.
   */
  export(query: AuditQuery): AsyncIterable<AuditRecord[]> {
    return this.#pages(filterOf(query));
  }

  /**
   * Checks that the audit continues where it ended, and deletes old records, now and every six hours; after a failure
   * it retries a minute later.
   */
  start(onFault: (error: unknown) => void): void {
    void this.#log.look().then(() => {
      if (!this.#isStopped) this.#end = periodically(() => this.tidy(), { everyMs: tidyPeriodMs, onFault });
    });
  }

  /** When this resolves, the last record is also known outside the database. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#end?.();
    await this.#log.close();
  }

  /** Deletes records older than 400 days, 400 at a time, until all are gone or the service stops. Returns how many. */
  async tidy(): Promise<number> {
    const due = this.#trusted() - keptMs;
    let gone = 0;
    let went = -1;
    while (went !== 0 && !this.#isStopped) {
      went = this.#log.giveUp(due);
      gone += went;
      await setImmediate();
    }
    return gone;
  }

  async *#pages(filter: Omit<AuditFilter, 'limit'>): AsyncGenerator<AuditRecord[]> {
    let page = this.#log.list({ ...filter, limit: exportLimit });
    while (page.length > 0) {
      yield page;
      await setImmediate();
      page = this.#log.list({ ...filter, before: page.at(-1), limit: exportLimit });
    }
  }
}

function filterOf({ kind, user, from, to }: AuditQuery): Omit<AuditFilter, 'limit'> {
  const filter = { kind, username: user, from: stored(from), to: stored(to) };
  if (filter.from !== undefined && filter.to !== undefined && filter.to <= filter.from) {
    throw refuseField('invalid_field', 'to', why('to_not_after_from'));
  }
  return filter;
}

/** A time as it is stored, so that text order is time order. */
function stored(time: Moment | undefined): string | undefined {
  return time === undefined ? undefined : isoOf(time);
}

function readCursor(cursor: string | undefined): AuditPlace | undefined {
  if (cursor === undefined) return undefined;
  const [, at, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~(\d{1,15})$/.exec(cursor) ?? [];
  if (at === undefined) throw refusePlainly('invalid_field', 'cursor', 'is not a next_cursor of this list');
  return { at, id: Number(id) };
}
