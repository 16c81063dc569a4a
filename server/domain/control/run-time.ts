/** A drive that has no position of its own: where it stands follows from how long it ran which way. */
export interface RunTimeDrive {
  /** From end to end, s. */
  travel_s: number;
  /** Play: for so long after it has turned round it moves nothing, s. */
  slack_s: number;
  /** The end at which it finds its position anew: the safe one, %. */
  home_pct: 0 | 100;
}

export type RunDirection = 'out' | 'back';

/** Where a drive stands as far as its runs tell. */
export interface Reckoned {
  /** null until it has been at an end. */
  pct: number | null;
  /** How far it may stand from there, %. */
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

/** Beyond that a drive goes to its home first, %. */
const most_drift_pct = 5;
/** A motor runs that much faster or slower than its travel time says, share of the way. */
const speed_error = 0.01;
/** A relay and a motor start and stop that much apart, s. */
const start_error_s = 0.2;
/** To an end it runs longer by that share of its travel, until its limit switch has stopped it for sure. */
const over_share = 0.1;
/** No smaller move, %: starts would cost more than they bring. */
const least_pct = 1;

/** What brings a drive nearer to its target; null where it is there. To an end it runs until that is certain. */
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

/** Where the drive stands after it ran for so long, s. A run to an end that was not cut short makes the position certain. */
export function afterRun({ direction, from, to_pct, run_s }: MotorRun, ran_s: number, drive: RunTimeDrive): Reckoned {
  const isEnd = to_pct === 0 || to_pct === 100;
  if (isEnd && ran_s >= run_s) return { pct: to_pct, drift_pct: 0, direction };
  if (from.pct === null) return { ...unreckoned, direction };
  const slack_s = slackOf(from, direction, drive);
  const moved_pct = (100 * Math.max(0, Math.min(ran_s, run_s) - slack_s)) / drive.travel_s;
  const pct = Math.min(100, Math.max(0, from.pct + (direction === 'out' ? moved_pct : -moved_pct)));
  // Cut short within its play, nobody knows how much of that is left.
  const error_s = start_error_s + (ran_s < slack_s ? slack_s : 0);
  const drift_pct = Math.min(100, from.drift_pct + speed_error * moved_pct + (100 * error_s) / drive.travel_s);
  return { pct, drift_pct, direction };
}

function slackOf(from: Reckoned, direction: RunDirection, { slack_s }: RunTimeDrive): number {
  return from.direction === direction ? 0 : slack_s;
}
