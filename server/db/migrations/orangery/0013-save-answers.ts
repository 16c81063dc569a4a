import type { Migration } from '../../migration.ts';

/**
 * Identifies a save beside its answer, so that another one with the same id is told apart. Older answers, kept for a
 * day, lack this and are dropped: a repeat of theirs is checked against the map like any save.
 */
export const saveAnswers: Migration = {
  version: 13,
  name: 'save-answers',
  sql: `
    DROP TABLE save_answers;
    CREATE TABLE save_answers ( -- what a repeat of a save is answered
      save_id TEXT PRIMARY KEY,
      map_uuid TEXT NOT NULL REFERENCES designs (map_uuid) ON DELETE CASCADE,
      digest TEXT NOT NULL, -- SHA-256 of call, user and body, hex
      at TEXT NOT NULL,
      answer TEXT NOT NULL
    ) STRICT;
    CREATE INDEX save_answers_by_time ON save_answers (at);
    CREATE INDEX save_answers_by_map ON save_answers (map_uuid);
  `,
};
