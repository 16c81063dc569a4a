import type { Aggregated, Bucket, Trend } from '../../../server/contract/measurement-query.ts';
import type { Span } from '../../chart/night.ts';

/** A series as it was read, in its wire unit. */
export interface TrendSeries extends Pick<Trend, 'device_id' | 'measurement_id' | 'unit' | 'times' | 'values'> {
  /** Of what each value is the mean of; absent where each value is one reading, and of directions, which have none. */
  band?: { least: (number | null)[]; most: (number | null)[] };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Up to which span each bucket comes to fewer points than a series may have; readings themselves are shorter spans. */
const buckets: readonly (readonly [upTo_ms: number, bucket: Bucket | null])[] = [
  [2 * hourMs, null],
  [33 * hourMs, 'minute'],
  [20 * dayMs, 'quarter'],
  [80 * dayMs, 'hour'],
  [1_900 * dayMs, 'day'],
];

/** In what a span is drawn; null for its readings. */
export function bucketFor({ from_ms, to_ms }: Span): Bucket | null {
  const lengthMs = to_ms - from_ms;
  const found = buckets.find(([upTo_ms]) => lengthMs <= upTo_ms);
  return found === undefined ? 'week' : found[1];
}

/** Silence of so many usual distances breaks a line. */
const breaksAfter = 3;

/** The series of an answer in buckets, means with least and most: empty buckets go, and a long silence breaks the line. */
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
    const { band: _, ...line } = drawn; // least and most of directions say nothing
    return line;
  });
}

function usualDistance(times: readonly number[]): number {
  const distances = times.slice(1).map((time, index) => time - (times[index] ?? time));
  return distances.toSorted((one, other) => one - other)[distances.length >> 1] ?? Infinity;
}
