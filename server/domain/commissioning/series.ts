import type { SensorRole } from '../../contract/facility.ts';
import type { Point } from './point.ts';
import type { Quantity } from './quantity.ts';

/** The readings of one sensor during the check. */
export interface Series {
  name: string;
  device_id: string;
  measurement_id: string;
  unit: string;
  /** The role in which the house binds it; null for a sensor of another house, or of none. */
  role: SensorRole | null;
  /** The quantity of this house that it measures; null for the weather, the soil, another house. */
  quantity: Quantity | null;
  period_s: number;
  /** Good readings in order. */
  points: Point[];
}

/** From the smallest to the largest reading. */
export function travelOf({ points }: Series): number {
  const values = points.map(({ value }) => value);
  return Math.max(...values) - Math.min(...values);
}
