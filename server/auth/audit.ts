import { isoOf } from '../contract/time.ts';
import { z } from 'zod';
import type { AuditRecord } from '../contract/audit.ts';
import type { AuditFilter, AuditRepository, AuditRow } from '../db/repositories/audit.ts';
import type { LaterWrites } from '../db/later-writes.ts';
import type { Transact } from '../db/transaction.ts';
import type { AuditEntry, AuditSink } from './actor.ts';
import { checkChain, type ChainState } from './audit-chain.ts';
import { AuditKeeper } from './audit-keeper.ts';
import type { Now } from './now.ts';
import { systemActor } from './system-actor.ts';

interface AuditOptions {
  rows: AuditRepository;
  transact: Transact;
  now: Now;
  /** Where a record waits that the disk refuses; without it the action fails with its record. */
  later?: Pick<LaterWrites, 'put'>;
  /** Where the key and the head of the chain are, beside orangery.db. */
  directory: string;
  /** Called when the head could not be written; the next record tries again. */
  onFault?: (error: unknown) => void;
}

type Recorded = Omit<AuditRow, 'id' | 'previous_hash' | 'hash'>;

/** Members whose value never enters a record, at any depth. */
const secret = new Set([
  'password',
  'password_hash',
  'current_password',
  'key',
  'key_hash',
  'api_key',
  'token',
  'setup_token',
  'csrf_token',
  'secret',
]);

/** Records that one write transaction deletes, in under 10 ms. */
const sliceLength = 400;

const json = z.json();

/**
 * Records in orangery.db who did what. Each record carries a keyed hash over itself and the previous record, and the
 * head of that chain is outside the database, so that anything changed, removed, inserted, cut off or restored in
 * orangery.db alone is detected. A record made inside a transaction is part of it; one for a completed action never
 * fails: it waits in memory until the disk takes it. When too many wait, the number of lost ones becomes a record
 * itself.
 */
export class AuditLog implements AuditSink {
  readonly #rows: AuditRepository;
  readonly #transact: Transact;
  readonly #now: Now;
  readonly #keeper: AuditKeeper;
  readonly #later: Pick<LaterWrites, 'put'>;
  #lost: { count: number; from: string; to: string } | null = null;

  constructor({ rows, transact, now, directory, later = atOnce(transact), onFault = () => undefined }: AuditOptions) {
    this.#rows = rows;
    this.#transact = transact;
    this.#now = now;
    this.#later = later;
    const onLoss = (what: string): void => {
      this.record({ kind: 'audit.loss', actor: systemActor, after: { what } });
      onFault(new Error(`the audit is not whole: ${what}`));
    };
    this.#keeper = new AuditKeeper({ rows, directory, onLoss, onFault });
  }

  record({ kind, actor, at, target, before, after }: AuditEntry): void {
    const record = {
      at: at ?? isoOf(this.#now()),
      kind,
      user_id: actor.user_id,
      username: actor.username,
      key_id: actor.key_id,
      address: actor.address,
      target: target ?? null,
      before: jsonWithoutSecrets(before),
      after: jsonWithoutSecrets(after),
    };
    this.#tellLost();
    if (this.#keep(record)) return;
    this.#lost ??= { count: 0, from: record.at, to: record.at };
    this.#lost = { ...this.#lost, count: this.#lost.count + 1, to: record.at };
  }

  /** Records that found no room to wait since the last that did. */
  get lost(): number {
    return this.#lost?.count ?? 0;
  }

  #keep(record: Recorded): boolean {
    const bytes = 500 + 2 * ((record.before?.length ?? 0) + (record.after?.length ?? 0));
    return this.#later.put({ write: () => this.#append(record), bytes });
  }

  #tellLost(): void {
    const lost = this.#lost;
    if (lost === null) return;
    const { user_id, username, key_id, address } = systemActor;
    const who = { user_id, username, key_id, address };
    const after = JSON.stringify({ what: `${lost.count} records: the disk took nothing`, ...lost });
    const record = { at: isoOf(this.#now()), kind: 'audit.loss', ...who, target: null, before: null, after };
    if (this.#keep(record)) this.#lost = null;
  }

  /** In the transaction of the record, so that chain and record agree. */
  #append(record: Recorded): void {
    this.#rows.insert({ ...record, ...this.#keeper.chain(record) });
    this.#keeper.note();
  }

  /** Newest first. */
  list(filter: AuditFilter): AuditRecord[] {
    return this.#rows.list(filter).map(({ previous_hash: _, hash: __, ...row }) => ({
      ...row,
      before: row.before === null ? null : json.parse(JSON.parse(row.before)),
      after: row.after === null ? null : json.parse(JSON.parse(row.after)),
    }));
  }

  /** Reads every record. */
  check(): ChainState {
    return checkChain(this.#rows, this.#keeper.proof);
  }

  /** Checks that the last known record is still there, and records what is missing. Cheap enough for a start. */
  look(): Promise<void> {
    return this.#keeper.look();
  }

  /** Moves the head to the last record, before the database is closed. */
  close(): Promise<void> {
    return this.#keeper.close();
  }

  /**
   * Deletes at most 400 of the oldest records, those before a time. A record that a wrong clock dated later keeps those
   * after it. Returns how many; the first remaining record still follows from the last deleted one. Throws if the start
   * was not set by this program.
   */
  giveUp(before: number): number {
    return this.#transact(() => {
      const due = isoOf(before);
      const oldest = this.#rows.oldest(sliceLength);
      const kept = oldest.findIndex((row) => row.at >= due);
      const going = kept === -1 ? oldest : oldest.slice(0, kept);
      const last = going.at(-1);
      if (last !== undefined) this.#rows.startFrom(this.#keeper.startAfter(last));
      return going.length;
    });
  }
}

function atOnce(transact: Transact): Pick<LaterWrites, 'put'> {
  return {
    put: ({ write }) => {
      transact(write);
      return true;
    },
  };
}

function jsonWithoutSecrets(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return JSON.stringify(value, (name, member: unknown) => (secret.has(name) ? undefined : member));
}
