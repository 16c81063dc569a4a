import type { SensorRole } from '../../contract/facility.ts';
import { fitBaseline, type Baseline, type Point } from './baseline.ts';
import type { Quantity } from './quantity.ts';

/** What one sensor said during the check. */
export interface Series {
  name: string;
  device_id: string;
  measurement_id: string;
  unit: string;
  /** As what the house binds it; null: a sensor of another house, or none's. */
  role: SensorRole | null;
  /** What of this house it sees; null: the weather, the soil, another house. */
  quantity: Quantity | null;
  /** Good readings in order. */
  points: Point[];
}

/** Readings that make up a baseline, and how long before a command they may lie. */
export const baselinePoints = 10;
export const shortestBaseline_s = 10;

/** The baseline just before a moment, from readings after the last disturbance; null while there are too few. */
export function baselineBefore(points: readonly Point[], span: { from_s: number; to_s: number }): Baseline | null {
  const before = points.filter(({ time_s }) => time_s > span.from_s && time_s <= span.to_s);
  const latest = before.slice(-3 * baselinePoints);
  if (latest.length < baselinePoints) return null;
  const [first, last] = [latest[0], latest.at(-1)];
  const covered_s = first === undefined || last === undefined ? 0 : last.time_s - first.time_s;
  return covered_s >= shortestBaseline_s - 1 ? fitBaseline(latest) : null;
}

export function after(points: readonly Point[], time_s: number): Point[] {
  return points.filter((point) => point.time_s > time_s);
}
