import { quantityFacts, type Quantity } from './quantity.ts';
import type { Series } from './series.ts';

/** What a quantity must not pass while something is driven. */
export interface Limit {
  quantity: Quantity;
  above?: number;
  below?: number;
  /** Where it is below this already, the limit holds no more. */
  unlessBelow?: number;
}

/** Crops take no harm from minutes at these; 35 C is where photosynthesis of common crops falls. */
export const notTooHot: Limit = { quantity: 'temp', above: 35 };
/** Cold air is not let in where frost could come with it; where frost is already there is nothing to spare. */
export const notTooCold: Limit = { quantity: 'temp', below: 5, unlessBelow: 0 };
/** Fog would freeze. */
export const notFrozen: Limit = { quantity: 'temp', below: 3 };

/**
 * Nothing is driven on beyond any of these, whatever it is: a wrong wire may move anything. What heats, cools, wets or enriches stops
 * earlier, by limits of its own.
 */
export const houseLimits: readonly Limit[] = [
  { quantity: 'temp', above: 38 },
  { quantity: 'temp', below: 2, unlessBelow: 0 },
  // Well below the 5000 ppm of an eight-hour shift (OSHA 29 CFR 1910.1000 Z-1).
  { quantity: 'co2', above: 2500 },
];

/** A limit that the last reading of a sensor lies beyond. */
export interface Crossing {
  quantity: Quantity;
  value: number;
  unit: string;
  expected: string;
}

/** Those that the house keeps at the moment: what it is beyond already, be it by frost, is nobody's doing. */
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
