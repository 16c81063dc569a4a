import type { Migration } from '../../migration.ts';

export const channelResolution: Migration = {
  version: 22,
  name: 'channel-resolution',
  sql: 'ALTER TABLE input_channels ADD COLUMN resolution REAL CHECK (resolution > 0);',
};
