/** A drive without position feedback: its position follows from how long it ran in which direction. */
export interface RunTimeDrive {
  /** From end to end, s. */
  travel_s: number;
  /** Play: how long it moves nothing after a reversal, s. */
  slack_s: number;
  /** The end at which it finds its position again: the safe one, %. */
  home_pct: 0 | 100;
}

export type RunDirection = 'out' | 'back';

/** The position of a drive by its runs. */
export interface Reckoned {
  /** null until it has been at an end. */
  pct: number | null;
  /** How far from there it may be, %. */
  drift_pct: number;
  direction: RunDirection | null;
}

/** One run of a motor in one direction. */
export interface MotorRun {
  direction: RunDirection;
  from: Reckoned;
  to_pct: number;
  run_s: number;
}

export const unreckoned: Reckoned = { pct: null, drift_pct: 100, direction: null };

/** With a larger drift a drive goes to its home first, %. */
const most_drift_pct = 5;
/** A motor's speed differs from its travel time by up to this share. */
const speed_error = 0.01;
/** How much later a relay and a motor may start or stop, s. */
const start_error_s = 0.2;
/** A run to an end is longer by this share of the travel, until its limit switch has certainly stopped it. */
const over_share = 0.1;
/** Smallest move, %: starts would cost more than smaller ones are worth. */
const least_pct = 1;

/** The next run towards the target; null when it is reached. A run to an end lasts until that is certain. */
export function nextRun(from: Reckoned, target_pct: number, drive: RunTimeDrive): MotorRun | null {
  const isEnd = target_pct === 0 || target_pct === 100;
  const isLost = from.pct === null || (from.drift_pct > most_drift_pct && !isEnd);
  const to_pct = isLost && !isEnd ? drive.home_pct : target_pct;
  if (to_pct === 0 || to_pct === 100) return endRun(from, to_pct, drive);
  const way_pct = to_pct - (from.pct ?? 0);
  if (Math.abs(way_pct) < least_pct) return null;
  const direction = way_pct > 0 ? 'out' : 'back';
  const run_s = (Math.abs(way_pct) / 100) * drive.travel_s + slackOf(from, direction, drive);
  return { direction, from, to_pct, run_s };
}

function endRun(from: Reckoned, to_pct: 0 | 100, drive: RunTimeDrive): MotorRun | null {
  if (from.pct === to_pct && from.drift_pct === 0) return null;
  const direction = to_pct === 100 ? 'out' : 'back';
  const way = from.pct === null ? 1 : Math.min(1, (Math.abs(to_pct - from.pct) + from.drift_pct) / 100);
  return { direction, from, to_pct, run_s: (way + over_share) * drive.travel_s + drive.slack_s };
}

/** The position after a run of this time, s. A complete run to an end makes the position certain. */
export function afterRun({ direction, from, to_pct, run_s }: MotorRun, ran_s: number, drive: RunTimeDrive): Reckoned {
  const isEnd = to_pct === 0 || to_pct === 100;
  if (isEnd && ran_s >= run_s) return { pct: to_pct, drift_pct: 0, direction };
  if (from.pct === null) return { ...unreckoned, direction };
  const slack_s = slackOf(from, direction, drive);
  const moved_pct = (100 * Math.max(0, Math.min(ran_s, run_s) - slack_s)) / drive.travel_s;
  const pct = Math.min(100, Math.max(0, from.pct + (direction === 'out' ? moved_pct : -moved_pct)));
  // When cut short within the play, how much of that remains is unknown.
  const error_s = start_error_s + (ran_s < slack_s ? slack_s : 0);
  const drift_pct = Math.min(100, from.drift_pct + speed_error * moved_pct + (100 * error_s) / drive.travel_s);
  return { pct, drift_pct, direction };
}

function slackOf(from: Reckoned, direction: RunDirection, { slack_s }: RunTimeDrive): number {
  return from.direction === direction ? 0 : slack_s;
}
