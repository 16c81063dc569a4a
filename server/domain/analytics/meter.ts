import type { Stretch } from '../series/m4.ts';
import type { Step } from './step.ts';

/** Readings of a counter, epoch ms, in order of time. */
export interface MeterReadings {
  times: readonly number[];
  values: readonly number[];
}

/**
 * A counter that falls below this share of its former reading has restarted at 0. After a smaller fall it has lost its
 * newest counts with its power: nothing passes until it is above its former reading.
 */
const restartShare = 0.9;

/** The readings within a stretch: a maximum above the last reading shows that the counter restarted in between. */
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
 * Wrong readings that may come in a row: a gateway that answers 0 or its highest number while the meter is away. A
 * longer run counts as wrong only while its readings are equal.
 */
const longestMistake = 2;
/** Longer runs are not searched. */
const lookedAhead = 1000;

/** The flow between two readings; marked if the counter restarted during it. */
export interface MeterStep extends Step {
  isRestart: boolean;
}

interface MeterLimits {
  /** Fastest plausible rise, in the counter's unit a second; default any. */
  most_per_s?: number | undefined;
}

/**
 * What passed through a counter (kWh, m3, pulses): a step between each two readings, whose value is the rise a second.
 * What passed before a restart is unknown and not included: the reading after it is the least that passed. Readings far
 * below or above those around them are wrong and count nothing, and so do rises faster than `most_per_s`.
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

/** How many readings from here are wrong: a run far below or above, after which the counter continues where it was. */
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

/** Whether the counter continued from `highest` to `after`, and did not count from `beside` to there. */
function goesOn(run: { highest: number; after: number; beside: number; isLow: boolean }): boolean {
  const { highest, after, beside, isLow } = run;
  if (after < highest) return false;
  return isLow ? after - beside > highest / 2 : after < beside * restartShare;
}
