import { isoOf } from '../../contract/time.ts';
import { stringify } from 'csv-stringify/sync';
import type { ExportPage } from '../../measurement/reader.ts';

/** By the mark a spreadsheet knows UTF-8 (names may be in any script). */
const byteOrderMark = '\uFEFF';
const time = 'time (UTC)';

/**
 * Pages of samples as text (RFC 4180), a line for each moment. `columns` are the names of the series with their units; one that a
 * spreadsheet would run as a formula gets an apostrophe. What follows are times and numbers, which are left as they are: -5 is no formula.
 */
export async function* measurementCsv(columns: string[], pages: AsyncIterable<ExportPage>): AsyncGenerator<string> {
  yield (
    byteOrderMark +
    stringify([[time, ...columns]], { escape_formulas: true, record_delimiter: 'windows', quoted_match: /[\r\n]/ })
  );
  for await (const { times, values } of pages) {
    const rows = times.map((atMs, row) => [isoOf(atMs), ...values.map((column) => column[row] ?? '')].join(','));
    if (rows.length > 0) yield `${rows.join('\r\n')}\r\n`;
  }
}
