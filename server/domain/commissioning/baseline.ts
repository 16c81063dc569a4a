/** One reading; times in s from any start. */
export interface Point {
  time_s: number;
  value: number;
}

/** What a quantity does while nobody touches it: steady, or drifting where a drift is certain. */
export interface Baseline {
  count: number;
  mean: number;
  /** Mean time of the readings, s. */
  time_s: number;
  /** 0 where no drift is certain. */
  slope_per_s: number;
  /** Standard deviation about the mean or the line. */
  noise: number;
  /** Sum of the squared distances of the times from their mean, s2. */
  spread_s2: number;
}

/** Fewer readings say nothing about noise. */
export const leastPoints = 5;
/** A slope of so many standard errors is a drift; by chance one of 10 readings comes less than once in 200 (Student's t, 8 degrees). */
const certainSlope = 4;

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  // Not empty, so both exist.
  return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2;
}

/** Null with fewer than five readings. */
export function fitBaseline(points: readonly Point[]): Baseline | null {
  const count = points.length;
  if (count < leastPoints) return null;
  const time_s = mean(points.map((point) => point.time_s));
  const level = mean(points.map((point) => point.value));
  const spread_s2 = sum(points, (point) => (point.time_s - time_s) ** 2);
  const slope = spread_s2 === 0 ? 0 : sum(points, (one) => (one.time_s - time_s) * (one.value - level)) / spread_s2;
  const flat = Math.sqrt(sum(points, ({ value }) => (value - level) ** 2) / (count - 1));
  const about = (one: Point): number => one.value - level - slope * (one.time_s - time_s);
  const sloped = Math.sqrt(sum(points, (one) => about(one) ** 2) / (count - 2));
  const isDrifting = Math.abs(slope) * Math.sqrt(spread_s2) > certainSlope * sloped;
  return {
    ...{ count, mean: level, time_s, spread_s2 },
    slope_per_s: isDrifting ? slope : 0,
    noise: isDrifting ? sloped : flat,
  };
}

/** What would be read at a time had nobody touched anything. */
export function expectedAt(baseline: Baseline, time_s: number): number {
  return baseline.mean + baseline.slope_per_s * (time_s - baseline.time_s);
}

/** Standard error of one new reading about `expectedAt` (Draper & Smith 1998, Applied Regression Analysis, section 3.1). */
export function uncertaintyAt(
  { noise, count, spread_s2, slope_per_s, time_s: from_s }: Baseline,
  time_s: number,
): number {
  const ofLevel = 1 + 1 / count;
  const ofSlope = slope_per_s === 0 ? 0 : (time_s - from_s) ** 2 / spread_s2;
  return noise * Math.sqrt(ofLevel + ofSlope);
}

function sum(points: readonly Point[], of: (point: Point) => number): number {
  return points.reduce((total, point) => total + of(point), 0);
}
