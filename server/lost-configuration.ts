import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { wayBack } from './backup/way-back.ts';
import { openUnwritable } from './db/open.ts';

/** What only a service that has run makes: these files, and tables with at least one row. */
const traces = ['tls/ca.crt', 'last-known.json'];
const tracedBy = { 'control.db': 'daemon_run', 'measurements.db': 'series' };

/**
 * orangery.db is gone or empty, but a service has run here: a new one in its place would lack accounts, maps and
 * devices.
 */
class LostConfigurationError extends Error {
  override readonly name = 'LostConfigurationError';
  readonly code = 'configuration_lost';

  constructor(file: string, beside: readonly string[]) {
    super(
      `${file} is missing or empty, but ${beside.join(', ')} of the same service ${beside.length === 1 ? 'is' : 'are'} there: ` +
        `${wayBack(dirname(file))}, or run "orangery salvage", which makes it from what is left; ` +
        'to begin anew choose another data directory',
    );
  }
}

/** Throws LostConfigurationError if starting a service would hide that its orangery.db was lost. */
export function refuseLostConfiguration(directory: string): void {
  const file = join(directory, 'orangery.db');
  if (!isEmpty(file)) return;
  const beside = tracesIn(directory);
  if (beside.length > 0) throw new LostConfigurationError(file, beside);
}

function tracesIn(directory: string): string[] {
  const tables = Object.entries(tracedBy).filter(([name, table]) => hasRow(join(directory, name), table));
  return [...tables.map(([name]) => name), ...traces.filter((name) => existsSync(join(directory, name)))];
}

/** Missing, of no length, or without a table. An unreadable file is not empty. */
export function isEmpty(file: string): boolean {
  if (!existsSync(file) || statSync(file).size === 0) return true;
  return asked(file, 'SELECT 1 FROM sqlite_schema LIMIT 1') === 'none';
}

function hasRow(file: string, table: string): boolean {
  return existsSync(file) && asked(file, `SELECT 1 FROM ${table} LIMIT 1`) === 'some';
}

function asked(file: string, sql: string): 'some' | 'none' | 'unknown' {
  try {
    const db = openUnwritable(file);
    try {
      return db.prepare(sql).get() === undefined ? 'none' : 'some';
    } finally {
      db.close();
    }
  } catch {
    return 'unknown';
  }
}
