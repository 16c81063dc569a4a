import type { Database, Statement } from 'better-sqlite3';
import { widgets, type Dashboard } from '../../contract/dashboard.ts';

type DashboardRow = Omit<Dashboard, 'widgets'> & { widgets: string };

const columns = 'unique_id, name, widgets, created_at, updated_at';

/** The dashboards of orangery.db, each of one user. Identifiers in lower case. */
export class DashboardRepository {
  readonly #database: Database;
  readonly #ofUser: Statement<[string], DashboardRow>;
  readonly #one: Statement<[string, string], DashboardRow>;

  constructor(database: Database) {
    this.#database = database;
    this.#ofUser = database.prepare(`SELECT ${columns} FROM dashboards WHERE user_id = ? ORDER BY ordinal`);
    this.#one = database.prepare(`SELECT ${columns} FROM dashboards WHERE user_id = ? AND unique_id = ?`);
  }

  /** In the order in which they were made. */
  list(userId: string): Dashboard[] {
    return this.#ofUser.all(userId).map(fromRow);
  }

  get(userId: string, id: string): Dashboard | undefined {
    const row = this.#one.get(userId, id);
    return row && fromRow(row);
  }

  insert(userId: string, dashboard: Dashboard): void {
    this.#database
      .prepare(
        `INSERT INTO dashboards (user_id, ${columns})
         VALUES (@user_id, @unique_id, @name, @widgets, @created_at, @updated_at)`,
      )
      .run({ user_id: userId, ...toRow(dashboard) });
  }

  update(dashboard: Dashboard): void {
    this.#database
      .prepare(
        'UPDATE dashboards SET name = @name, widgets = @widgets, updated_at = @updated_at WHERE unique_id = @unique_id',
      )
      .run(toRow(dashboard));
  }

  remove(id: string): void {
    this.#database.prepare('DELETE FROM dashboards WHERE unique_id = ?').run(id);
  }
}

function toRow(dashboard: Dashboard): DashboardRow {
  return { ...dashboard, widgets: JSON.stringify(dashboard.widgets) };
}

function fromRow(row: DashboardRow): Dashboard {
  return { ...row, widgets: widgets.parse(JSON.parse(row.widgets)) };
}
