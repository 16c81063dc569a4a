import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { AuditEnd, AuditRepository, AuditStart } from '../db/repositories/audit.ts';
import { replaceFile, replaceFileSync } from '../db/replace-file.ts';

/** A detected loss, kept for ever: later records must not hide it. */
const loss = z.strictObject({ id: z.int(), what: z.string().max(200) });
type Loss = z.infer<typeof loss>;

const content = z.strictObject({ last_id: z.int(), hash: z.hex(), losses: z.array(loss) });
const stored = content.extend({ mac: z.hex() });
/** How far the chain had come at least, and losses before that. */
export type Head = z.infer<typeof content>;

const mostLosses = 20;

/**
 * The end of the audit in a file beside the database, so that a chain which is cut, emptied or replaced by an older one
 * is detected. Sealed with the key of the audit.
 */
export class HeadFile {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  get isThere(): boolean {
    return existsSync(this.#file);
  }

  /** `changed` also if it was sealed with another key. */
  read(key: string | undefined): Head | 'missing' | 'changed' {
    if (!this.isThere) return 'missing';
    if (key === undefined) return 'changed';
    try {
      const { mac, ...head } = stored.parse(JSON.parse(readFileSync(this.#file, 'utf8')));
      return macOf(key, head) === mac ? head : 'changed';
    } catch {
      return 'changed';
    }
  }

  write(key: string, head: Head): Promise<void> {
    return replaceFile(this.#file, textOf(key, head));
  }

  writeNow(key: string, head: Head): void {
    replaceFileSync(this.#file, textOf(key, head));
  }
}

export function headAt({ id, hash }: AuditEnd, losses: readonly Loss[] = []): Head {
  return { last_id: id, hash: hash.toString('hex'), losses: losses.slice(0, mostLosses) };
}

/** What the head proves to be missing from the records; null when nothing is. */
export function lossOf(
  head: Head | 'missing' | 'changed',
  { rows, start }: { rows: AuditRepository; start: AuditStart },
): Loss | null {
  if (head === 'missing') {
    return start.mac === null ? null : { id: rows.end().id, what: 'the head of the audit is missing' };
  }
  if (head === 'changed') return { id: rows.end().id, what: 'the head of the audit was changed, or its key was lost' };
  return newLossOf(head, { rows, start }) ?? head.losses[0] ?? null;
}

/** What was lost since the head was written. */
export function newLossOf(
  { last_id, hash }: Head,
  { rows, start }: { rows: AuditRepository; start: AuditStart },
): Loss | null {
  if (last_id <= start.last_id) return null; // given up by its age
  const found = rows.hashOf(last_id);
  if (found?.toString('hex') === hash) return null;
  return {
    id: last_id,
    what: found === undefined ? 'the records up to it are missing' : 'is not the one that was written',
  };
}

function textOf(key: string, head: Head): string {
  return `${JSON.stringify({ ...head, mac: macOf(key, head) })}\n`;
}

function macOf(key: string, { last_id, hash, losses }: Head): string {
  return createHmac('sha256', key)
    .update('head')
    .update(JSON.stringify([last_id, hash, losses.map(({ id, what }) => [id, what])]))
    .digest('hex');
}
