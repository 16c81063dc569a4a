import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { uuid } from './identifier.ts';
import { moment, timestamp } from './time.ts';

export const auditRecord = z.strictObject({
  id: z.int().min(1).max(1e15).describe('Rises with every record'),
  at: timestamp,
  kind: z.string().describe('resource.verb, e.g. design.save; apikey.url_auth for a key in the query string'),
  user_id: uuid.nullable(),
  username: z.string().nullable(),
  key_id: uuid.nullable(),
  key_name: z.string().nullable().describe('Of that key; null where it was deleted, and without a key'),
  address: z.string().nullable().describe('Peer address, null for the service itself'),
  target: z.string().nullable().describe('Identifier of what was changed'),
  target_name: z
    .string()
    .nullable()
    .describe(
      'Of the target as it is called now, as the record says where it is gone, of the house for a check; null where it has none',
    ),
  before: z.json().nullable(),
  after: z.json().nullable(),
});
export type AuditRecord = z.infer<typeof auditRecord>;

const filters = {
  kind: z.string().max(100).optional(),
  user: z.string().max(64).optional().describe('Username'),
  from: moment.optional().describe('Records of this time and later'),
  to: moment.optional().describe('Records before this time'),
};

const auditFilter = z.strictObject(filters);
export type AuditQuery = z.infer<typeof auditFilter>;

export const auditEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/audit',
    tag: 'audit',
    summary: 'Read the audit, newest first',
    access: 'view_logs',
    query: z.strictObject({
      ...filters,
      limit: z.int().min(1).max(1000).optional().describe('Default 100'),
      cursor: z.string().max(100).optional().describe('next_cursor of the page before'),
    }),
    answer: z.strictObject({ audit: z.array(auditRecord), next_cursor: z.string().nullable() }),
    statuses: [200],
  }),
  csv: endpoint({
    method: 'GET',
    path: '/api/audit.csv',
    tag: 'audit',
    summary:
      'Download the audit, newest first, for a spreadsheet: UTF-8 with a mark, before and after as JSON; a cell that a spreadsheet would run as a formula begins with an apostrophe',
    access: 'view_logs',
    query: auditFilter,
    answer: z.string(),
    isDownload: true,
    statuses: [200],
    stream: 'text/csv',
  }),
};
