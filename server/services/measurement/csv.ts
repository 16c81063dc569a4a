import { isoOf } from '../../contract/time.ts';
import { stringify } from 'csv-stringify/sync';
import type { ExportPage } from '../../measurement/reader.ts';

/** Lets a spreadsheet recognise UTF-8 (names may be in any script). */
const byteOrderMark = '\uFEFF';
const time = 'time (UTC)';

/**
 * Pages of samples as text (RFC 4180), one line for each moment. `columns` are the names of the series with their
 * units; one that a spreadsheet would run as a formula is prefixed with an apostrophe. Times and numbers are left
 * alone: -5 is not a formula. It begins with the first moment of which anything is known.
 */
export async function* measurementCsv(columns: string[], pages: AsyncIterable<ExportPage>): AsyncGenerator<string> {
  yield (
    byteOrderMark +
    stringify([[time, ...columns]], { escape_formulas: true, record_delimiter: 'windows', quoted_match: /[\r\n]/ })
  );
  let hasBegun = false;
  for await (const { times, values } of pages) {
    const rows = times.flatMap((atMs, row) => {
      hasBegun ||= values.some((column) => column[row] != null);
      return hasBegun ? [[isoOf(atMs), ...values.map((column) => written(column[row]))].join(',')] : [];
    });
    if (rows.length > 0) yield `${rows.join('\r\n')}\r\n`;
  }
}

/** To six decimals, or six digits of less than one: more than any sensor tells, without those of binary fractions. */
function written(value: number | null | undefined): string {
  if (value == null) return '';
  return String(Number(Math.abs(value) < 1 ? value.toPrecision(6) : value.toFixed(6)));
}
