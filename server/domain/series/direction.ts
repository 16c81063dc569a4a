/** Sums of the unit vectors of directions: sine is east, cosine north. */
export interface VectorSum {
  sin_sum: number;
  cos_sum: number;
}

const radians = Math.PI / 180;
/** Below this share of what was added the vectors cancel out: there is no direction. */
const leastShare = 1e-9;

/** A series in degrees holds directions: the mean of 350 and 10 is 0. */
export function isDirection(unit: string): boolean {
  return unit === 'deg';
}

export function vectorOf(direction_deg: number): VectorSum {
  return { sin_sum: Math.sin(direction_deg * radians), cos_sum: Math.cos(direction_deg * radians) };
}

/** Mean direction, 0 to below 360 degrees clockwise from north; null when `count` directions cancel out. */
export function meanDirection_deg({ sin_sum, cos_sum }: VectorSum, count: number): number | null {
  if (Math.hypot(sin_sum, cos_sum) <= leastShare * count) return null;
  const mean = Math.atan2(sin_sum, cos_sum) / radians;
  return mean < 0 ? (mean + 360) % 360 : mean;
}

/**
 * The vector sum of an old row when only the count, sum and extremes of its samples are known: its mean if they are
 * within half a circle and so cannot have crossed north, else the mean of the first and the last.
 */
export function vectorOfRow(row: {
  count: number;
  sum: number;
  min: number;
  max: number;
  first: number;
  last: number;
}): VectorSum {
  const { count, sum, min, max, first, last } = row;
  const known = max - min < 180 ? [sum / count] : [first, last];
  const vectors = known.map(vectorOf);
  const share = count / vectors.length;
  return {
    sin_sum: vectors.reduce((all, one) => all + one.sin_sum, 0) * share,
    cos_sum: vectors.reduce((all, one) => all + one.cos_sum, 0) * share,
  };
}
