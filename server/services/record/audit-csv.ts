import { stringify } from 'csv-stringify/sync';
import type { AuditRecord } from '../../contract/audit.ts';

const columns = [
  'id',
  'at',
  'kind',
  'username',
  'user_id',
  'key_id',
  'address',
  'target',
  'before',
  'after',
  'target_name',
] as const satisfies (keyof AuditRecord)[];

/** Lets a spreadsheet recognise UTF-8 (names of users may be in any script). */
const byteOrderMark = '\uFEFF';

/**
 * Pages of records as text (RFC 4180) with a header line. A cell that begins with = + - @, a tab or a line end is
 * prefixed with an apostrophe: a stranger's text must not run as a formula.
 */
export async function* auditCsv(pages: AsyncIterable<AuditRecord[]>): AsyncGenerator<string> {
  yield byteOrderMark + lines([[...columns]]);
  for await (const page of pages) yield lines(page.map(cells));
}

function lines(rows: unknown[][]): string {
  return stringify(rows, { escape_formulas: true, record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

function cells(record: AuditRecord): unknown[] {
  return columns.map((column) => {
    const value = record[column];
    return column === 'before' || column === 'after' ? (value === null ? null : JSON.stringify(value)) : value;
  });
}
