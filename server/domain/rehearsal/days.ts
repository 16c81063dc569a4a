import { Temporal } from 'temporal-polyfill';

const dayMs = 86_400_000;

/**
 * The midnights that begin so many days from a date, YYYY-MM-DD, and the one that ends them, epoch ms: where clocks
 * change, a day has 23 or 25 hours.
 */
export function midnightsOf(from: string, days: number, time_zone: string): number[] {
  const first = Temporal.PlainDate.from(from);
  return Array.from(
    { length: days + 1 },
    (_, day) => first.add({ days: day }).toZonedDateTime(time_zone).epochMilliseconds,
  );
}

/** The index of the day that a moment belongs to; below 0 before the first, their number or more after the last. */
export function dayOf(midnights_ms: readonly number[], atMs: number): number {
  const guess = Math.floor((atMs - (midnights_ms[0] ?? NaN)) / dayMs);
  if (atMs >= (midnights_ms[guess + 1] ?? Infinity)) return guess + 1;
  return atMs < (midnights_ms[guess] ?? -Infinity) ? guess - 1 : guess;
}
