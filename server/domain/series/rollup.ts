import { vectorOf, type VectorSum } from './direction.ts';

/**
 * The samples of one bucket together: `start_ms` is its first moment; times are epoch ms. A bucket without samples has
 * no rollup.
 */
export interface Rollup {
  start_ms: number;
  count: number;
  sum: number;
  min: number;
  max: number;
  first_ms: number;
  first: number;
  last_ms: number;
  last: number;
  /** Sums of the unit vectors of directions; null for any other series, and for rows from before they were kept. */
  sin_sum: number | null;
  cos_sum: number | null;
}

/** The stored levels, finest first; each is made from the one before it, the first from samples. Days are UTC. */
export const rollupLevels = ['minute', 'quarter', 'day'] as const;
export type RollupLevel = (typeof rollupLevels)[number];

export const rollupWidthMs = {
  minute: 60_000,
  quarter: 900_000,
  day: 86_400_000,
} as const satisfies Record<RollupLevel, number>;

/** Start of the bucket that holds a moment. */
export function rollupStart(level: RollupLevel, timeMs: number): number {
  const width = rollupWidthMs[level];
  return Math.floor(timeMs / width) * width;
}

const noVector = { sin_sum: null, cos_sum: null };

/** The minute with only this sample. */
function minuteOf(timeMs: number, value: number, vector: VectorSum | null): Rollup {
  return {
    start_ms: rollupStart('minute', timeMs),
    count: 1,
    sum: value,
    min: value,
    max: value,
    first: value,
    last: value,
    first_ms: timeMs,
    last_ms: timeMs,
    ...(vector ?? noVector),
  };
}

/**
 * The bucket of a level that holds `earlier` and then `later`, both within it. Floating-point sums depend on their
 * order: joining in order of time, the finer level first, always yields the same bits.
 */
function joined(level: RollupLevel, earlier: Rollup | null, later: Rollup): Rollup {
  const startMs = rollupStart(level, later.first_ms);
  if (earlier === null) return { ...later, start_ms: startMs };
  return {
    start_ms: startMs,
    count: earlier.count + later.count,
    sum: earlier.sum + later.sum,
    min: Math.min(earlier.min, later.min),
    max: Math.max(earlier.max, later.max),
    first_ms: earlier.first_ms,
    first: earlier.first,
    last_ms: later.last_ms,
    last: later.last,
    sin_sum: summed(earlier.sin_sum, later.sin_sum),
    cos_sum: summed(earlier.cos_sum, later.cos_sum),
  };
}

function summed(earlier: number | null, later: number | null): number | null {
  return earlier === null || later === null ? null : earlier + later;
}

/** One bucket of all parts, in order of time, which must be in one bucket of the level; null without parts. */
export function joinedAll(level: RollupLevel, parts: Iterable<Rollup>): Rollup | null {
  let whole: Rollup | null = null;
  for (const part of parts) whole = joined(level, whole, part);
  return whole;
}

/** The bucket of each level at one moment of a series. */
export type RollupRows = Record<RollupLevel, Rollup>;

interface UnderWay {
  minute: Rollup | null;
  quarterBefore: Rollup | null;
  dayBefore: Rollup | null;
}

/** The open buckets of a series, for samples in order of time. */
export class OpenRollups {
  readonly #isDirection: boolean;
  #minute: Rollup | null;
  /** The earlier minutes of the open quarter, and the earlier quarters of the open day. */
  #quarterBefore: Rollup | null;
  #dayBefore: Rollup | null;

  constructor(isDirection = false, { minute = null, quarterBefore = null, dayBefore = null }: Partial<UnderWay> = {}) {
    this.#isDirection = isDirection;
    this.#minute = minute;
    this.#quarterBefore = quarterBefore;
    this.#dayBefore = dayBefore;
  }

  /** Takes a sample later than all before it. Returns the previous buckets when it is the first of another minute. */
  add(timeMs: number, value: number): RollupRows | null {
    const vector = this.#isDirection ? vectorOf(value) : null;
    const minute = this.#minute;
    if (minute !== null && timeMs < minute.start_ms + rollupWidthMs.minute) {
      minute.count += 1;
      minute.sum += value;
      minute.min = Math.min(minute.min, value);
      minute.max = Math.max(minute.max, value);
      minute.last_ms = timeMs;
      minute.last = value;
      minute.sin_sum = summed(minute.sin_sum, vector?.sin_sum ?? null);
      minute.cos_sum = summed(minute.cos_sum, vector?.cos_sum ?? null);
      return null;
    }
    const ended = this.rows();
    this.#minute = minuteOf(timeMs, value, vector);
    if (ended !== null) this.#moveOn(ended, timeMs);
    return ended;
  }

  /** The present buckets; null before the first sample. */
  rows(): RollupRows | null {
    if (this.#minute === null) return null;
    const quarter = joined('quarter', this.#quarterBefore, this.#minute);
    return { minute: { ...this.#minute }, quarter, day: joined('day', this.#dayBefore, quarter) };
  }

  #moveOn({ quarter, day }: RollupRows, timeMs: number): void {
    const isSameQuarter = quarter.start_ms === rollupStart('quarter', timeMs);
    if (isSameQuarter) this.#quarterBefore = quarter;
    else {
      this.#quarterBefore = null;
      this.#dayBefore = day.start_ms === rollupStart('day', timeMs) ? day : null;
    }
  }
}
