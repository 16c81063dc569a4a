import type { StateInterval } from '../../analytics/state-time.ts';

/** Good readings, ascending epoch ms. */
export interface Samples {
  times: Float64Array;
  values: Float64Array;
}

/** What is stored of a series; null unit for one that is not of the site. */
export interface StoredSeries {
  samples: Samples;
  unit: string | null;
}

/** What is stored of an output, in order of time. */
export interface StoredStates {
  states: readonly StateInterval[];
}

/** The newest reading at a moment; null when there is none that young. */
export function freshAt(
  { times, values }: Samples,
  atMs: number,
  max_age_s: number,
): { value: number; time_ms: number } | null {
  const last = countUpTo(times, atMs) - 1;
  const [value, time_ms] = [values[last], times[last]];
  const isFresh = value !== undefined && time_ms !== undefined && atMs - time_ms <= max_age_s * 1000;
  return isFresh ? { value, time_ms } : null;
}

/** How many times are no later than a moment, by binary search. */
export function countUpTo(times: Float64Array, atMs: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Infinity) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
