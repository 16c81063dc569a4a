import type { Migration } from '../../migration.ts';

export const keptCommands: Migration = {
  version: 6,
  name: 'kept-commands',
  sql: `
    -- The command that waited when the daemon ended, for the next one to say that it is dropped; all null without one.
    ALTER TABLE output_channels ADD COLUMN kept_value ANY;
    ALTER TABLE output_channels ADD COLUMN kept_source TEXT;
    ALTER TABLE output_channels ADD COLUMN kept_actor TEXT;
    ALTER TABLE output_channels ADD COLUMN kept_hold_ms INTEGER; -- until when it was to hold
  `,
};
