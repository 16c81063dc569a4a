import type { Database } from 'better-sqlite3';

/** An emergency stop that holds. */
export interface EmergencyStopRow {
  /** Epoch ms. */
  since_ms: number;
  actor: string;
  reason: string | null;
}

/** The emergency stop in control.db. Written only by the daemon's control store. */
export const emergencyStopRow = {
  /** null while none holds. */
  get(database: Database): EmergencyStopRow | null {
    return (
      database.prepare<[], EmergencyStopRow>('SELECT since_ms, actor, reason FROM emergency_stop WHERE id = 1').get() ??
      null
    );
  },

  save(database: Database, row: EmergencyStopRow | null): void {
    if (row === null) {
      database.prepare('DELETE FROM emergency_stop').run();
      return;
    }
    database
      .prepare<[EmergencyStopRow]>(
        'INSERT OR REPLACE INTO emergency_stop (id, since_ms, actor, reason) VALUES (1, @since_ms, @actor, @reason)',
      )
      .run(row);
  },
};
