import type { Database } from 'better-sqlite3';

/** A program activated or deactivated a controller, and the settings do not reflect it yet. */
export interface AskedActivation {
  controller_id: string;
  is_active: boolean;
}

/** Programs' requests, in control.db. Written only by the daemon's control store. */
export const askedActivationRows = {
  list(database: Database): AskedActivation[] {
    return database
      .prepare<[], { controller_id: string; is_active: number }>(
        'SELECT controller_id, is_active FROM asked_activations',
      )
      .all()
      .map(({ controller_id, is_active }) => ({ controller_id, is_active: is_active === 1 }));
  },

  /** null: the settings agree by now. */
  save(database: Database, controllerId: string, isActive: boolean | null): void {
    if (isActive === null) {
      database.prepare('DELETE FROM asked_activations WHERE controller_id = ?').run(controllerId);
      return;
    }
    database
      .prepare('INSERT OR REPLACE INTO asked_activations (controller_id, is_active) VALUES (?, ?)')
      .run(controllerId, Number(isActive));
  },
};
