import type { SensorRole } from '../../contract/facility.ts';
import type { Point } from './point.ts';
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
  period_s: number;
  /** Good readings in order. */
  points: Point[];
}

/** From the least to the greatest reading. */
export function travelOf({ points }: Series): number {
  const values = points.map(({ value }) => value);
  return Math.max(...values) - Math.min(...values);
}
