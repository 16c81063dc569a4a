import { createHash, createHmac } from 'node:crypto';
import type { AuditRepository, AuditRow, AuditStart } from '../db/repositories/audit.ts';
import { lossOf, type HeadFile } from './audit-head.ts';

/** The result of checking the whole audit. */
export interface ChainState {
  records: number;
  /** The first record that differs from what was written; null when the audit is intact. */
  broken: { id: number; what: string } | null;
}

/** What the chain is checked against, both kept outside the database; the key is undefined when it is lost. */
export interface ChainProof {
  key: string | undefined;
  head: HeadFile;
}

type Hashed = Omit<AuditRow, 'id' | 'previous_hash' | 'hash'>;

/** HMAC-SHA-256 (RFC 2104) over the previous record's hash and this record. */
export function chained(key: string, previousHash: Buffer, record: Hashed): Buffer {
  return createHmac('sha256', key).update('record').update(previousHash).update(textOf(record)).digest();
}

/** How records were chained before there was a key. */
export function chainedWithoutKey(previousHash: Buffer, record: Hashed): Buffer {
  return createHash('sha256').update(previousHash).update(textOf(record)).digest();
}

/** The start of the chain, with proof that it was set by a holder of the key. */
export function sealedStart(key: string, start: Omit<AuditStart, 'mac'>): AuditStart {
  const content = JSON.stringify([start.last_id, start.hash.toString('hex'), start.keyed_from]);
  return { ...start, mac: createHmac('sha256', key).update('start').update(content).digest() };
}

export function isSealed(key: string, start: AuditStart): boolean {
  return start.mac !== null && sealedStart(key, start).mac?.equals(start.mac) === true;
}

/** Checks that every record follows from the previous one, from the last deleted one to the last ever written. */
export function checkChain(rows: AuditRepository, { key, head }: ChainProof): ChainState {
  const known = head.read(key); // before the records, which only grow meanwhile
  const start = rows.start();
  if (start.mac !== null && key === undefined) return brokenAt(start.last_id + 1, 'the key of the audit is lost');
  if (start.mac !== null && key !== undefined && !isSealed(key, start)) {
    return brokenAt(start.last_id + 1, 'the beginning was moved without the key');
  }
  const { records, broken } = checkRecords(rows, start, key);
  return { records, broken: broken ?? lossOf(known, { rows, start }) };
}

function checkRecords(rows: AuditRepository, start: AuditStart, key: string | undefined): ChainState {
  let previous = { id: start.last_id, hash: start.hash };
  let records = 0;
  for (const row of rows.all()) {
    const isKeyed = start.keyed_from !== null && row.id >= start.keyed_from;
    const what = faultOf(row, previous, isKeyed ? key : undefined);
    if (what !== undefined) return { records, broken: { id: row.id, what } };
    previous = row;
    records += 1;
  }
  const lastId = rows.lastId();
  const isCut = previous.id < lastId;
  return { records, broken: isCut ? { id: lastId, what: `the records after ${previous.id} are missing` } : null };
}

function faultOf(row: AuditRow, previous: { id: number; hash: Buffer }, key: string | undefined): string | undefined {
  if (!previous.hash.equals(row.previous_hash)) return `does not follow from record ${previous.id}`;
  const expected = key === undefined ? chainedWithoutKey(row.previous_hash, row) : chained(key, row.previous_hash, row);
  return expected.equals(row.hash) ? undefined : 'was changed';
}

function brokenAt(id: number, what: string): ChainState {
  return { records: 0, broken: { id, what } };
}

function textOf({ at, kind, user_id, username, key_id, address, target, before, after }: Hashed): string {
  return JSON.stringify([at, kind, user_id, username, key_id, address, target, before, after]);
}
