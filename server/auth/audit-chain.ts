import { createHash } from 'node:crypto';
import type { AuditRepository, AuditRow } from '../db/repositories/audit.ts';

/** What a look at the whole audit found. */
export interface ChainState {
  records: number;
  /** The first record that does not follow from the one before it; null when the chain is whole. */
  broken: { id: number; what: string } | null;
}

type Hashed = Omit<AuditRow, 'id' | 'previous_hash' | 'hash'>;

/** SHA-256 over the hash of the record before and this record. */
export function chained(previousHash: Buffer, record: Hashed): Buffer {
  const { at, kind, user_id, username, key_id, address, target, before, after } = record;
  return createHash('sha256')
    .update(previousHash)
    .update(JSON.stringify([at, kind, user_id, username, key_id, address, target, before, after]))
    .digest();
}

/** Looks whether every record follows from the one before it, from what was last given up to the last ever written. */
export function checkChain(rows: AuditRepository): ChainState {
  const start = rows.start();
  let previous = { id: start.last_id, hash: start.hash };
  let records = 0;
  for (const row of rows.all()) {
    const what = faultOf(row, previous);
    if (what !== undefined) return { records, broken: { id: row.id, what } };
    previous = row;
    records += 1;
  }
  const lastId = rows.lastId();
  const isCut = previous.id < lastId;
  return { records, broken: isCut ? { id: lastId, what: `the records after ${previous.id} are missing` } : null };
}

function faultOf(row: AuditRow, previous: { id: number; hash: Buffer }): string | undefined {
  if (!previous.hash.equals(row.previous_hash)) return `does not follow from record ${previous.id}`;
  return chained(row.previous_hash, row).equals(row.hash) ? undefined : 'was changed';
}
