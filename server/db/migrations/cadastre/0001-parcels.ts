import type { Migration } from '../../migration.ts';

export const parcels: Migration = {
  version: 1,
  name: 'parcels',
  sql: `
    CREATE TABLE cadastres (
      ordinal INTEGER PRIMARY KEY,
      unique_id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      attribution TEXT NOT NULL,
      crs TEXT NOT NULL,
      parcel_count INTEGER NOT NULL CHECK (parcel_count >= 0),
      skipped_count INTEGER NOT NULL CHECK (skipped_count >= 0),
      imported_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE parcels (
      ordinal INTEGER PRIMARY KEY,
      cadastre INTEGER NOT NULL REFERENCES cadastres (ordinal) ON DELETE CASCADE,
      address TEXT NOT NULL,
      parcel_id TEXT NOT NULL,
      folded TEXT NOT NULL, -- address and number as they are searched
      lot TEXT NOT NULL, -- the number at the end of the address, empty where there is none
      geometry TEXT NOT NULL
    ) STRICT;
    CREATE INDEX parcels_of ON parcels (cadastre);
    CREATE INDEX parcels_by_lot ON parcels (lot) WHERE lot <> '';

    -- Three signs each: Korean and Japanese are not written in words that a tokenizer could tell apart.
    CREATE VIRTUAL TABLE parcel_text USING fts5 (folded, content = 'parcels', content_rowid = 'ordinal', tokenize = 'trigram');
    CREATE TRIGGER parcel_added AFTER INSERT ON parcels BEGIN
      INSERT INTO parcel_text (rowid, folded) VALUES (new.ordinal, new.folded);
    END;
    CREATE TRIGGER parcel_removed AFTER DELETE ON parcels BEGIN
      INSERT INTO parcel_text (parcel_text, rowid, folded) VALUES ('delete', old.ordinal, old.folded);
    END;
  `,
};
