import type { Migration } from '../../migration.ts';

/**
 * What a save was, beside its answer, so that another one under the same id is told apart. Answers of before, kept for a day,
 * do not say it and go: a repeat of theirs is held against the map like any save.
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
