import { expectedAt, median, uncertaintyAt, type Baseline, type Point } from './baseline.ts';

/** 0: either way counts. */
export type Direction = 1 | -1 | 0;

export interface Step {
  baseline: Baseline;
  /** Readings since the command. */
  after: readonly Point[];
  drivenAt_s: number;
  direction: Direction;
  /** Least change that counts, whatever the noise. */
  least: number;
  /** A sound device shows itself within this time, s: so long at least must noise and drift let it be seen. */
  answersWithin_s: number;
}

export interface StepResponse {
  /** unclear: nothing was seen, and noise or drift would have hidden it. */
  seen: 'expected' | 'opposite' | 'none' | 'unclear';
  /** Change against the baseline at the end; null without a reading. */
  response: number | null;
  /** Least change that counts at the end. */
  threshold: number;
  /** From the command to the first of the readings that show it; null where none does. */
  lag_s: number | null;
}

/** Standard deviations that a change must exceed: one reading in 370 does so by chance. */
const significant = 3;
/** Readings in a row that must show it: three on one side by chance come once in 4e8. */
const sustained = 3;
/** Where noise raises the threshold by more, silence proves nothing. */
const hiddenBy = 2;

/** What a command did to a quantity: a change against the baseline beyond noise and the least that counts, three readings in a row. */
export function stepResponse(step: Step): StepResponse {
  const { baseline, after, drivenAt_s } = step;
  const marked = after.map((point) => ({ ...point, ...markOf(step, point) }));
  const end = marked.at(-1);
  const threshold = end?.threshold ?? Math.max(step.least, significant * baseline.noise);
  const response = end === undefined ? null : median(marked.slice(-sustained).map(({ change }) => change));
  const first = marked.findIndex((_, index) => isSustained(marked.slice(index, index + sustained)));
  const begin = marked[first];
  if (begin !== undefined) {
    const isExpected = step.direction === 0 || begin.side === step.direction;
    return { seen: isExpected ? 'expected' : 'opposite', response, threshold, lag_s: begin.time_s - drivenAt_s };
  }
  const clearUntil_s = marked.findLast((one) => one.threshold <= hiddenBy * step.least)?.time_s ?? drivenAt_s;
  const isHidden = after.length < sustained || clearUntil_s - drivenAt_s < step.answersWithin_s;
  return { seen: isHidden ? 'unclear' : 'none', response, threshold, lag_s: null };
}

/**
 * A drift that dies away leaves its line by at most what the line has moved: against the drift a change must exceed that too, lest the
 * recovery from an earlier trial pass for an answer.
 */
function markOf({ baseline, least, drivenAt_s }: Step, { time_s, value }: Point) {
  const change = value - expectedAt(baseline, time_s);
  const noise = Math.max(least, significant * uncertaintyAt(baseline, time_s));
  const isAgainstDrift = Math.sign(change) === -Math.sign(baseline.slope_per_s);
  const threshold = noise + (isAgainstDrift ? Math.abs(baseline.slope_per_s) * (time_s - drivenAt_s) : 0);
  return { change, threshold, side: Math.abs(change) >= threshold ? Math.sign(change) : 0 };
}

function isSustained(run: readonly { side: number }[]): boolean {
  const side = run[0]?.side ?? 0;
  return side !== 0 && run.length === sustained && run.every((one) => one.side === side);
}
