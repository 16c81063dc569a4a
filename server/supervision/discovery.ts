import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DaemonStatus } from '../contract/daemon.ts';
import { acquireInstanceLock, dataDirectoryId, isEnding, readInstanceId } from '../db/instance-lock.ts';
import { LockedError } from '../db/lock-file.ts';
import { DaemonControl } from '../orangery_client.ts';
import { RemoteError } from '../remote/exception.ts';

const ASK_TIMEOUT_S = 2;
const POLL_MS = 100;

/** What answers on a daemon's port. */
export type Found =
  | { kind: 'nothing' }
  /** A daemon of this data directory. */
  | { kind: 'ours'; status: DaemonStatus }
  /** Another daemon or another program. */
  | { kind: 'foreign' };

interface Search {
  uri: string;
  /** By which the service shows the daemon that it is the service. */
  token: string;
  dataDirectory: string;
}

/** Asks whoever listens at an address whether it is the daemon of a data directory. */
export async function findDaemon({ uri, token, dataDirectory }: Search): Promise<Found> {
  const control = new DaemonControl({ pyro_uri: uri, pyro_timeout: ASK_TIMEOUT_S, pyro_handshake: token });
  try {
    const status = await control.daemon_status();
    return { kind: isOurs(status, dataDirectory) ? 'ours' : 'foreign', status };
  } catch (error) {
    return { kind: isRefusedConnection(error) ? 'nothing' : 'foreign' };
  } finally {
    control.close();
  }
}

/** Process that holds the lock of a data directory; null when nobody does. */
export function lockHolder(dataDirectory: string): number | null {
  try {
    acquireInstanceLock(lockOf(dataDirectory)).release();
    return null;
  } catch (error) {
    if (error instanceof LockedError) return error.pid;
    throw error;
  }
}

/** True once nobody holds the lock of a data directory; false when that takes longer than the time given. */
export async function waitForEnd(dataDirectory: string, timeoutMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + timeoutMs;
  while (lockHolder(dataDirectory) !== null) {
    if (performance.now() >= giveUpAt) return false;
    await pause(POLL_MS);
  }
  return true;
}

/** Whether the last daemon of a data directory was asked to end. */
export function wasAskedToEnd(dataDirectory: string): boolean {
  return isEnding(lockOf(dataDirectory));
}

/** Ends the process that holds a data directory: it is a daemon of ours, whoever it is. */
export function endHolder(dataDirectory: string): void {
  const pid = lockHolder(dataDirectory);
  try {
    if (pid !== null && pid > 0) process.kill(pid, 'SIGKILL'); // 0 would be this process and its kin
  } catch {
    // it went by itself in the meantime
  }
}

/** Waits for a daemon that was told to stop, and ends it when it does not within the time given. */
export async function seeOff(dataDirectory: string, timeoutMs: number): Promise<void> {
  if (await waitForEnd(dataDirectory, timeoutMs)) return;
  endHolder(dataDirectory);
  await waitForEnd(dataDirectory, timeoutMs);
}

function isOurs(status: DaemonStatus, dataDirectory: string): boolean {
  return (
    status.instance_id === readInstanceId(lockOf(dataDirectory)) &&
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
