import { Temporal } from 'temporal-polyfill';
import type { Span } from './resolution.ts';

/**
 * Lengths of aligned buckets; from the day on they follow the site's calendar, and a day with a clock change has 23 or
 * 25 hours.
 */
export const bucketNames = ['minute', 'quarter', 'hour', 'day', 'week', 'month'] as const;
export type BucketName = (typeof bucketNames)[number];

const fixedMs = { minute: 60_000, quarter: 900_000, hour: 3_600_000 } as const;
const steps = { day: { days: 1 }, week: { days: 7 }, month: { months: 1 } } as const;

/** The shortest duration of a bucket, ms: a day shortened by a clock change has 23 hours. */
const leastMs: Record<BucketName, number> = { ...fixedMs, day: 82_800_000, week: 601_200_000, month: 2_415_600_000 };

/** An upper bound for the buckets of a span. */
export function mostBuckets({ from_ms, to_ms }: Span, bucket: BucketName): number {
  return Math.ceil((to_ms - from_ms) / leastMs[bucket]) + 1;
}

/**
 * The limits of the buckets that hold a span, epoch ms, ascending: bucket i is from limit i to before limit i + 1.
 * Weeks begin on Monday (ISO 8601). Minutes, quarters and hours are those of UTC, which in all but a few zones are also
 * the site's.
 */
export function bucketLimits({ from_ms, to_ms }: Span, bucket: BucketName, time_zone: string): number[] {
  if (bucket === 'minute' || bucket === 'quarter' || bucket === 'hour') return fixedLimits({ from_ms, to_ms }, bucket);
  const limits: number[] = [];
  let day = firstDay(from_ms, bucket, time_zone);
  for (;;) {
    const limit = day.toZonedDateTime(time_zone).epochMilliseconds; // the first moment of the day, whatever its hour
    limits.push(limit);
    if (limit >= to_ms) return limits;
    day = day.add(steps[bucket]);
  }
}

/** The date of a moment in the zone, YYYY-MM-DD. */
export function dateIn(timeMs: number, time_zone: string): string {
  return plainDate(timeMs, time_zone).toString();
}

function fixedLimits({ from_ms, to_ms }: Span, bucket: keyof typeof fixedMs): number[] {
  const width = fixedMs[bucket];
  const start = Math.floor(from_ms / width) * width;
  return Array.from({ length: Math.ceil((to_ms - start) / width) + 1 }, (_, index) => start + index * width);
}

function firstDay(fromMs: number, bucket: keyof typeof steps, time_zone: string): Temporal.PlainDate {
  const day = plainDate(fromMs, time_zone);
  if (bucket === 'month') return day.with({ day: 1 });
  return bucket === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day;
}

function plainDate(timeMs: number, time_zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(timeMs).toZonedDateTimeISO(time_zone).toPlainDate();
}
