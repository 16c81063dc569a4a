import type { Migration } from '../../migration.ts';

/** Views of trends were stored as dashboards of one trend that filled the grid, under an id that no widget has. */
export const trendViews: Migration = {
  version: 21,
  name: 'trend-views',
  sql: `
    CREATE TABLE trend_views (
      ordinal INTEGER PRIMARY KEY,
      unique_id TEXT NOT NULL UNIQUE,
      user_id TEXT NOT NULL REFERENCES users (unique_id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      is_shared INTEGER NOT NULL CHECK (is_shared IN (0, 1)),
      shown TEXT NOT NULL CHECK (json_type(shown) = 'object'),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX trend_views_by_user ON trend_views (user_id, ordinal);

    INSERT INTO trend_views (unique_id, user_id, name, is_shared, shown, created_at, updated_at)
    SELECT unique_id, user_id, name, 0,
      json_object(
        'series', json_extract(widgets, '$[0].sources'),
        'hidden', json('[]'),
        'outputs', json('[]'),
        'span_s', json_extract(widgets, '$[0].span_s'),
        'ends_at', NULL,
        'compare', NULL,
        'has_forecast', json('false'),
        'degree_base_c', 10
      ),
      created_at, updated_at
    FROM dashboards
    WHERE json_array_length(widgets) = 1
      AND json_extract(widgets, '$[0].kind') = 'trend'
      AND json_extract(widgets, '$[0].id') = 'trend'
    ORDER BY ordinal;

    DELETE FROM dashboards WHERE unique_id IN (SELECT unique_id FROM trend_views);
  `,
};
