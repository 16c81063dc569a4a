import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AuthType, createClient, getPatcher, type FileStat } from 'webdav';
import type { z } from 'zod';
import type { webdavOptions } from '../contract/backup-target.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { OutboundStream, StreamRequest } from '../outbound/outbound.ts';
import { BackupError } from './backup-error.ts';
import { saveBody, textOf } from './remote-body.ts';
import { refuseStatus, type RemoteAccess, type RemoteFolder } from './remote-folder.ts';

/** How a call reaches the network: the library has one `fetch` for all of its clients. */
type Way = (url: string, init: LibraryRequest) => Promise<OutboundStream>;
interface LibraryRequest {
  method: StreamRequest['method'];
  headers: Record<string, string>;
  body?: Readable | string | Buffer;
}

const way = new AsyncLocalStorage<Way>();
let isPatched = false;

/**
 * A folder of a WebDAV server (RFC 4918), by the library `webdav`, all of whose requests go through the guarded fetch.
 */
export function webdavFolder(
  { url, username, network: policy, ca }: z.infer<typeof webdavOptions>,
  { secret, outbound }: RemoteAccess,
): RemoteFolder {
  if (!isPatched) getPatcher().patch('fetch', (...asked) => guardedFetch(...(asked as [string, LibraryRequest])));
  isPatched = true;
  const authType = username === '' ? AuthType.None : AuthType.Auto;
  const client = createClient(url, { authType, username, password: secret ?? '' });

  /** Runs a request of the library; `what` names it in errors. */
  async function guarded<T>(what: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await way.run((address, init) => outbound.stream(address, { policy, ca, signal, ...init }), work);
    } catch (error) {
      if (error instanceof BackupError || error instanceof OutboundError) throw error;
      if (error instanceof Error && 'status' in error && typeof error.status === 'number')
        refuseStatus(error.status, what);
      throw new BackupError('target_failed', `${what}: ${String(error)}`, { cause: error });
    }
  }
  const entries = (signal: AbortSignal): Promise<FileStat[]> =>
    guarded('listing the folder', signal, () => client.getDirectoryContents('/'));

  /** The body of a file; the library's own stream does not report a broken connection. */
  const bodyOf = async (path: string): Promise<Readable> => {
    const answer: unknown = await client.customRequest(path, { method: 'GET' });
    return (answer as { body: Readable }).body; // as guardedFetch made it
  };

  return {
    async list(signal) {
      const files = (await entries(signal)).filter(({ type }) => type === 'file');
      return files.map(({ basename, size }) => ({ name: basename, bytes: size }));
    },
    async put(name, { file, bytes, sha256 }, signal) {
      await entries(signal); // a stream is sent once: by now it is known how to log in
      const partial = `/${name}.partial`;
      await guarded(`sending ${name}`, signal, async () => {
        const headers = { 'content-length': String(bytes) };
        await client.putFileContents(partial, createReadStream(file), { headers });
        const there = createHash('sha256');
        await pipeline(await bodyOf(partial), there);
        if (there.digest('hex') !== sha256)
          throw new BackupError('target_failed', `${name} is not there as it was sent`);
        await client.moveFile(partial, `/${name}`, { overwrite: true });
      });
    },
    async get({ name, bytes }, file, signal) {
      await guarded(`fetching ${name}`, signal, async () => saveBody({ body: await bodyOf(`/${name}`) }, file, bytes));
    },
    async remove(name, signal) {
      await guarded(`deleting ${name}`, signal, () => client.deleteFile(`/${name}`)).catch((error: unknown) => {
        if (!(error instanceof BackupError && error.code === 'target_missing')) throw error;
      });
    },
  };
}

/** Replaces `fetch` for the library: as much of an answer as it reads. It would take a redirect for success. */
async function guardedFetch(url: string, init: LibraryRequest): Promise<object> {
  const asked = way.getStore();
  if (asked === undefined) throw new TypeError('there is no way out of this machine but the guarded one');
  const answer = await asked(url, init);
  const { status, headers, body } = answer;
  if (status >= 300 && status < 400) {
    await textOf(answer);
    throw new BackupError(
      'target_failed',
      `it points to ${headers.get('location') ?? 'elsewhere'}: enter that address`,
    );
  }
  if (status === 401 && isDigest(init) && !/stale="?true/i.test(headers.get('www-authenticate') ?? '')) {
    await textOf(answer);
    throw new BackupError('target_refused', 'it refused name and password'); // the library would take it for an answer
  }
  if (init.method !== 'GET' || status >= 400) return answered(status, headers, await textOf(answer));
  return { ok: true, status, statusText: '', headers, body, text: () => textOf(answer) };
}

function isDigest({ headers }: LibraryRequest): boolean {
  return Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === 'authorization' && /^digest /i.test(value),
  );
}

function answered(status: number, headers: Headers, text: string): object {
  const body = Readable.from([text]);
  return { ok: status < 300, status, statusText: String(status), headers, body, text: async () => text };
}
