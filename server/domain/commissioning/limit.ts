import { quantityFacts, type Quantity } from './quantity.ts';
import type { Series } from './series.ts';

/** What a quantity must not pass while something is driven. */
export interface Limit {
  quantity: Quantity;
  above?: number;
  below?: number;
}

/** Crops take no harm from minutes at these; 35 C is where photosynthesis of common crops falls. */
export const notTooHot: Limit = { quantity: 'temp', above: 35 };
export const notTooCold: Limit = { quantity: 'temp', below: 5 };

/** Nothing is driven on beyond any of these, whatever it is: a wrong wire may move anything. */
export const houseLimits: readonly Limit[] = [
  notTooHot,
  notTooCold,
  { quantity: 'humidity', above: 97 },
  // Well below the 5000 ppm of an eight-hour shift (OSHA 29 CFR 1910.1000 Z-1).
  { quantity: 'co2', above: 2000 },
];

/** A limit that the last reading of a sensor lies beyond. */
export interface Crossing {
  quantity: Quantity;
  value: number;
  unit: string;
  expected: string;
}

export function crossingOf(limits: readonly Limit[], all: readonly Series[]): Crossing | null {
  for (const { quantity, above = Infinity, below = -Infinity } of limits) {
    const readings = all.filter((series) => series.quantity === quantity).map(({ points }) => points.at(-1)?.value);
    const value = readings.find((one) => one !== undefined && (one > above || one < below));
    if (value === undefined) continue;
    const expected = value > above ? `<= ${above}` : `>= ${below}`;
    return { quantity, value: Number(value.toPrecision(3)), unit: quantityFacts[quantity].unit, expected };
  }
  return null;
}
