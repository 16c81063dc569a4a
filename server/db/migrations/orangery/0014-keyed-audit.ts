import type { Migration } from '../../migration.ts';

export const keyedAudit: Migration = {
  version: 14,
  name: 'keyed-audit',
  sql: `
    ALTER TABLE audit_start ADD COLUMN keyed_from INTEGER; -- the first record whose hash is made with the key
    ALTER TABLE audit_start ADD COLUMN mac BLOB; -- over this row, with the key; null until the first record is keyed
  `,
};
