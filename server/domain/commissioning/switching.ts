/** How far something is on or open from a moment on, 0 to 1. */
export interface Switch {
  time_s: number;
  level: number;
}

/** Phases of a code. */
export const codeLength = 11;
/** The rotations in the order of how well they survive a slow trend: changes in the middle of a code weigh most. */
const clearest = [1, 0, 10, 9, 2, 8, 7, 3, 6, 4, 5];
const residues: ReadonlySet<number> = new Set([1, 3, 4, 5, 9]);

/**
 * Whether a device is on in a phase, 0 to 10. Codes are rotations of one sequence, the quadratic residues of 11: any
 * two agree in as many phases as chance would have it, so that the effects of devices that are switched at the same
 * time can be told apart; each switches on and off at least twice (Paley 1933, On orthogonal matrices).
 */
export function isOnInPhase(turn: number, phase: number): boolean {
  const code = clearest[turn % codeLength] ?? 0;
  return phase >= 0 && phase < codeLength && residues.has((((phase - code) % codeLength) + codeLength) % codeLength);
}

/** A device that has to rest after each time on is on once, in the middle. */
export function isOnOnce(phase: number, phases: number): boolean {
  return phase >= Math.floor(0.28 * phases) && phase < Math.ceil(0.6 * phases);
}

/** Shortest and longest phase, s: what air needs to show an exchange, and what a check may take. */
const shortestPhase_s = 27;
const longestPhase_s = 120;
/** Readings that a sensor must yield in a phase. */
const readingsInPhase = 1.8;

/** Length of a phase for sensors with this period. */
export function phaseLength_s(period_s: number): number {
  return Math.min(longestPhase_s, Math.max(shortestPhase_s, Math.round(readingsInPhase * period_s)));
}

/** A device that reacts at once is off, on, off, on and off, each for at least this long, s. */
export const promptPhases = 5;
const shortestPromptPhase_s = 12;

/** Length of a phase for a device that reacts at once; it must contain two readings. */
export function promptPhase_s(period_s: number): number {
  return Math.max(shortestPromptPhase_s, Math.round(readingsInPhase * period_s));
}

/** Slower sensors show nothing of what is switched, s. */
export const slowestPeriod_s = longestPhase_s / readingsInPhase;

export function levelAt(signal: readonly Switch[], time_s: number): number {
  return signal.findLast((one) => one.time_s <= time_s)?.level ?? signal[0]?.level ?? 0;
}
