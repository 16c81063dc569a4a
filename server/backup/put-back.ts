import { join } from 'node:path';
import type { BackupFault } from '../contract/backup.ts';
import { acquireInstanceLock } from '../db/instance-lock.ts';
import { LockedError } from '../db/lock-file.ts';
import { BackupError, faultOf } from './backup-error.ts';
import { finishRestore, isRestoreDecided, tidyRestore, undoRestore } from './restore.ts';

interface PutBack {
  lines: string[];
  /** Why the decided restore failed. */
  fault: BackupFault | null;
  /** Whether a restore was decided. */
  isDecided: boolean;
}

/**
 * Completes a decided restore, if there is one. A running daemon holds the files: then, and on any failure, the former
 * files are back and `fault` says why.
 */
export function putBack(directory: string): PutBack {
  // Removes what a killed program has unpacked.
  if (!isRestoreDecided(directory)) return { lines: tidyRestore(directory), fault: null, isDecided: false };
  try {
    return { lines: withoutDaemon(directory, () => finishRestore(directory)), fault: null, isDecided: true };
  } catch (error) {
    return { lines: undoRestore(directory), fault: faultOf(error), isDecided: true };
  }
}

/** Does what must not happen while a daemon runs. Throws BackupError daemon_runs. */
export function withoutDaemon<Result>(directory: string, work: () => Result): Result {
  const lock = heldLock(directory);
  try {
    return work();
  } finally {
    lock.release();
  }
}

function heldLock(directory: string) {
  try {
    return acquireInstanceLock(join(directory, 'daemon.lock'));
  } catch (cause) {
    if (!(cause instanceof LockedError)) throw cause;
    throw new BackupError('daemon_runs', `the control daemon still runs (process ${cause.pid})`, { cause });
  }
}
