import { integral, type Step } from './step.ts';

export interface Thresholds {
  /** Temperatures below this count nothing. */
  base_c: number;
  /** Temperatures above this count as this (horizontal cut-off). */
  upper_c?: number | undefined;
}

/**
 * Degree hours: the time integral of the temperature above a base, K h (ASHRAE Fundamentals 2021, ch. 14, and, with the
 * horizontal cut-off at the upper threshold, UC IPM "Degree-days: methods", 1990). Divided by 24 they are degree days.
 * From readings, not from the day's extremes: if the air crosses the base within a day, the mean of the two would be
 * wrong.
 */
export function degreeHours(steps: readonly Step[], { base_c, upper_c = Infinity }: Thresholds): number {
  return integral(steps, (temp_c) => Math.max(0, Math.min(temp_c, upper_c) - base_c)) / 3600;
}
