import type { Aggregated, Bucket, Trend } from '../../../server/contract/measurement-query.ts';
import type { Span } from '../../chart/night.ts';

/** A series as read, in its wire unit. */
export interface TrendSeries extends Pick<Trend, 'device_id' | 'measurement_id' | 'unit' | 'times' | 'values'> {
  /** The range behind each mean; absent when each value is a single reading, and for directions. */
  band?: { least: (number | null)[]; most: (number | null)[] };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * The longest span for each bucket, so that a series has no more points than allowed; the shortest spans show the
 * readings themselves.
 */
const buckets: readonly { upTo_ms: number; bucket: Bucket | null; width_ms: number }[] = [
  { upTo_ms: 2 * hourMs, bucket: null, width_ms: 0 },
  { upTo_ms: 33 * hourMs, bucket: 'minute', width_ms: 60_000 },
  { upTo_ms: 20 * dayMs, bucket: 'quarter', width_ms: hourMs / 4 },
  { upTo_ms: 80 * dayMs, bucket: 'hour', width_ms: hourMs },
  { upTo_ms: 1_900 * dayMs, bucket: 'day', width_ms: dayMs },
];
const longest = { bucket: 'week', width_ms: 7 * dayMs } as const;

/** The bucket for a span, and its usual width; null for single readings. */
export function bucketFor({ from_ms, to_ms }: Span): { bucket: Bucket | null; width_ms: number } {
  return buckets.find(({ upTo_ms }) => to_ms - from_ms <= upTo_ms) ?? longest;
}

/** Reload interval of a span that moves with time, and no more often than its pixels change. */
export function followEveryMs({ from_ms, to_ms }: Span): number {
  return Math.max(leastFollowMs, (to_ms - from_ms) / followSteps);
}

export const leastFollowMs = 2_000;
const followSteps = 1_000;

/** A gap of this many usual intervals breaks a line. */
const breaksAfter = 3;

/**
 * The series of an answer in buckets, means with minimum and maximum: drops empty buckets and breaks the line at long
 * gaps.
 */
export function seriesOf({ times, series }: Aggregated): TrendSeries[] {
  return series.map(({ device_id, measurement_id, unit, mean = [], min = [], max = [] }) => {
    const filled = times.flatMap((_, index) => ((mean[index] ?? null) === null ? [] : [index]));
    const usualMs = usualDistance(filled.map((index) => times[index] ?? 0));
    const drawn: TrendSeries & Required<Pick<TrendSeries, 'band'>> = {
      device_id,
      measurement_id,
      unit,
      times: [],
      values: [],
      band: { least: [], most: [] },
    };
    const add = (time: number, index: number | null): void => {
      drawn.times.push(time);
      drawn.values.push(index === null ? null : (mean[index] ?? null));
      drawn.band.least.push(index === null ? null : (min[index] ?? null));
      drawn.band.most.push(index === null ? null : (max[index] ?? null));
    };
    for (const index of filled) {
      const [before, time] = [drawn.times.at(-1), times[index] ?? 0];
      if (before !== undefined && time - before > breaksAfter * usualMs) add(before + usualMs, null);
      add(time, index);
    }
    if (unit !== 'deg') return drawn;
    const { band: _, ...line } = drawn; // directions have no minimum and maximum
    return line;
  });
}

function usualDistance(times: readonly number[]): number {
  const distances = times.slice(1).map((time, index) => time - (times[index] ?? time));
  return distances.toSorted((one, other) => one - other)[distances.length >> 1] ?? Infinity;
}
