import type { ActuatorRole } from '../../contract/facility.ts';
import type { Limit } from '../../domain/commissioning/limit.ts';
import { lastOf } from '../../domain/commissioning/outdoor-level.ts';
import type { Series } from '../../domain/commissioning/series.ts';
import type { Clock } from '../clock.ts';
import type { ActuatorTrial } from './actuator-trial.ts';
import type { RoundKind } from './round-plan.ts';

/** One phase of a conditioner, s: it is on for at most eleven of them, in case this process hangs. */
const phase_s = 300;
/** How long the house takes to differ from outdoors at first, and again after a vent stood open, s. */
const charge_s = 180;
const recharge_s = 90;
/** Warmer than outdoors by `gap_k`, but warm enough to open vents in frost and not too hot for a crop, C. */
const gap_k = 8;
const least_c = 12;
const most_c = 32;
/** A humidity that outdoor air seldom reaches and that keeps leaves dry, %; a common enrichment, ppm. */
const moist_pct = 82;
const rich_ppm = 1500;
/** How far a quantity falls back before more is added. */
const back = { temp: 3, humidity: 10, co2: 300 } as const;

interface ConditionerState {
  isOn: boolean;
  /** A round by itself is being judged: if possible nothing else is switched meanwhile. */
  isKept: boolean;
}

/** The limits above which a conditioner is off. */
export function conditionerLimits(role: ActuatorRole, state: ConditionerState, all: readonly Series[]): Limit[] {
  const limit = (quantity: keyof typeof back, most: number): Limit => ({
    quantity,
    above: aboveOf(most, back[quantity], state),
  });
  switch (role) {
    case 'heater': {
      const outdoor_c = lastOf(all, 'outdoor_temp', 'C') ?? most_c;
      return [limit('temp', Math.min(most_c, Math.max(outdoor_c + gap_k, least_c)))];
    }
    case 'fogger':
      return [limit('humidity', moist_pct), { quantity: 'temp', below: 6 }];
    default:
      return [limit('co2', rich_ppm)];
  }
}

function aboveOf(most: number, span: number, { isOn, isKept }: ConditionerState): number {
  if (isKept) return isOn ? most + span : -Infinity;
  return isOn ? most : most - span / 2;
}

/** Warms, humidifies and enriches the house, so that an exchange with the air outdoors shows. */
export class Conditioning {
  readonly trials: readonly ActuatorTrial[];
  readonly #clock: Clock;
  readonly #begun = new Set<ActuatorTrial>();
  readonly #isFree: (trial: ActuatorTrial) => boolean;
  #isOn = false;
  #ready_s = 0;

  /** `isFree`: the device of a trial is no longer being tried itself. */
  constructor(clock: Clock, trials: readonly ActuatorTrial[], isFree: (trial: ActuatorTrial) => boolean) {
    this.#clock = clock;
    this.#isFree = isFree;
    this.trials = trials;
  }

  /** Whether the house has had time to differ from outdoors as far as it can. */
  get isReady(): boolean {
    return this.left_s <= 0;
  }

  /** Until it does, s; 0 where nothing makes a difference. */
  get left_s(): number {
    return this.trials.length === 0 ? 0 : Math.max(0, this.#ready_s - this.#now_s);
  }

  /** How long is waited before a round to come, s. */
  pauseBefore_s(kind: RoundKind): number {
    return this.trials.length === 0 || kind !== 'alone' ? 0 : recharge_s;
  }

  get isRested(): boolean {
    return [...this.#begun].every(({ isRested }) => isRested);
  }

  start(): void {
    this.#ready_s = this.#now_s + charge_s;
    this.#isOn = true;
  }

  tick(): void {
    for (const trial of this.trials) {
      const isDue = this.#isOn && !this.#begun.has(trial) && this.#isFree(trial);
      if (isDue) this.#begin(trial);
      trial.tick();
    }
  }

  /** Between two rounds lets the difference come back and what was switched for it take effect. */
  wait(): void {
    this.#ready_s = Math.max(this.#ready_s, this.#now_s + recharge_s);
  }

  rest(): void {
    this.#isOn = false;
    for (const trial of this.trials) trial.rest();
  }

  #begin(trial: ActuatorTrial): void {
    this.#begun.add(trial);
    const from_s = this.#now_s;
    trial.begin(() => ({ from_s, phase_s, isOn: () => true }));
  }

  get #now_s(): number {
    return this.#clock.elapsed() / 1000;
  }
}
