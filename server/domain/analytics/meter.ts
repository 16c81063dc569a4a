import type { Step } from './step.ts';

/** What a counting meter said, epoch ms; in the order of time. */
export interface MeterReading {
  time_ms: number;
  value: number;
}

interface MeterOptions {
  /** Where the counter begins again at 0, in its unit; null for one that is only ever reset by hand or by a loss of power. */
  wrapsAt: number | null;
  /** A fall by no more than this is noise of the reading, not a reset; in its unit, 0 and more. */
  noise: number;
}

/**
 * What passed through a meter that counts up (kWh, m3, pulses): the rise from each reading to the next, as the step between them,
 * whose value is that rise in the meter's unit. A fall is a reset. What passed before it is not known and not in it: the counter
 * began at 0, so that what it says afterwards is the least that passed; where it wraps, what was left to the wrap belongs to it too.
 */
export function meterRises(readings: readonly MeterReading[], { wrapsAt, noise }: MeterOptions): Step[] {
  let before: MeterReading | undefined;
  return readings.flatMap((reading) => {
    const last = before;
    if (last === undefined) {
      before = reading;
      return [];
    }
    const rise = reading.value - last.value;
    if (rise < 0 && rise >= -noise) return []; // the highest so far stays the begin of the next step
    before = reading;
    const restart = wrapsAt === null ? 0 : wrapsAt - last.value;
    const passed = rise >= 0 ? rise : restart + reading.value;
    return [{ from_ms: last.time_ms, to_ms: reading.time_ms, value: passed }];
  });
}

/** What passed within a span; of a step that lies across an end the share of its time that lies within. */
export function passedWithin(rises: readonly Step[], { from_ms, to_ms }: { from_ms: number; to_ms: number }): number {
  return rises.reduce((sum, step) => {
    const within_ms = Math.min(step.to_ms, to_ms) - Math.max(step.from_ms, from_ms);
    return within_ms <= 0 ? sum : sum + (step.value * within_ms) / (step.to_ms - step.from_ms);
  }, 0);
}
