import type { Migration } from '../../migration.ts';

/** Maps, their features, and what each save replaced. Times are ISO 8601 UTC with milliseconds. */
export const maps: Migration = {
  version: 2,
  name: 'maps',
  sql: `
    CREATE TABLE designs (
      map_uuid TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      lat REAL NOT NULL CHECK (lat BETWEEN -90 AND 90),
      lng REAL NOT NULL CHECK (lng BETWEEN -180 AND 180),
      zoom INTEGER NOT NULL CHECK (zoom BETWEEN 0 AND 25),
      layers TEXT NOT NULL CHECK (json_type(layers) = 'object'),
      revision INTEGER NOT NULL CHECK (revision >= 0),
      feature_count INTEGER NOT NULL DEFAULT 0,
      is_saved INTEGER NOT NULL CHECK (is_saved IN (0, 1)),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      deleted_at TEXT -- in the trash since
    ) STRICT;

    CREATE TABLE features (
      id INTEGER PRIMARY KEY,
      unique_id TEXT NOT NULL UNIQUE,
      map_uuid TEXT NOT NULL REFERENCES designs (map_uuid) ON DELETE CASCADE,
      type TEXT NOT NULL,
      geometry TEXT NOT NULL, -- JSON, sent as it is
      properties TEXT NOT NULL, -- JSON with type, name and unique_id, sent as it is
      device_id TEXT, -- of a placed device
      channel INTEGER,
      west REAL NOT NULL,
      south REAL NOT NULL,
      east REAL NOT NULL,
      north REAL NOT NULL,
      changed_by TEXT, -- user; no reference: what was drawn outlives who drew it
      changed_revision INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX features_by_map ON features (map_uuid, id);
    CREATE INDEX features_by_device ON features (map_uuid, device_id, channel) WHERE device_id IS NOT NULL;

    -- 32-bit numbers rounded outwards: finds candidates, the columns of features decide
    CREATE VIRTUAL TABLE feature_rtree USING rtree (id, west, east, south, north);
    CREATE TRIGGER features_rtree_insert AFTER INSERT ON features
    BEGIN
      INSERT INTO feature_rtree VALUES (new.id, new.west, new.east, new.south, new.north);
    END;
    CREATE TRIGGER features_rtree_update AFTER UPDATE OF west, south, east, north ON features
    BEGIN
      UPDATE feature_rtree SET west = new.west, east = new.east, south = new.south, north = new.north WHERE id = new.id;
    END;
    CREATE TRIGGER features_rtree_delete AFTER DELETE ON features
    BEGIN
      DELETE FROM feature_rtree WHERE id = old.id;
    END;

    CREATE TABLE map_history (
      id INTEGER PRIMARY KEY,
      map_uuid TEXT NOT NULL REFERENCES designs (map_uuid) ON DELETE CASCADE,
      revision INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('design', 'full', 'delta', 'restore')),
      user_id TEXT,
      username TEXT,
      at TEXT NOT NULL,
      added INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      deleted INTEGER NOT NULL,
      design_before TEXT, -- JSON of name, lat, lng, zoom and layers where the save replaced them
      UNIQUE (map_uuid, revision)
    ) STRICT;

    CREATE TABLE feature_history (
      id INTEGER PRIMARY KEY,
      history_id INTEGER NOT NULL REFERENCES map_history (id) ON DELETE CASCADE,
      unique_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('added', 'modified', 'deleted')),
      geometry TEXT, -- the replaced state, null where the feature was added
      properties TEXT
    ) STRICT;
    CREATE INDEX feature_history_by_save ON feature_history (history_id);

    CREATE TABLE save_answers ( -- what a repeat of a save is answered
      map_uuid TEXT NOT NULL REFERENCES designs (map_uuid) ON DELETE CASCADE,
      save_id TEXT NOT NULL,
      at TEXT NOT NULL,
      answer TEXT NOT NULL,
      PRIMARY KEY (map_uuid, save_id)
    ) STRICT;
    CREATE INDEX save_answers_by_time ON save_answers (at);
  `,
};
