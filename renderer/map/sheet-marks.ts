import { roundStepBelow } from './metric-step.ts';

/** Corners of a north arrow, 36 units high, its tip at the origin and y to the south. */
export const northArrow = [
  [0, 0],
  [11, 36],
  [0, 28],
  [-11, 36],
] as const;
/** Where the letter of north stands below the tip, in the same units. */
export const northLetter = { y: 50, size: 16 };

/** Length of a scale bar, m: the longest round one that has room. `unit_m` is the unit that distances are shown in. */
export function scaleBar_m(most_m: number, unit_m = 1): number {
  return roundStepBelow(most_m / unit_m) * unit_m;
}
