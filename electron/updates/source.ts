import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../../server/contract/message-of.ts';
import type { Outbound } from '../../server/outbound/outbound.ts';
import { feedName, signatureName, UpdateError } from './feed.ts';

/** Where a feed and its files are: on a server, or on a disk for a machine without internet. */
export interface UpdateSource {
  feed: () => Promise<{ bytes: Buffer; signature: string }>;
  /** `length` bytes of a file, fewer at its end. Throws UpdateError. */
  part: (name: string, offset: number, length: number) => Promise<Buffer>;
}

const mostFeedBytes = 100_000;
const partTimeoutMs = 120_000;

/**
 * A folder on a server, by HTTPS; files are fetched in ranges (RFC 9110, 14), so that an interrupted download
 * continues.
 */
export function serverSource(address: string, outbound: Pick<Outbound, 'fetch'>): UpdateSource {
  const get = async (name: string, maxBytes: number, range?: string): Promise<Buffer> => {
    const headers = range === undefined ? {} : { Range: `bytes=${range}` };
    const asked = { policy: 'public', headers, maxBytes, timeoutMs: partTimeoutMs } as const;
    const wanted = range === undefined ? 200 : 206;
    const { status, body } = await outbound.fetch(new URL(name, `${address}/`).href, asked).catch((cause: unknown) => {
      throw new UpdateError('unreachable', messageOf(cause), { cause });
    });
    if (status !== wanted) throw new UpdateError('unreachable', `${name}: the server answers ${status}`);
    return body;
  };
  return {
    feed: async () => {
      const [bytes, signature] = await Promise.all([get(feedName, mostFeedBytes), get(signatureName, 1_000)]);
      return { bytes, signature: signature.toString('latin1') };
    },
    part: (name, offset, length) => get(name, length, `${offset}-${offset + length - 1}`),
  };
}

/** The feed in a file that a person chose, with its signature and its files beside it. */
export function folderSource(file: string): UpdateSource {
  const folder = dirname(file);
  const absent = (cause: unknown): never => {
    throw new UpdateError('unreachable', messageOf(cause), { cause });
  };
  return {
    feed: async () => {
      const read = Promise.all([readFile(file), readFile(`${file}.sig`, 'latin1')]);
      const [bytes, signature] = await read.catch(absent);
      return { bytes, signature };
    },
    part: async (name, offset, length) => {
      const handle = await open(join(folder, name)).catch(absent);
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    },
  };
}
