import { z } from 'zod';
import { type Pid, pidStates } from '../../../contract/pid.ts';
import { controlLimits, demandOf, type Demand } from '../../../domain/control/pid-demand.ts';
import { demandRanges, lawSettings } from '../../../domain/control/pid-settings.ts';
import { pidStep, restingPid, withControl, type PidTerms } from '../../../domain/control/pid.ts';

const law = z.object({
  i: z.number(),
  rate: z.number(),
  measurement: z.number().nullable(),
  error: z.number(),
  excess: z.number(),
  is_idle: z.boolean(),
});

const tuned = z
  .object({ setpoint: z.number(), method_id: z.string(), kp: z.number(), ki: z.number(), kd: z.number() })
  .partial();
/** Settings changed while it runs. */
type Tuned = z.infer<typeof tuned>;
type TunedSetting = keyof Tuned;

/** The part of a PID that outlives a restart. */
export const pidMemory = z.object({
  state: z.enum(pidStates),
  law,
  control: z.number(),
  tuned,
  /** Unit of the setpoint; absent from what older programs stored. */
  unit: z.string().nullable().optional(),
});
export type PidMemory = z.infer<typeof pidMemory>;

interface Moment {
  setpoint: number;
  measurement: number;
  /** Time since the last step, s. */
  dt_s: number;
  isFrozen: boolean;
}

/**
 * The law of one PID with its settings, those changed while it runs and its accumulated state. Knows no clock, no
 * device and no output. After any change the next step continues from the present control.
 */
export class PidLoop {
  #settings: Pid;
  #tuned: Tuned = {};
  #law = restingPid;
  #terms: PidTerms | null = null;
  /** The control that its outputs are to follow, also while it holds. */
  #control = 0;
  /** Whether the next step must continue from the present control. */
  #isToContinue = false;

  constructor(settings: Pid) {
    this.#settings = settings;
  }

  get settings(): Pid {
    return this.#settings;
  }

  get terms(): PidTerms | null {
    return this.#terms;
  }

  get control(): number {
    return this.#control;
  }

  /** It rests within the band of its setpoint. */
  get isIdle(): boolean {
    return this.#law.is_idle;
  }

  get integrator(): number {
    return this.#law.i;
  }

  /** From the settings, or as changed since; null when a method or a measurement sets it. */
  get setpoint(): number | null {
    return this.#tuned.setpoint ?? (this.method_id === null ? this.#settings.setpoint : null);
  }

  /** The method that it follows, from the settings or as changed since; null when it follows none. */
  get method_id(): string | null {
    return this.#tuned.setpoint === undefined ? (this.#tuned.method_id ?? this.#settings.method_id) : null;
  }

  get gains(): Pick<Pid, 'kp' | 'ki' | 'kd'> {
    const { kp, ki, kd } = this.#settings;
    const { kp: p = kp, ki: i = ki, kd: d = kd } = this.#tuned;
    return { kp: p, ki: i, kd: d };
  }

  recall({ law: known, control, tuned: changed }: Omit<PidMemory, 'state' | 'unit'>): void {
    this.#law = known;
    this.#control = control;
    this.#tuned = changed;
    this.#isToContinue = true;
  }

  remember(): Omit<PidMemory, 'state' | 'unit'> {
    return { law: this.#law, control: this.#control, tuned: this.#tuned };
  }

  /** A setting that names a new value ends the change made while it ran. */
  reconfigure(settings: Pid): void {
    const before = this.#settings;
    const isFollowing = settings.setpoint === before.setpoint && settings.method_id === before.method_id;
    const stays = Object.entries(this.#tuned).filter(([key]) => {
      const name = key as TunedSetting; // of that object
      return name === 'setpoint' || name === 'method_id' ? isFollowing : settings[name] === before[name];
    });
    this.#tuned = Object.fromEntries(stays);
    this.#settings = settings;
    this.#isToContinue = true;
  }

  /** A setpoint replaces a method, and a method a setpoint. */
  tune(change: Tuned): void {
    const { setpoint, method_id, ...gains } = this.#tuned;
    const follows = change.setpoint ?? change.method_id;
    const kept =
      follows === undefined
        ? { ...(setpoint !== undefined && { setpoint }), ...(method_id !== undefined && { method_id }) }
        : {};
    this.#tuned = { ...gains, ...kept, ...change };
    this.#isToContinue = true;
  }

  /** Moves control by the same amount. */
  setIntegrator(share: number): void {
    this.#law = { ...this.#law, i: share };
  }

  /** Sets the derivative's share until the measurement yields another; false when its gain is 0. */
  setDerivator(share: number): boolean {
    const { kd } = this.gains;
    if (kd === 0) return false;
    this.#law = { ...this.#law, rate: -share / kd };
    return true;
  }

  /** The next step continues from the present control of its outputs. */
  continue(): void {
    this.#isToContinue = true;
  }

  /** One step; returns the demand on its outputs. */
  step({ setpoint, measurement, dt_s, isFrozen }: Moment): Demand {
    const settings = lawSettings(this.#settings, this.gains);
    if (this.#isToContinue)
      this.#law = withControl(this.#law, settings, { setpoint, measurement, control: this.#control });
    const elapsed_s = this.#isToContinue ? 0 : dt_s;
    this.#isToContinue = false;
    const next = pidStep(this.#law, settings, { setpoint, measurement, dt_s: elapsed_s, is_frozen: isFrozen });
    this.#law = next.state;
    this.#terms = next.terms;
    this.#control = next.terms?.control ?? 0;
    return this.#demand();
  }

  /** Takes the measurement without changing control. */
  hold({ setpoint, measurement }: Pick<Moment, 'setpoint' | 'measurement'>): Demand {
    const { kp } = this.gains;
    const error = setpoint - measurement;
    this.#terms = { error, p: kp * error, i: this.#law.i, d: 0, control: this.#control };
    return this.#demand();
  }

  /** The range of control that its outputs can reach. */
  get limits(): { low: number; high: number } {
    return controlLimits(demandRanges(this.#settings));
  }

  /** Sets control regardless of the law, which afterwards continues from where it was. */
  force(control: number, { setpoint, measurement }: Pick<Moment, 'setpoint' | 'measurement'>): Demand {
    this.#terms = { error: setpoint - measurement, p: 0, i: this.#law.i, d: 0, control };
    this.#isToContinue = true;
    return demandOf(control, demandRanges(this.#settings));
  }

  /** There is no measurement: its outputs go safe, and its accumulated state stays. */
  miss(): void {
    const missing = { setpoint: 0, measurement: null, dt_s: 0 };
    this.#law = pidStep(this.#law, lawSettings(this.#settings, this.gains), missing).state;
    this.#terms = null;
  }

  #demand(): Demand {
    return demandOf(this.#control, demandRanges(this.#settings));
  }
}
