import type { Point } from './point.ts';
import { levelAt, type Switch } from './switching.ts';

/** How a quantity follows its actuator: at once, by accumulating, or by exchange with the air outside. */
export type Following = 'level' | 'rate' | 'exchange';

/** Step of the integration, s. */
const step_s = 3;

export interface RegressorOf {
  signal: readonly Switch[];
  following: Following;
  /** The sensor's readings, in order. */
  points: readonly Point[];
  /** The same quantity outside, for an exchange. */
  outdoors: number | null;
  /** Time constant of the sensor and of what is in between, s. */
  lag_s: number;
}

/**
 * The effect of a signal on a quantity, at each of its readings: the level itself, its integral (unit seconds), or the
 * integral of the level times the quantity's distance to outdoors; behind a first-order lag.
 */
export function regressorOf({ signal, following, points, outdoors, lag_s }: RegressorOf): number[] {
  const start_s = points[0]?.time_s ?? 0;
  const result: number[] = [];
  let [raw, lagged, time_s, near] = [0, following === 'level' ? levelAt(signal, start_s) : 0, start_s, 0];
  for (const point of points) {
    while (time_s < point.time_s) {
      const next_s = Math.min(point.time_s, time_s + step_s);
      const level = levelAt(signal, next_s - 1e-6);
      near = nearest(points, next_s, near);
      const pull = following === 'exchange' ? (outdoors ?? 0) - between(points, near, next_s) : 1;
      raw = following === 'level' ? level : raw + level * pull * (next_s - time_s);
      lagged = lag_s === 0 ? raw : lagged + (raw - lagged) * (1 - Math.exp(-(next_s - time_s) / lag_s));
      time_s = next_s;
    }
    result.push(lagged);
  }
  return result;
}

/** The last reading not after a time. */
function nearest(points: readonly Point[], time_s: number, from: number): number {
  let index = from;
  while (index + 1 < points.length && (points[index + 1]?.time_s ?? Infinity) <= time_s) index += 1;
  return index;
}

function between(points: readonly Point[], index: number, time_s: number): number {
  const [before, after] = [points[index], points[index + 1]];
  if (before === undefined) return 0;
  if (after === undefined || after.time_s === before.time_s) return before.value;
  const share = Math.min(1, (time_s - before.time_s) / (after.time_s - before.time_s));
  return before.value + share * (after.value - before.value);
}
