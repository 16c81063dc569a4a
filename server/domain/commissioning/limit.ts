import { quantityFacts, type Quantity } from './quantity.ts';
import type { Series } from './series.ts';

/** A limit that a quantity must not cross while something is driven. */
export interface Limit {
  quantity: Quantity;
  above?: number;
  below?: number;
  /** If it is already below this, the limit no longer applies. */
  unlessBelow?: number;
}

/** Crops tolerate these for minutes; at 35 C the photosynthesis of common crops declines. */
export const notTooHot: Limit = { quantity: 'temp', above: 35 };
/** Cold air is not let in when frost could come with it; with frost already inside there is nothing to protect. */
export const notTooCold: Limit = { quantity: 'temp', below: 5, unlessBelow: 0 };
/** Fog would freeze. */
export const notFrozen: Limit = { quantity: 'temp', below: 3 };

/**
 * Driving stops beyond any of these, whatever is driven: a wrong wire may move anything. What heats, cools, humidifies
 * or enriches stops earlier, by limits of its own.
 */
export const houseLimits: readonly Limit[] = [
  { quantity: 'temp', above: 38 },
  { quantity: 'temp', below: 2, unlessBelow: 0 },
  // Well below the 5000 ppm of an eight-hour shift (OSHA 29 CFR 1910.1000 Z-1).
  { quantity: 'co2', above: 2500 },
];

/** A limit that a sensor's last reading has crossed. */
export interface Crossing {
  quantity: Quantity;
  value: number;
  unit: string;
  expected: string;
}

/** The limits that the house meets at present: those already crossed, be it by frost, are not the check's doing. */
export function keptLimits(limits: readonly Limit[], all: readonly Series[]): Limit[] {
  return limits.filter((limit) => crossingOf([{ ...limit, unlessBelow: -Infinity }], all) === null);
}

export function crossingOf(limits: readonly Limit[], all: readonly Series[]): Crossing | null {
  for (const { quantity, above = Infinity, below = -Infinity, unlessBelow = -Infinity } of limits) {
    const readings = all.filter((series) => series.quantity === quantity).map(({ points }) => points.at(-1)?.value);
    const value = readings.find((one) => one !== undefined && (one > above || (one < below && one >= unlessBelow)));
    if (value === undefined) continue;
    const expected = value > above ? `<= ${above}` : `>= ${below}`;
    return { quantity, value: Number(value.toPrecision(3)), unit: quantityFacts[quantity].unit, expected };
  }
  return null;
}
