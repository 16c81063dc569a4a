/** How the outputs of a loop act: with `raise` control is 0 or more, with `lower` 0 or less, with `both` either. */
export type PidDirection = 'raise' | 'lower' | 'both';

/**
 * The tuning of a loop. Control is in the unit of its outputs (s a period, %, a value, ml) and positive to raise the
 * measurement; MU is the unit of the measurement.
 */
export interface PidSettings {
  /** Proportional gain, control per MU, 0 and more. */
  kp: number;
  /** Integral gain, control per MU and s, 0 and more. */
  ki: number;
  /** Derivative gain, control s per MU, 0 and more. */
  kd: number;
  /** Time constant of the first-order filter of the measurement's rate, s; 0 for none. */
  derivative_filter_s: number;
  /** Limits of the integral's share in control; null when only the outputs limit it. */
  integrator_min: number | null;
  integrator_max: number | null;
  /**
   * Hysteresis, MU: once the setpoint is reached nothing is driven until the measurement is further away than this. 0
   * for none.
   */
  band: number;
  /** The range of the outputs: control below `low` or above `high` has no further effect. */
  limits: ControlLimits;
}

export interface ControlLimits {
  low: number;
  high: number;
}

/** What a loop remembers between steps. Plain numbers, so that it can be stored and outlive a restart. */
export interface PidState {
  /**
   * The integral's share in control. It holds control and not the sum of errors, so that a change of ki alone moves
   * nothing.
   */
  i: number;
  /** Filtered rate of the measurement, MU/s. */
  rate: number;
  /** The last measurement; null before the first and after a missing one. */
  measurement: number | null;
  /** The last error, MU. */
  error: number;
  /** How much less (negative) or more the outputs did than the last control demanded. */
  excess: number;
  /** Within the band, where nothing is driven. */
  is_idle: boolean;
}

export interface PidInput {
  setpoint: number;
  /** null when there is none, or none young enough. */
  measurement: number | null;
  /** Real time since the last step, s. 0 for the first. */
  dt_s: number;
  /** The integral stands still: the loop is held, or something stronger drives its outputs. */
  is_frozen?: boolean;
}

/** Control and its components. */
export interface PidTerms {
  error: number;
  p: number;
  i: number;
  d: number;
  /** Within the limits; 0 when idle. */
  control: number;
}

/** Shorter times count as none, s: no clock is as fine, and a rate over them would be noise. */
const shortest_s = 0.001;

export const restingPid: PidState = { i: 0, rate: 0, measurement: null, error: 0, excess: 0, is_idle: false };

/**
 * One step of a PID: control = Kp e + Ki integral(e dt) - Kd d(measurement)/dt, limited to what the outputs can do.
 * Terms are null when the measurement is missing; then the integral keeps its value and the rate starts afresh.
 *
 * The derivative acts on the filtered measurement, so that a new setpoint does not kick, and the integral is corrected
 * by what the outputs could not do: back-calculation (Astrom and Hagglund 1995, PID Controllers, section 3.5), with the
 * tracking time Ti of a PI and sqrt(Ti Td) of a PID.
 */
export function pidStep(
  state: PidState,
  settings: PidSettings,
  input: PidInput,
): { state: PidState; terms: PidTerms | null } {
  const { setpoint, measurement } = input;
  if (measurement === null || !Number.isFinite(measurement) || !Number.isFinite(setpoint))
    return { state: { ...state, measurement: null, rate: 0, error: 0, excess: 0 }, terms: null };
  const error = setpoint - measurement;
  const rate = filteredRate(state, settings.derivative_filter_s, { measurement, dt_s: input.dt_s });
  const is_idle = isWithinBand(state, settings.band, error);
  const i = input.is_frozen === true || state.is_idle ? state.i : integrated(state, settings, input.dt_s);
  const p = settings.kp * error;
  const d = -settings.kd * rate;
  const asked = p + i + d;
  const control = is_idle ? 0 : within(asked, settings.limits);
  const excess = is_idle ? 0 : control - asked;
  return {
    state: { i, rate, measurement, error, excess, is_idle },
    terms: { error, p, i, d, control },
  };
}

/**
 * The state from which the next step at this setpoint and measurement starts with the given control: for changed
 * settings, another source of the setpoint, a resume and a restart. Without an integral gain the integral's share
 * stays, as it could never leave again. It also stays if the outputs would be at the same limit with it: otherwise they
 * would reverse at the first move of the measurement, such as heat far above the setpoint.
 */
export function withControl(
  state: PidState,
  settings: PidSettings,
  { setpoint, measurement, control }: { setpoint: number; measurement: number; control: number },
): PidState {
  const error = setpoint - measurement;
  const fresh = { ...state, measurement, error, excess: 0, is_idle: state.is_idle && Math.abs(error) <= settings.band };
  if (settings.ki === 0 || fresh.is_idle) return fresh;
  const begun = within(control, settings.limits);
  const others = settings.kp * error - settings.kd * state.rate;
  const kept = withinIntegrator(state.i, settings);
  if (within(others + kept, settings.limits) === begun) return { ...fresh, i: kept, error: 0 };
  const asked = begun - others;
  return { ...fresh, i: withinIntegrator(asked, settings), error: 0 };
}

/** The rate of the measurement behind a first-order filter, by backward differences: stable for any step. */
function filteredRate(
  { rate, measurement: last }: PidState,
  filter_s: number,
  { measurement, dt_s }: { measurement: number; dt_s: number },
): number {
  if (last === null) return 0;
  if (!(dt_s >= shortest_s)) return rate;
  return (filter_s * rate + (measurement - last)) / (filter_s + dt_s);
}

/** Adds the error since the last step over the time that it stood, and subtracts what the outputs could not do. */
function integrated(state: PidState, settings: PidSettings, dt_s: number): number {
  if (settings.ki === 0 || !(dt_s >= shortest_s)) return withinIntegrator(state.i, settings);
  const led = state.excess * Math.min(1, dt_s / trackingTime(settings));
  return withinIntegrator(state.i + settings.ki * state.error * dt_s + led, settings);
}

/** Seconds; 0 for an integral alone, which is corrected at once. */
function trackingTime({ kp, ki, kd }: PidSettings): number {
  return kd > 0 && kp > 0 ? Math.sqrt(kd / ki) : kp / ki;
}

/** Idle begins when the error vanishes or changes its sign, and ends outside the band. */
function isWithinBand(state: PidState, band: number, error: number): boolean {
  if (band <= 0 || Math.abs(error) > band) return false;
  return state.is_idle || error === 0 || error * state.error < 0;
}

function withinIntegrator(i: number, { integrator_min, integrator_max }: PidSettings): number {
  return within(i, { low: integrator_min ?? -Infinity, high: integrator_max ?? Infinity });
}

function within(value: number, { low, high }: ControlLimits): number {
  return Math.min(Math.max(value, low), high);
}
