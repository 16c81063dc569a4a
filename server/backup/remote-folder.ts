import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Outbound } from '../outbound/outbound.ts';
import { BackupError } from './backup-error.ts';

export interface RemoteFile {
  name: string;
  bytes: number;
}

/** A file of this machine as it is sent. */
interface SentFile {
  /** Whole path. */
  file: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Where files lie on another machine. What goes wrong is a BackupError of `target_...`. */
export interface RemoteFolder {
  list(signal: AbortSignal): Promise<RemoteFile[]>;
  /** Resolves when what lies there under that name is what was sent. */
  put(name: string, sent: SentFile, signal: AbortSignal): Promise<void>;
  /** Writes it, as it was listed, into a file that is not there yet; what is larger than that is broken off. */
  get(listed: RemoteFile, file: string, signal: AbortSignal): Promise<void>;
  remove(name: string, signal: AbortSignal): Promise<void>;
}

export interface RemoteAccess {
  /** The password or secret key; null where none is needed. */
  secret: string | null;
  outbound: Pick<Outbound, 'stream'>;
}

/** Hexadecimal. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Throws what a status of an HTTP answer means; `what` says what was asked. */
export function refuseStatus(status: number, what: string): void {
  if (status >= 200 && status < 300) return;
  const said = `${what}: it answered ${status}`;
  if (status === 401 || status === 403) throw new BackupError('target_refused', said);
  if (status === 404) throw new BackupError('target_missing', said);
  if (status === 413 || status === 507) throw new BackupError('target_full', said);
  throw new BackupError('target_failed', said);
}
