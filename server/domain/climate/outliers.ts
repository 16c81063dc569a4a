import type { SensorRole } from '../../contract/facility.ts';

/**
 * How far a sound sensor may differ from its neighbours, in the unit of its role: the accuracy of common instruments
 * and the spread of air in a house together. Roles that differ from place to place for good reasons (light under a
 * purlin, soil, leaf, flow of one pipe) have none, nor have directions, which are circular.
 */
const usualSpread: Partial<Record<SensorRole, number>> = {
  indoor_temp: 2,
  indoor_humidity: 8,
  indoor_co2: 150,
  outdoor_temp: 2,
  outdoor_humidity: 8,
};

/** Scales the median absolute deviation of a normal sample to its standard deviation: 1 / 0.6745. */
const madToSigma = 1.4826;

/**
 * Which values of one role stand apart from the rest: further from the median than three standard deviations, estimated
 * from the median absolute deviation (Hampel identifier; Davies & Gather, J. Am. Stat. Assoc. 88, 1993), and than sound
 * sensors do. Fewer than three have no majority, so none is marked.
 */
export function findOutliers(role: SensorRole, values: readonly number[]): boolean[] {
  const spread = usualSpread[role];
  if (spread === undefined || values.length < 3) return values.map(() => false);
  const middle = median(values);
  const deviations = values.map((value) => Math.abs(value - middle));
  const limit = Math.max(3 * madToSigma * median(deviations), spread);
  return deviations.map((deviation) => deviation > limit);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? NaN, sorted[sorted.length >> 1] ?? NaN];
  return (low + high) / 2;
}
