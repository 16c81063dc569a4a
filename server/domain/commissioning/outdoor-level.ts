import type { SensorRole } from '../../contract/facility.ts';
import { outdoorCo2_ppm } from '../climate/air.ts';
import { median } from './point.ts';
import { quantityFacts, type Quantity } from './quantity.ts';
import type { Series } from './series.ts';

/** The outdoor level of a quantity by the last readings; null when unknown. */
export function outdoorsOf(quantity: Quantity, all: readonly Series[]): number | null {
  switch (quantity) {
    case 'co2':
      return outdoorCo2_ppm;
    case 'temp':
      return lastOf(all, 'outdoor_temp', quantityFacts.temp.unit);
    case 'vapour':
      return lastOf(all, 'outdoor_humidity', quantityFacts.vapour.unit);
    case 'humidity':
    case 'light':
    case 'flow':
    case 'pressure':
    case 'soil_moisture':
      return null;
  }
}

/** Median of the last few readings of a role; null without any. */
export function lastOf(all: readonly Series[], role: SensorRole, unit?: string): number | null {
  const points = all.find((one) => one.role === role && (unit === undefined || one.unit === unit))?.points ?? [];
  return points.length === 0 ? null : median(points.slice(-9).map(({ value }) => value));
}
