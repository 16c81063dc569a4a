/** The readings of one part of the window; plain data, so that it outlives a restart. */
export interface Part {
  start_ms: number;
  count: number;
  mean: number;
  /** Sum of squared distances from the mean. */
  squares: number;
  least: number;
  most: number;
}

/** The window moves in this many parts: memory is bounded whatever its length. */
const parts = 120;

/**
 * Adds one reading, and drops what the window has left behind. Parts in the future, after a clock was set back, are
 * dropped too.
 */
export function withReading(
  before: readonly Part[],
  { at_ms, value, window_ms }: { at_ms: number; value: number; window_ms: number },
): Part[] {
  const widthMs = window_ms / parts;
  const startMs = Math.floor(at_ms / widthMs) * widthMs;
  const kept = before.filter((part) => part.start_ms > at_ms - window_ms && part.start_ms <= startMs);
  const last = kept.at(-1);
  const one = { start_ms: startMs, count: 1, mean: value, squares: 0, least: value, most: value };
  return last?.start_ms === startMs ? [...kept.slice(0, -1), joined(last, one)] : [...kept, one];
}

export interface Statistics {
  mean: number;
  least: number;
  most: number;
  /** Standard deviation of the readings about their mean (divided by n - 1); null for fewer than two. */
  deviation: number | null;
}

/** null when there is none. */
export function statisticsOf(window: readonly Part[]): Statistics | null {
  const [first, ...rest] = window;
  if (first === undefined) return null;
  const { count, mean, squares, least, most } = rest.reduce(joined, first);
  return { mean, least, most, deviation: count < 2 ? null : Math.sqrt(squares / (count - 1)) };
}

/** Mean and squares of both together: T.F. Chan, G.H. Golub, R.J. LeVeque (1979), Updating formulae, eq. 2.1. */
function joined(one: Part, other: Part): Part {
  const count = one.count + other.count;
  const apart = other.mean - one.mean;
  return {
    start_ms: one.start_ms,
    count,
    mean: one.mean + (apart * other.count) / count,
    squares: one.squares + other.squares + (apart ** 2 * one.count * other.count) / count,
    least: Math.min(one.least, other.least),
    most: Math.max(one.most, other.most),
  };
}
