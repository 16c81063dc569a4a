import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { messageOf } from './contract/message-of.ts';
import { LockedError, lockFile } from './db/lock-file.ts';
import { storageFaultOf } from './db/storage-fault.ts';

type Failure = 'data_directory_in_use' | 'data_directory_not_writable';

/** Why the data directory cannot be used; the message is one line for whoever starts the service. */
class DataDirectoryError extends Error {
  readonly code: Failure;

  constructor(code: Failure, message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'DataDirectoryError';
    this.code = code;
  }
}

interface Platform {
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
  home: string;
}

/** The chosen directory (ORANGERY_DATA_DIR) as an absolute path, else the platform's place for application data. */
export function dataDirectory(chosen: string | undefined, machine?: Platform): string {
  if (chosen !== undefined) return resolve(chosen);
  // The user of a service may have no home, so it is read last.
  const { platform, env, home } = machine ?? { platform: process.platform, env: process.env, home: homedir() };
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'Orangery');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Orangery');
  return join(env['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'orangery');
}

/**
 * Makes the directory, private to its owner, and holds its `service.lock` until the returned function is called or the
 * process ends. Throws `DataDirectoryError` if another service holds it or it is not writable.
 */
export function lockDataDirectory(directory: string): () => void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return lockFile(join(directory, 'service.lock')).release;
  } catch (error) {
    throw explain(directory, error);
  }
}

export interface DirectoryHold {
  /** Locks the directory if the disk took no lock before. Throws `DataDirectoryError`. */
  lock: () => void;
  release: () => void;
}

/**
 * Like `lockDataDirectory`, except that once a service has run here, a disk that takes no lock does not keep it from
 * starting: another service could not store anything there either.
 */
export function holdDataDirectory(directory: string): DirectoryHold {
  let release: (() => void) | undefined;
  const hold = {
    lock: () => void (release ??= lockDataDirectory(directory)),
    release: () => release?.(),
  };
  try {
    hold.lock();
  } catch (error) {
    const isUsed = existsSync(join(directory, 'orangery.db')) && existsSync(join(directory, 'tls'));
    const isRefused = error instanceof DataDirectoryError && storageFaultOf(error.cause) !== undefined;
    if (!isUsed || !isRefused) throw error;
  }
  return hold;
}

function explain(directory: string, error: unknown): DataDirectoryError {
  if (error instanceof LockedError) {
    const message = `${directory} is in use by another Orangery service (process ${error.pid})`;
    return new DataDirectoryError('data_directory_in_use', message, error);
  }
  const reason = messageOf(error);
  return new DataDirectoryError('data_directory_not_writable', `${directory} cannot be written: ${reason}`, error);
}
