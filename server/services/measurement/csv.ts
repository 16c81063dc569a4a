import { stringify } from 'csv-stringify/sync';
import { Temporal } from 'temporal-polyfill';
import type { QueryOf } from '../../contract/endpoint.ts';
import { refusePlainly } from '../../contract/errors.ts';
import type { measurementEndpoints } from '../../contract/measurement-query.ts';
import { isoOf } from '../../contract/time.ts';
import type { ExportPage } from '../../measurement/reader.ts';

/** Lets a spreadsheet recognise UTF-8 (names may be in any script). */
const byteOrderMark = '\uFEFF';

/** How the moments of a table are written: their headings, and the cells of one in epoch ms. */
interface CsvClock {
  headings: readonly string[];
  cells: (atMs: number) => string;
}

/** What a table looks like. */
export interface CsvForm {
  /** Of all columns; one that a spreadsheet would run as a formula is prefixed with an apostrophe. */
  headings: readonly string[];
  clock: CsvClock;
  /** At most so many for each column of values; where absent, six digits. */
  decimals?: readonly number[] | undefined;
}

/**
 * The form that is asked for. `names` are those of the columns of values where no headings are sent. Throws
 * `invalid_field` where there is not one heading, or number of decimals, for each column.
 */
export function csvForm(
  { clock, columns, decimals }: Pick<QueryOf<typeof measurementEndpoints.csv>, 'clock' | 'columns' | 'decimals'>,
  names: readonly string[],
  time_zone: string,
): CsvForm {
  const isSite = clock === 'site';
  const written = isSite ? siteClock(time_zone) : utcClock;
  const [own, usual] = isSite ? [[], [...written.headings, ...names]] : [written.headings, names];
  if (columns !== undefined && columns.length !== usual.length)
    throw refusePlainly('invalid_field', 'columns', `must have one heading for each of ${usual.length} columns`);
  const digits = decimals?.split(',').map(Number);
  if (digits !== undefined && digits.length !== names.length)
    throw refusePlainly('invalid_field', 'decimals', `must have one number for each of ${names.length} columns`);
  return { headings: [...own, ...(columns ?? usual)], clock: written, decimals: digits };
}

const utcClock: CsvClock = { headings: ['time (UTC)'], cells: isoOf };

/** The date and time in an IANA zone, to the second, and the offset from UTC in h, as a spreadsheet reads them. */
function siteClock(time_zone: string): CsvClock {
  let [fromMs, untilMs, offset_h] = [0, 0, 0];
  return {
    headings: [`time (${time_zone})`, 'offset from UTC (h)'],
    cells: (atMs) => {
      if (atMs < fromMs || atMs >= untilMs) {
        const zoned = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(time_zone);
        fromMs = atMs;
        untilMs = zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity;
        offset_h = zoned.offsetNanoseconds / 3.6e12;
      }
      const local = isoOf(atMs + offset_h * 3_600_000);
      return `${local.slice(0, 10)} ${local.slice(11, 19)},${offset_h}`;
    },
  };
}

/**
 * Pages of samples as text (RFC 4180), one line for each moment. Times and numbers are left alone: -5 is not a formula.
 * It begins with the first moment of which anything is known.
 */
export async function* measurementCsv(
  { headings, clock, decimals }: CsvForm,
  pages: AsyncIterable<ExportPage>,
): AsyncGenerator<string> {
  yield (
    byteOrderMark +
    stringify([[...headings]], { escape_formulas: true, record_delimiter: 'windows', quoted_match: /[\r\n]/ })
  );
  let hasBegun = false;
  for await (const { times, values } of pages) {
    const rows = times.flatMap((atMs, row) => {
      hasBegun ||= values.some((column) => column[row] != null);
      if (!hasBegun) return [];
      return [[clock.cells(atMs), ...values.map((column, at) => written(column[row], decimals?.[at]))].join(',')];
    });
    if (rows.length > 0) yield `${rows.join('\r\n')}\r\n`;
  }
}

/** As usual to six decimals, or six digits of less than one: more than any sensor tells, without those of fractions. */
function written(value: number | null | undefined, decimals: number | undefined): string {
  if (value == null) return '';
  if (decimals !== undefined) return String(Number(value.toFixed(decimals)));
  return String(Number(Math.abs(value) < 1 ? value.toPrecision(6) : value.toFixed(6)));
}
