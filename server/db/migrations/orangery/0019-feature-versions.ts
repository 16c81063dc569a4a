import type { Migration } from '../../migration.ts';

/**
 * Features of a save under way are stored beside the present ones, so that a large save is written in many short
 * transactions and appears with its revision. `current_features` has what is on a map, and `done_history` what was done
 * to it.
 */
export const featureVersions: Migration = {
  version: 19,
  name: 'feature-versions',
  sql: `
    CREATE TABLE features_next (
      id INTEGER PRIMARY KEY,
      unique_id TEXT NOT NULL,
      map_uuid TEXT NOT NULL REFERENCES designs (map_uuid) ON DELETE CASCADE,
      ordinal INTEGER NOT NULL DEFAULT 0, -- on its map, in the order in which they were first drawn; of equal ones by id
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
      changed_revision INTEGER NOT NULL, -- above that of the map: it comes with a save under way
      replaced_revision INTEGER -- from which it is no more; null where nothing replaces it
    ) STRICT;
    INSERT INTO features_next (id, unique_id, map_uuid, ordinal, type, geometry, properties, device_id, channel,
        west, south, east, north, changed_by, changed_revision)
      SELECT id, unique_id, map_uuid, id, type, geometry, properties, device_id, channel,
        west, south, east, north, changed_by,
        min(changed_revision, (SELECT revision FROM designs WHERE designs.map_uuid = features.map_uuid)) FROM features;
    DROP TABLE features;
    ALTER TABLE features_next RENAME TO features;
    -- one of each id that nothing replaces, and any number that are replaced
    CREATE UNIQUE INDEX features_by_unique_id
      ON features (unique_id, (CASE WHEN replaced_revision IS NULL THEN 0 ELSE id END));
    CREATE INDEX features_by_map ON features (map_uuid, ordinal);
    CREATE INDEX features_by_device ON features (map_uuid, device_id, channel) WHERE device_id IS NOT NULL;
    CREATE INDEX features_replaced ON features (id) WHERE replaced_revision IS NOT NULL;

    -- A map that was put back from a backup may have changes of a revision that it does not have: of a damaged file, saved after it.
    DELETE FROM feature_history WHERE history_id IN (
      SELECT map_history.id FROM map_history JOIN designs USING (map_uuid) WHERE map_history.revision > designs.revision);
    DELETE FROM map_history WHERE id IN (
      SELECT map_history.id FROM map_history JOIN designs USING (map_uuid) WHERE map_history.revision > designs.revision);
    UPDATE designs SET feature_count = (SELECT count(*) FROM features WHERE features.map_uuid = designs.map_uuid);

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

    CREATE VIEW current_features AS
      SELECT features.* FROM features JOIN designs ON designs.map_uuid = features.map_uuid
      WHERE changed_revision <= designs.revision
        AND (replaced_revision IS NULL OR replaced_revision > designs.revision);

    CREATE VIEW done_history AS
      SELECT map_history.* FROM map_history JOIN designs ON designs.map_uuid = map_history.map_uuid
      WHERE map_history.revision <= designs.revision;
  `,
};
