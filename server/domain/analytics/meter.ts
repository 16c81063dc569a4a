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
 * What passed through a counter (kWh, m3, pulses): between each reading and the next a step whose value is the rise a second. What
 * passed before it began again is not known and not in it: what it says afterwards is the least that passed.
 */
export function meterSteps({ times, values }: MeterReadings): Step[] {
  const steps: Step[] = [];
  let last: { time_ms: number; highest: number } | undefined;
  for (const [index, value] of values.entries()) {
    const time_ms = times[index] ?? NaN;
    const before = last;
    const hasRestarted = before !== undefined && value < before.highest * restartShare;
    if (hasRestarted && (values[index + 1] ?? -Infinity) >= before.highest) continue; // a mistake of the reading
    last = { time_ms, highest: before === undefined || hasRestarted ? value : Math.max(value, before.highest) };
    if (before === undefined) continue;
    const rise = Math.max(0, hasRestarted ? value : value - before.highest);
    steps.push({ from_ms: before.time_ms, to_ms: time_ms, value: (rise * 1000) / (time_ms - before.time_ms) });
  }
  return steps;
}
