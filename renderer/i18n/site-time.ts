import type * as Polyfill from 'temporal-polyfill';

/** The browser's own; the polyfill is loaded only where it has none yet (Safari). */
const { Temporal } =
  'Temporal' in globalThis ? (globalThis as unknown as typeof Polyfill) : await import('temporal-polyfill');

/**
 * The moment, ISO 8601, of a date and time as a field of type `datetime-local` gives it, in an IANA zone; null while it
 * is not complete. Of an hour that a clock change repeats it is the first, of one that it leaves out the one after.
 */
export function momentIn(time_zone: string, written: string): string | null {
  try {
    return new Date(Temporal.PlainDateTime.from(written).toZonedDateTime(time_zone).epochMilliseconds).toISOString();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** What a field of type `datetime-local` shows of a moment in an IANA zone, to the minute. */
export function writtenIn(time_zone: string, atMs: number): string {
  const local = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(time_zone).toPlainDateTime();
  return local.toString({ smallestUnit: 'minute' });
}

/** The date, YYYY-MM-DD, a number of days after another one; before it when negative. */
export function dateAfter(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** Epoch ms of the first moment of a day in an IANA zone: of the day of `nowMs`, or of one `daysAgo` before it. */
export function dayStartIn(time_zone: string, nowMs: number, daysAgo = 0): number {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(time_zone);
  return today.subtract({ days: daysAgo }).startOfDay().epochMilliseconds;
}
