import type { Database } from 'better-sqlite3';

/** What a controller must know after a restart, in the form of its kind. */
export interface ControllerStateRow {
  controller_id: string;
  /** JSON. */
  state: string;
}

/** The states of controllers in control.db. Written only by the daemon's control store. */
export const controllerStateRows = {
  list(database: Database): ControllerStateRow[] {
    return database.prepare<[], ControllerStateRow>('SELECT controller_id, state FROM controller_states').all();
  },

  /** All or none. */
  save(database: Database, rows: readonly ControllerStateRow[]): void {
    const save = database.prepare('INSERT OR REPLACE INTO controller_states VALUES (@controller_id, @state)');
    database
      .transaction(() => {
        for (const row of rows) save.run(row);
      })
      .immediate();
  },

  remove(database: Database, controllerId: string): void {
    database.prepare('DELETE FROM controller_states WHERE controller_id = ?').run(controllerId);
  },
};
