import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Outbound } from '../outbound/outbound.ts';
import { BackupError } from './backup-error.ts';

export interface RemoteFile {
  name: string;
  bytes: number;
}

/** A local file to be sent. */
interface SentFile {
  /** The full path. */
  file: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** A folder of files on another machine. Errors are BackupErrors of `target_...`. */
export interface RemoteFolder {
  list(signal: AbortSignal): Promise<RemoteFile[]>;
  /** Resolves when the remote file is what was sent. */
  put(name: string, sent: SentFile, signal: AbortSignal): Promise<void>;
  /** Writes it, as listed, into a new file; a larger answer is cut off. */
  get(listed: RemoteFile, file: string, signal: AbortSignal): Promise<void>;
  remove(name: string, signal: AbortSignal): Promise<void>;
}

export interface RemoteAccess {
  /** The password or secret key; null when none is needed. */
  secret: string | null;
  outbound: Pick<Outbound, 'stream'>;
}

/** Hexadecimal. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Throws the meaning of an HTTP status; `what` names the request. */
export function refuseStatus(status: number, what: string): void {
  if (status >= 200 && status < 300) return;
  const said = `${what}: it answered ${status}`;
  if (status === 401 || status === 403) throw new BackupError('target_refused', said);
  if (status === 404) throw new BackupError('target_missing', said);
  if (status === 413 || status === 507) throw new BackupError('target_full', said);
  throw new BackupError('target_failed', said);
}
