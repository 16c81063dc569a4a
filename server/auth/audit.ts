import { z } from 'zod';
import type { AuditRecord } from '../contract/audit.ts';
import type { AuditFilter, AuditRepository } from '../db/repositories/audit.ts';
import type { Transact } from '../db/transaction.ts';
import type { AuditEntry, AuditSink } from './actor.ts';
import { chained, checkChain, type ChainState } from './audit-chain.ts';
import { isoTime, type Clock } from './clock.ts';

interface AuditOptions {
  rows: AuditRepository;
  transact: Transact;
  now: Clock;
}

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

/** Records that one write transaction gives up, in under 10 ms. */
const sliceLength = 400;

const json = z.json();

/**
 * Writes down in orangery.db who did what. Each record carries the SHA-256 over itself and the record before it, so
 * that one changed, removed or slipped in later shows. A record made inside a transaction is part of it.
 */
export class AuditLog implements AuditSink {
  readonly #rows: AuditRepository;
  readonly #transact: Transact;
  readonly #now: Clock;

  constructor({ rows, transact, now }: AuditOptions) {
    this.#rows = rows;
    this.#transact = transact;
    this.#now = now;
  }

  record({ kind, actor, target, before, after }: AuditEntry): void {
    const record = {
      at: isoTime(this.#now()),
      kind,
      user_id: actor.user_id,
      username: actor.username,
      key_id: actor.key_id,
      address: actor.address,
      target: target ?? null,
      before: jsonWithoutSecrets(before),
      after: jsonWithoutSecrets(after),
    };
    this.#transact(() => {
      const previous_hash = this.#rows.lastHash() ?? this.#rows.start().hash;
      this.#rows.insert({ ...record, previous_hash, hash: chained(previous_hash, record) });
    });
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
    return checkChain(this.#rows);
  }

  /**
   * Gives up at most 400 of the oldest records, those before a time. One that a clock set wrong has dated later keeps
   * those behind it. Gives how many went; the first record that was kept still follows from the last that went.
   */
  giveUp(before: number): number {
    return this.#transact(() => {
      const due = isoTime(before);
      const oldest = this.#rows.oldest(sliceLength);
      const kept = oldest.findIndex((row) => row.at >= due);
      const going = kept === -1 ? oldest : oldest.slice(0, kept);
      const last = going.at(-1);
      if (last !== undefined) this.#rows.giveUp({ last_id: last.id, hash: last.hash });
      return going.length;
    });
  }
}

function jsonWithoutSecrets(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return JSON.stringify(value, (name, member: unknown) => (secret.has(name) ? undefined : member));
}
