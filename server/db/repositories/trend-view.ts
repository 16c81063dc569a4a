import type { Database, Statement } from 'better-sqlite3';
import { trendShown, type TrendView } from '../../contract/trend-view.ts';

/** A view as stored. */
export interface StoredTrendView extends Omit<TrendView, 'is_own'> {
  user_id: string;
}

type Row = Omit<StoredTrendView, 'is_shared' | 'shown'> & { is_shared: number; shown: string };

const columns = 'unique_id, user_id, name, is_shared, shown, created_at, updated_at';
const read = `SELECT trend_views.unique_id, user_id, name, is_shared, shown, username AS author,
    trend_views.created_at, trend_views.updated_at
  FROM trend_views JOIN users ON users.unique_id = user_id`;

/** The views of trends of orangery.db, each of one user. Identifiers in lower case. */
export class TrendViewRepository {
  readonly #database: Database;
  readonly #visible: Statement<[{ user_id: string }], Row>;
  readonly #one: Statement<[string], Row>;
  readonly #count: Statement<[string], { count: number }>;

  constructor(database: Database) {
    this.#database = database;
    this.#visible = database.prepare(
      `${read} WHERE user_id = @user_id OR is_shared = 1 ORDER BY user_id <> @user_id, ordinal`,
    );
    this.#one = database.prepare(`${read} WHERE trend_views.unique_id = ?`);
    this.#count = database.prepare('SELECT count(*) AS count FROM trend_views WHERE user_id = ?');
  }

  /** Those of a user, then those that others share, each in the order in which they were made. */
  visible(userId: string): StoredTrendView[] {
    return this.#visible.all({ user_id: userId }).map(fromRow);
  }

  /** How many a user has made. */
  countOf(userId: string): number {
    return this.#count.get(userId)?.count ?? 0;
  }

  get(id: string): StoredTrendView | undefined {
    const row = this.#one.get(id);
    return row && fromRow(row);
  }

  insert(view: Omit<StoredTrendView, 'author'>): void {
    this.#database
      .prepare(
        `INSERT INTO trend_views (${columns})
         VALUES (@unique_id, @user_id, @name, @is_shared, @shown, @created_at, @updated_at)`,
      )
      .run(toRow(view));
  }

  update(view: StoredTrendView): void {
    this.#database
      .prepare(
        `UPDATE trend_views SET name = @name, is_shared = @is_shared, shown = @shown, updated_at = @updated_at
         WHERE unique_id = @unique_id`,
      )
      .run(toRow(view));
  }

  remove(id: string): void {
    this.#database.prepare('DELETE FROM trend_views WHERE unique_id = ?').run(id);
  }
}

function toRow(view: Omit<StoredTrendView, 'author'>): Omit<Row, 'author'> {
  return { ...view, is_shared: Number(view.is_shared), shown: JSON.stringify(view.shown) };
}

function fromRow(row: Row): StoredTrendView {
  return { ...row, is_shared: row.is_shared === 1, shown: trendShown.parse(JSON.parse(row.shown)) };
}
