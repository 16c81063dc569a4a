import { dirname, join } from 'node:path';
import { wayBack } from './backup/way-back.ts';
import { messageOf } from './contract/message-of.ts';
import { DatabaseTooNewError } from './db/migrate.ts';
import type { Migration } from './db/migration.ts';
import { controlMigrations } from './db/migrations/control.ts';
import { measurementsMigrations } from './db/migrations/measurements.ts';
import { orangeryMigrations } from './db/migrations/orangery.ts';
import { openAsItCan, type Database } from './db/open.ts';
import { saysDamaged, setAside } from './db/damaged-file.ts';
import { storageFaultOf } from './db/storage-fault.ts';
import { refuseLostConfiguration } from './lost-configuration.ts';

/** A database file that cannot be used; the message is one line that names it and says what to do. */
class DatabaseFileError extends Error {
  readonly code = 'database_unusable';

  constructor(file: string, cause: unknown) {
    const advice = saysDamaged(cause) ? `: ${wayBack(dirname(file))}, or run "orangery salvage"` : '';
    super(`${file} cannot be used: ${messageOf(cause)}${advice}`, { cause });
    this.name = 'DatabaseFileError';
  }
}

/**
 * Migrates the three files of a data directory, as the daemon opens its two as they are; returns the server's own,
 * read-only if the disk refuses writes. Throws LostConfigurationError, DatabaseTooNewError or DatabaseFileError.
 */
export function openDatabases(directory: string): Database {
  refuseLostConfiguration(directory);
  openOrReplace(join(directory, 'control.db'), controlMigrations);
  openOrReplace(join(directory, 'measurements.db'), measurementsMigrations);
  return openFile(join(directory, 'orangery.db'), orangeryMigrations);
}

/** Control must not wait: a damaged file is set aside for a new one, and the daemon salvages what it can. */
function openOrReplace(file: string, migrations: readonly Migration[]): void {
  try {
    openFile(file, migrations).close();
  } catch (error) {
    if (!(error instanceof DatabaseFileError)) throw error;
    if (storageFaultOf(error.cause) !== undefined) return; // the daemon goes on without it
    if (!saysDamaged(error.cause)) throw error;
    replace(file, migrations);
  }
}

function replace(file: string, migrations: readonly Migration[]): void {
  try {
    setAside(file, new Date());
    openFile(file, migrations).close();
  } catch (error) {
    const cause = error instanceof DatabaseFileError ? error.cause : error;
    if (storageFaultOf(cause) === undefined) throw error;
  }
}

function openFile(file: string, migrations: readonly Migration[]): Database {
  try {
    return openAsItCan(file, migrations);
  } catch (error) {
    if (error instanceof DatabaseTooNewError) throw error;
    throw new DatabaseFileError(file, error); // SQLite's own message does not say which file
  }
}
