import type { BackupPart } from '../contract/backup.ts';
import type { Migration } from '../db/migration.ts';
import { controlMigrations } from '../db/migrations/control.ts';
import { measurementsMigrations } from '../db/migrations/measurements.ts';
import { orangeryMigrations } from '../db/migrations/orangery.ts';
import type { Database } from '../db/open.ts';

interface Part {
  migrations: readonly Migration[];
  /** Removes from a copy what a backup must not hold. */
  scrub: (copy: Database, trimming: Trimming) => void;
}

export interface Trimming {
  /** Earlier samples and minute averages are left out, epoch ms; null keeps all. */
  measurements_from_ms: number | null;
}

/** What is kept of each database. CA, keys and tokens are separate files, which no backup holds. */
export const parts: Record<BackupPart, Part> = {
  'orangery.db': {
    migrations: orangeryMigrations,
    scrub: (copy) => {
      // A session must not come back, and an old message must not be sent again.
      for (const table of ['sessions', 'notification_outbox', 'errands']) copy.exec(`DELETE FROM ${table}`);
    },
  },
  'control.db': {
    migrations: controlMigrations,
    // Old commands must not act after a restore. An emergency stop stays: only people lift it.
    scrub: (copy) =>
      copy.exec(`
        UPDATE output_channels SET override_value = NULL, override_actor = NULL, override_reason = NULL,
          override_until_ms = NULL, override_ends_ms = NULL,
          kept_value = NULL, kept_source = NULL, kept_actor = NULL, kept_hold_ms = NULL;
        DELETE FROM asked_activations;
        DELETE FROM daemon_run; -- so that a stop that was pressed meanwhile is taken up from last-known.json`),
  },
  'measurements.db': { migrations: measurementsMigrations, scrub: trim },
};

function trim(copy: Database, { measurements_from_ms }: Trimming): void {
  if (measurements_from_ms === null) return;
  copy.prepare('DELETE FROM sample WHERE time_ms < ?').run(measurements_from_ms);
  copy.prepare('DELETE FROM rollup_minute WHERE start_ms < ?').run(measurements_from_ms);
}
