import type { Stretch } from '../series/m4.ts';
import type { Step } from './step.ts';

/** What a counter said, epoch ms; in the order of time. */
export interface MeterReadings {
  times: readonly number[];
  values: readonly number[];
}

/**
 * Below this share of what it said before a counter has begun again at 0. A smaller fall is one that lost its newest counts with its
 * power: nothing passes until it is above what it said before.
 */
const restartShare = 0.9;

/** The readings within a stretch: a highest above the last tells that the counter began again between them. */
export function readingsOf({ first_ms, first, last_ms, last, max }: Stretch): [time_ms: number, value: number][] {
  if (first_ms === last_ms) return [[last_ms, last]];
  if (max <= last)
    return [
      [first_ms, first],
      [last_ms, last],
    ];
  return [
    [first_ms, first],
    [(first_ms + last_ms) / 2, max],
    [last_ms, last],
  ];
}

/**
 * So many readings in a row may be mistaken at once: a gateway that answers 0 or its highest number while the meter is
 * away. More count as mistaken only while they say one and the same.
 */
const longestMistake = 2;
/** Longer runs are not waited for. */
const lookedAhead = 1000;

/** Of what flows between two readings: a step in which the counter began again is marked. */
export interface MeterStep extends Step {
  isRestart: boolean;
}

interface MeterLimits {
  /** Nothing rises faster, in the unit of the counter a second; any rise is believed when absent. */
  most_per_s?: number | undefined;
}

/**
 * What passed through a counter (kWh, m3, pulses): between each reading and the next a step whose value is the rise a
 * second. What passed before it began again is not known and not in it: what it says afterwards is the least that passed.
 * Readings that fall far below or leap far above those around them are mistakes and count nothing, and so do rises that are
 * faster than `most_per_s`.
 */
export function meterSteps({ times, values }: MeterReadings, { most_per_s = Infinity }: MeterLimits = {}): MeterStep[] {
  const steps: MeterStep[] = [];
  let last: { time_ms: number; highest: number } | undefined;
  for (let index = 0; index < values.length; index += 1) {
    const [time_ms, value] = [times[index] ?? NaN, values[index] ?? NaN];
    const before = last;
    if (before !== undefined) {
      const mistaken = mistakenFrom(values, index, before.highest);
      const tooFast = value - before.highest > (most_per_s * (time_ms - before.time_ms)) / 1000;
      if (mistaken > 0 || tooFast) {
        index += Math.max(mistaken, 1) - 1;
        continue;
      }
    }
    const isRestart = before !== undefined && value < before.highest * restartShare;
    last = { time_ms, highest: before === undefined || isRestart ? value : Math.max(value, before.highest) };
    if (before === undefined) continue;
    const rise = Math.max(0, isRestart ? value : value - before.highest);
    const rate = (rise * 1000) / (time_ms - before.time_ms);
    steps.push({ from_ms: before.time_ms, to_ms: time_ms, value: rate, isRestart });
  }
  return steps;
}

/** How many readings from here are mistaken: a run far below or above, after which the counter goes on from where it was. */
function mistakenFrom(values: readonly number[], from: number, highest: number): number {
  const first = values[from] ?? NaN;
  const isLow = first < highest * restartShare;
  if (!isLow && first * restartShare <= highest) return 0;
  const runsOn = (value: number): boolean => (isLow ? value < highest * restartShare : value * restartShare > highest);
  let end = from;
  let isSame = true;
  for (; end < values.length && end - from < lookedAhead; end += 1) {
    const value = values[end] ?? NaN;
    if (end > from && !runsOn(value)) break;
    if (end > from && !isLow && value < first * restartShare) break;
    isSame &&= value === first;
  }
  const after = values[end];
  if (after === undefined || (end - from > longestMistake && !isSame)) return 0;
  return goesOn({ highest, after, beside: values[end - 1] ?? first, isLow }) ? end - from : 0;
}

/** True where the counter went on from `highest` to `after`, and did not count from `beside` to there. */
function goesOn(run: { highest: number; after: number; beside: number; isLow: boolean }): boolean {
  const { highest, after, beside, isLow } = run;
  if (after < highest) return false;
  return isLow ? after - beside > highest / 2 : after < beside * restartShare;
}
