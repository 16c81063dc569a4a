import { lockOf, longest, mixingOf, type DoseSide, type TankDose } from './tank.ts';

/** How pH or EC is dosed. Volumes in ml, times in s; the reading in pH or dS/m. */
export interface DosingSettings {
  target: number;
  /** No dose while the reading is this close. */
  tolerance: number;
  /** One dose of each pump, ml; null when there is no such pump (EC is only raised). */
  raise_ml: number | null;
  lower_ml: number | null;
  /** How long a dose takes to mix in before readings are reliable again. */
  mixing_s: number;
  /** How long the other pump waits after a dose: acid and base must not fight. */
  lock_s: number;
  /** Maximum of each pump in 24 h. */
  daily_ml: number;
  /** After this many doses in a row, a reading that moved less towards the target counts as no reaction. */
  least_reaction: number;
  doses_to_react: number;
  /** Readings outside these are invalid. */
  plausible: { least: number; most: number };
}

/** The memory of a dosing function; plain data, so that it outlives a restart, by the time of day. */
export interface DosingState {
  /** Doses of the last 24 h, oldest first. */
  doses: readonly { at_ms: number; side: DoseSide; ml: number }[];
  /** Doses in a row on one side without a reaction, and the reading before the first of them. */
  tried: { side: DoseSide; count: number; from: number } | null;
  /** It has stopped: a person must look and restart it. */
  stopped: 'no_reaction' | null;
}

export type DosingRest =
  | 'in_range'
  | 'missing'
  | 'mixing'
  | 'locked'
  | 'daily_cap'
  | 'no_pump'
  | 'clock'
  | 'no_reaction';

export const restingDosing: DosingState = { doses: [], tried: null, stopped: null };

const dayMs = 86_400_000;

/** Why nothing is dosed, and for how long if known. */
export interface DosingWait {
  rest: DosingRest;
  since_ms: number;
  until_ms: number;
}

interface DosingStep {
  state: DosingState;
  dose: { side: DoseSide; ml: number } | null;
  rest: DosingRest | null;
  wait: DosingWait | null;
}

/** The inputs of one tick: the reading, and the doses of other functions into the same water. */
export interface DosingLook {
  now_ms: number;
  reading: number | null;
  unit: string;
  others: readonly TankDose[];
}

/**
 * One tick: a dose, or why there is none. A dose counts as given whether the pump confirmed it or not: too little does
 * less harm.
 */
export function dosingStep(state: DosingState, settings: DosingSettings, look: DosingLook): DosingStep {
  const { now_ms, reading, others } = look;
  const doses = state.doses.filter(({ at_ms }) => now_ms - at_ms < dayMs);
  const kept = { ...state, doses };
  const resting = (rest: DosingRest, next: DosingState = kept) => ({ state: next, dose: null, rest, wait: null });
  const waiting = (wait: DosingWait) => ({ state: kept, dose: null, rest: wait.rest, wait });
  if (state.stopped !== null) return resting(state.stopped);
  const { least, most } = settings.plausible;
  if (reading === null || !(reading >= least && reading <= most)) return resting('missing');
  // A clock that was set back would let mixing and locks end early or never.
  if ([...doses, ...others].some(({ at_ms }) => now_ms < at_ms)) return resting('clock');
  const mixing = mixingWait(doses, settings, look);
  if (mixing !== null) return waiting(mixing);
  const gap = settings.target - reading;
  if (Math.abs(gap) <= settings.tolerance) return resting('in_range', { ...kept, tried: null });
  const side: DoseSide = gap > 0 ? 'raise' : 'lower';
  const ml = side === 'raise' ? settings.raise_ml : settings.lower_ml;
  if (ml === null) return resting('no_pump');
  const locked = lockWait(doses, side, settings, look);
  if (locked !== null) return waiting(locked);
  if (givenBy(doses, side) + ml > settings.daily_ml) return resting('daily_cap');
  const tried = triedNext(state.tried, side, reading, settings);
  if (tried.count > settings.doses_to_react) return resting('no_reaction', { ...kept, tried, stopped: 'no_reaction' });
  const next = { ...kept, doses: [...doses, { at_ms: now_ms, side, ml }], tried };
  return { state: next, dose: { side, ml }, rest: null, wait: null };
}

type Doses = DosingState['doses'];

function mixingWait(doses: Doses, { mixing_s }: DosingSettings, { now_ms, others }: DosingLook): DosingWait | null {
  const own = doses.map(({ at_ms }) => ({ since_ms: at_ms, until_ms: at_ms + mixing_s * 1000 }));
  return waitOf('mixing', [...own, mixingOf(others, mixing_s, now_ms)], now_ms);
}

/** Acid and base must not fight, whichever function dosed them. */
function lockWait(
  doses: Doses,
  side: DoseSide,
  { lock_s }: DosingSettings,
  { now_ms, unit, others }: DosingLook,
): DosingWait | null {
  const against = doses.filter((dose) => dose.side !== side);
  const own = against.map(({ at_ms }) => ({ since_ms: at_ms, until_ms: at_ms + lock_s * 1000 }));
  return waitOf('locked', [...own, lockOf(others, { side, unit, lock_s, now_ms })], now_ms);
}

function waitOf(
  rest: DosingRest,
  spans: readonly ({ since_ms: number; until_ms: number } | null)[],
  nowMs: number,
): DosingWait | null {
  const last = longest(
    spans.filter((one) => one !== null),
    nowMs,
  );
  return last && { rest, ...last };
}

/** What a pump dosed in the last 24 h, ml. */
export function givenBy(doses: DosingState['doses'], side: DoseSide): number {
  return doses.reduce((sum, dose) => (dose.side === side ? sum + dose.ml : sum), 0);
}

/** Counts the doses since the reading last reacted, including the one that follows. */
function triedNext(
  tried: DosingState['tried'],
  side: DoseSide,
  reading: number,
  { least_reaction }: DosingSettings,
): NonNullable<DosingState['tried']> {
  if (tried === null || tried.side !== side) return { side, count: 1, from: reading };
  const moved = (reading - tried.from) * (side === 'raise' ? 1 : -1);
  return moved >= least_reaction ? { side, count: 1, from: reading } : { ...tried, count: tried.count + 1 };
}
