import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DaemonStatus } from '../contract/daemon.ts';
import { dataDirectoryId, isEnding, readInstanceId } from '../db/instance-lock.ts';
import { holderOf } from '../db/lock-file.ts';
import { readSecretFile } from '../db/secret-file.ts';
import { DaemonControl } from '../orangery_client.ts';
import { RemoteError } from '../remote/exception.ts';

const askTimeout_s = 2;
const pollMs = 100;

/** What answers on a daemon's port. */
export type Found =
  | { kind: 'nothing' }
  /** A daemon of this data directory, and the handshake that it accepted. */
  | { kind: 'ours'; status: DaemonStatus; handshake: string }
  /** Another daemon or another program. */
  | { kind: 'foreign' }
  /** Something that accepts connections and sends nothing. */
  | { kind: 'silent' };

interface Search {
  uri: string;
  /** Proves to the daemon that the caller is the service. */
  token: string;
  dataDirectory: string;
}

/**
 * Asks the program at an address whether it is the daemon of a data directory. One that does not know the token,
 * because its file was lost or replaced since, may still admit the service like other programs of this machine.
 */
export async function findDaemon({ uri, token, dataDirectory }: Search): Promise<Found> {
  const found = await ask({ uri, handshake: token, dataDirectory });
  const secret = found.kind === 'foreign' ? readSecretFile(join(dataDirectory, 'remote.loopback_secret')) : undefined;
  if (secret === undefined) return found;
  const admitted = await ask({ uri, handshake: secret, dataDirectory });
  return admitted.kind === 'ours' ? admitted : found;
}

interface Question extends Omit<Search, 'token'> {
  handshake: string;
}

async function ask({ uri, handshake, dataDirectory }: Question): Promise<Found> {
  const control = new DaemonControl({ pyro_uri: uri, pyro_timeout: askTimeout_s, pyro_handshake: handshake });
  try {
    const status = await control.daemon_status();
    return isOurs(status, dataDirectory) ? { kind: 'ours', status, handshake } : { kind: 'foreign' };
  } catch (error) {
    if (error instanceof RemoteError && error.code === 'timeout') return { kind: 'silent' };
    return { kind: isRefusedConnection(error) ? 'nothing' : 'foreign' };
  } finally {
    control.close();
  }
}

/** A running daemon that was found. */
export interface FoundDaemon {
  dataDirectory: string;
  pid: number;
}

/** Process that holds the lock of a data directory; null when none does, undefined when that cannot be found out. */
export function lockHolder(dataDirectory: string): number | null | undefined {
  return holderOf(lockOf(dataDirectory));
}

/** Whether a daemon has released its data directory. A read-only disk has no lock, so there its process counts. */
export function isGone({ dataDirectory, pid }: FoundDaemon): boolean {
  const holder = lockHolder(dataDirectory);
  return holder === undefined ? !isAlive(pid) : holder === null;
}

/** True once a daemon has released its data directory; false when that takes longer than the given time. */
export async function waitForEnd(daemon: FoundDaemon, timeoutMs: number): Promise<boolean> {
  const giveUpAtMs = performance.now() + timeoutMs;
  while (!isGone(daemon)) {
    if (performance.now() >= giveUpAtMs) return false;
    await pause(pollMs);
  }
  return true;
}

/** Whether a daemon was asked to end. */
export function wasAskedToEnd({ dataDirectory, pid }: FoundDaemon): boolean {
  return isEnding(lockOf(dataDirectory), pid);
}

/** Kills the process that holds a data directory: it can only be a daemon of ours. */
export function endHolder({ dataDirectory, pid }: FoundDaemon): void {
  const holder = lockHolder(dataDirectory) ?? (isGone({ dataDirectory, pid }) ? 0 : pid);
  try {
    if (holder > 0) process.kill(holder, 'SIGKILL'); // 0 would be this process and its kin
  } catch {
    // It ended by itself in the meantime.
  }
}

/** Waits for a daemon that was told to stop, and kills it when it takes longer than the given time. */
export async function seeOff(daemon: FoundDaemon, timeoutMs: number): Promise<void> {
  if (await waitForEnd(daemon, timeoutMs)) return;
  endHolder(daemon);
  await waitForEnd(daemon, timeoutMs);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function isOurs(status: DaemonStatus, dataDirectory: string): boolean {
  return (
    status.instance_id === (readInstanceId(lockOf(dataDirectory)) ?? '') &&
    status.data_directory_id === dataDirectoryId(dataDirectory)
  );
}

function lockOf(dataDirectory: string): string {
  return join(dataDirectory, 'daemon.lock');
}

function isRefusedConnection(error: unknown): boolean {
  if (!(error instanceof RemoteError) || error.code !== 'connection_failed') return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}
