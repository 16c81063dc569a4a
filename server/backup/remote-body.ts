import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { OutboundStream } from '../outbound/outbound.ts';
import { BackupError } from './backup-error.ts';

/** For an answer that is read as a whole: a list of a few thousand files. */
const mostTextBytes = 8_000_000;

/** Throws BackupError target_failed when it is too long. */
export async function textOf({ body }: OutboundStream): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > mostTextBytes) throw new BackupError('target_failed', 'it answered more than a list');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/**
 * Writes an answer into a new private file; it is on disk when this resolves. Throws BackupError target_failed when it
 * exceeds `mostBytes`.
 */
export async function saveBody({ body }: Pick<OutboundStream, 'body'>, file: string, mostBytes: number): Promise<void> {
  async function* limited(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const part of parts) {
      bytes += part.length;
      if (bytes > mostBytes) throw new BackupError('target_failed', 'it answered more than it had listed');
      yield part;
    }
  }
  await pipeline(body, limited, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
}
