import type { PidDirection } from './pid.ts';

/** The parameters of a trial: outputs switch between two levels of control by the sign of the error. */
export interface RelayTuningSettings {
  setpoint: number;
  /** Control while the measurement is above the setpoint and while it is below, in the unit of the outputs. */
  low: number;
  high: number;
  /** How far beyond 0 the error must be before the relay switches, in the unit of the measurement; above the noise. */
  hysteresis: number;
  /** The trial is aborted when the measurement leaves these. */
  least: number;
  most: number;
  /** The trial is aborted after this time, s. */
  max_s: number;
}

/** Why a trial ended without a result. */
type RelayTuningFailure = 'timed_out' | 'out_of_range' | 'measurement_missing' | 'one_sided' | 'too_small';

/** A gain set of a known rule: ki per s, kd in s, as in the PID law. */
export interface TuningProposal {
  rule: TuningRule;
  kp: number;
  ki: number;
  kd: number;
}

/** The gain at which the loop would oscillate, control per unit of the measurement, and its period, s. */
export interface UltimatePoint {
  ku: number;
  tu_s: number;
}

export type RelayTuningState =
  | { phase: 'running'; is_high: boolean; since_s: number | null; marks: Marks; cycles: readonly Cycle[] }
  | { phase: 'failed'; reason: RelayTuningFailure }
  | { phase: 'done'; point: UltimatePoint; proposals: TuningProposal[] };

/** The observations of the present cycle. */
interface Marks {
  went_high_s: number | null;
  went_low_s: number;
  least: number;
  most: number;
}

/** From one switch of the relay to high to the next. */
interface Cycle {
  period_s: number;
  /** The share of it for which the relay was high. */
  share: number;
  /** Half the height of the measurement from its minimum to its maximum. */
  amplitude: number;
}

/** This many cycles must agree within this share of their mean. */
const wantedCycles = 3;
const agreement = 0.03;
/**
 * A relay that is high for a smaller share of a cycle than this, or low, tells little: the describing function is that
 * of a sine.
 */
const oneSided = 0.1;
/** The oscillation must be wider than the hysteresis by this factor, otherwise it is the relay's own. */
const clearance = 1.05;

/** The progress of a trial, 0 to 1: of the oscillations that it needs at least, or of its time. */
export function relayTuningShare(state: RelayTuningState, { max_s }: RelayTuningSettings, time_s: number): number {
  if (state.phase !== 'running') return 1;
  const elapsed_s = state.since_s === null ? 0 : time_s - state.since_s;
  return Math.min(1, Math.max(state.cycles.length / (wantedCycles + 1), elapsed_s / max_s));
}

/** The levels of a trial: the full range of the outputs, symmetric around 0 for a loop that acts both ways. */
export function relayLevels(
  direction: PidDirection,
  limits: { low: number; high: number },
): { low: number; high: number } {
  return { low: direction === 'raise' ? 0 : limits.low, high: direction === 'lower' ? 0 : limits.high };
}

export const beginRelayTuning: RelayTuningState = {
  phase: 'running',
  is_high: true,
  since_s: null,
  cycles: [],
  marks: { went_high_s: null, went_low_s: 0, least: Infinity, most: -Infinity },
};

/**
 * One reading of a trial: the relay of Astrom and Hagglund (1984, Automatica 20, 645-651) makes the loop oscillate at
 * about the period of its ultimate gain. `time_s` has any origin and never decreases. Control is null once it is over.
 */
export function relayTuningStep(
  state: RelayTuningState,
  settings: RelayTuningSettings,
  { time_s, measurement }: { time_s: number; measurement: number | null },
): { state: RelayTuningState; control: number | null } {
  if (state.phase !== 'running') return { state, control: null };
  if (measurement === null || !Number.isFinite(measurement)) return failed('measurement_missing');
  if (measurement < settings.least || measurement > settings.most) return failed('out_of_range');
  const since_s = state.since_s ?? time_s;
  if (time_s - since_s > settings.max_s) return failed('timed_out');
  const next = turned({ ...state, since_s }, settings, { time_s, measurement });
  const ending = next.cycles.at(-1) === state.cycles.at(-1) ? undefined : judged(next.cycles, settings);
  if (ending !== undefined) return { state: ending, control: null };
  return { state: next, control: next.is_high ? settings.high : settings.low };
}

type Running = Extract<RelayTuningState, { phase: 'running' }>;

function turned(state: Running, settings: RelayTuningSettings, now: { time_s: number; measurement: number }): Running {
  const { time_s, measurement } = now;
  const least = Math.min(state.marks.least, measurement);
  const most = Math.max(state.marks.most, measurement);
  const marks = { ...state.marks, least, most };
  const error = settings.setpoint - measurement;
  if (state.is_high && error < -settings.hysteresis)
    return { ...state, is_high: false, marks: { ...marks, went_low_s: time_s } };
  if (state.is_high || error <= settings.hysteresis) return { ...state, marks };
  const fresh = { went_high_s: time_s, went_low_s: time_s, least: measurement, most: measurement };
  return { ...state, is_high: true, marks: fresh, cycles: withCycle(state.cycles, marks, time_s) };
}

function withCycle(cycles: readonly Cycle[], { went_high_s, went_low_s, least, most }: Marks, time_s: number): Cycle[] {
  if (went_high_s === null) return [...cycles];
  const period_s = time_s - went_high_s;
  const cycle = { period_s, share: (went_low_s - went_high_s) / period_s, amplitude: (most - least) / 2 };
  return [...cycles, cycle].slice(-wantedCycles - 1);
}

/**
 * The end of the trial once the last cycles agree; undefined while it must go on. The first one still approaches the
 * oscillation.
 */
function judged(cycles: readonly Cycle[], settings: RelayTuningSettings): RelayTuningState | undefined {
  if (cycles.length <= wantedCycles) return undefined;
  const last = cycles.slice(-wantedCycles);
  const periods = last.map(({ period_s }) => period_s);
  const amplitudes = last.map(({ amplitude }) => amplitude);
  if (!areAlike(periods) || !areAlike(amplitudes)) return undefined;
  const share = mean(last.map((cycle) => cycle.share));
  if (share < oneSided || share > 1 - oneSided) return { phase: 'failed', reason: 'one_sided' };
  const amplitude = mean(amplitudes);
  if (amplitude < settings.hysteresis * clearance) return { phase: 'failed', reason: 'too_small' };
  const point = { ku: ultimateGain(settings, amplitude, share), tu_s: mean(periods) };
  return { phase: 'done', point, proposals: proposalsOf(point) };
}

/**
 * By the describing function of a relay with hysteresis, 4 d / (pi sqrt(a^2 - h^2)), d half the step of control. If the
 * relay is not high for half of the cycle, its first harmonic is reduced by sin(pi share).
 */
function ultimateGain({ high, low, hysteresis }: RelayTuningSettings, amplitude: number, share: number): number {
  const harmonic = (2 * (high - low) * Math.sin(Math.PI * share)) / Math.PI;
  return harmonic / Math.sqrt(amplitude ** 2 - hysteresis ** 2);
}

/** Gain and times of the rules as multiples of Ku and Tu: Ziegler and Nichols (1942), Tyreus and Luyben (1992). */
const rules = {
  tyreus_luyben_pi: { gain: 1 / 3.2, ti: 2.2, td: 0 },
  tyreus_luyben_pid: { gain: 1 / 2.2, ti: 2.2, td: 1 / 6.3 },
  ziegler_nichols_pi: { gain: 0.45, ti: 1 / 1.2, td: 0 },
  ziegler_nichols_pid: { gain: 0.6, ti: 0.5, td: 0.125 },
} as const;
type TuningRule = keyof typeof rules;
const tuningRules = Object.keys(rules) as TuningRule[]; // the keys of an object written out here

/** Gains by each rule, the calmest first. */
export function proposalsOf({ ku, tu_s }: UltimatePoint): TuningProposal[] {
  return tuningRules.map((rule) => {
    const { gain, ti, td } = rules[rule];
    const kp = gain * ku;
    return { rule, kp, ki: kp / (ti * tu_s), kd: kp * td * tu_s };
  });
}

function areAlike(values: readonly number[]): boolean {
  return Math.max(...values) - Math.min(...values) <= agreement * mean(values);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function failed(reason: RelayTuningFailure): { state: RelayTuningState; control: null } {
  return { state: { phase: 'failed', reason }, control: null };
}
