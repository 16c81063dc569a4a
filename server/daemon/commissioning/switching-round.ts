import type { Facility } from '../../contract/facility.ts';
import { actuatorTests, faintness } from '../../domain/commissioning/actuator-test.ts';
import { crossingOf, houseLimits, keptLimits, type Crossing, type Limit } from '../../domain/commissioning/limit.ts';
import { needsLonger, type RoundCase, type RoundJudgement } from '../../domain/commissioning/round-judgement.ts';
import type { Series } from '../../domain/commissioning/series.ts';
import {
  codeLength,
  promptPhase_s,
  promptPhases,
  isOnInPhase,
  isOnOnce,
  phaseLength_s,
  slowestPeriod_s,
} from '../../domain/commissioning/switching.ts';
import type { ActuatorTrial, SwitchingPlan } from './actuator-trial.ts';

export interface RoundHost {
  series: () => readonly Series[];
  /** Measurements that did not fit their neighbours. */
  doubted: () => ReadonlySet<string>;
  now_s: () => number;
  facility: Facility;
  /** All trials of the check: what was switched in earlier rounds moves the readings that are judged. */
  switched: readonly ActuatorTrial[];
  /** What earlier rounds said against going off again, by the name of the actuator. */
  suspicions: ReadonlyMap<string, number>;
  /** When the check began, elapsed s. */
  begun_s: number;
}

/** A long round: on for as long as the slowest may take, off and on again for half of it. */
const longPhases = 4;
/** On for so long at least in a long round, s. */
const shortestLong_s = 160;
/** Own time constants that are tried in a long round, s. */
const patience_s = [0, 60, 180, 400];

/** Actuators that are switched at the same time, each by a code of its own, and judged together. */
export class SwitchingRound {
  readonly trials: readonly ActuatorTrial[];
  readonly isLong: boolean;
  readonly #host: RoundHost;
  readonly #from_s: number;
  readonly #to_s: number;
  readonly #limits: readonly Limit[];
  readonly #isPrompt: boolean;
  #isResting = false;

  constructor(trials: readonly ActuatorTrial[], isLong: boolean, host: RoundHost) {
    this.trials = trials.toSorted((one, other) => faintness(one.binding.role) - faintness(other.binding.role));
    this.isLong = isLong;
    this.#host = host;
    this.#from_s = host.now_s();
    const period_s = slowestOf(trials, host.series());
    this.#isPrompt = !isLong && isLonePrompt(trials);
    const phase_s = isLong ? longPhase_s(trials) : this.#isPrompt ? promptPhase_s(period_s) : phaseLength_s(period_s);
    this.#to_s = this.#from_s + phase_s * (isLong ? longPhases : this.#isPrompt ? promptPhases : codeLength);
    this.#limits = keptLimits(houseLimits, host.series());
    for (const [code, trial] of this.trials.entries()) {
      trial.begin(({ rest_s }) => this.#planOf(code, { phase_s, rest_s }));
    }
  }

  get isOver(): boolean {
    return this.#isResting && this.trials.every(({ isRested }) => isRested);
  }

  /** A limit of the house that was crossed since it began, null while all are kept. */
  crossing(): Crossing | null {
    return crossingOf(this.#limits, this.#host.series());
  }

  /** Switches what is due; at the end brings everything back. */
  tick(): void {
    const isPast = this.#host.now_s() >= this.#to_s || this.trials.every(({ isDone }) => isDone);
    if (isPast && !this.#isResting) {
      this.#isResting = true;
      for (const trial of this.trials) trial.rest();
    }
    for (const trial of this.trials) trial.tick();
  }

  /** What was switched and read in it and before it, to be judged. */
  get asCase(): RoundCase {
    const { series, doubted, facility, switched, suspicions, begun_s } = this.#host;
    return {
      facility,
      suspicions,
      doubted: doubted(),
      bindings: switched.map(({ binding }) => binding),
      switched: new Map(switched.map(({ binding, switches }) => [binding.name, switches])),
      series: series(),
      from_s: this.#from_s,
      span: { from_s: begun_s, to_s: this.#host.now_s() },
      patience: new Map(this.isLong ? this.trials.map(({ binding }) => [binding.name, patience_s]) : []),
    };
  }

  /** Takes what was found; returns those that should be tried with more patience. */
  conclude({ judgements }: RoundJudgement): ActuatorTrial[] {
    const again: ActuatorTrial[] = [];
    for (const trial of this.trials.filter(({ isDone }) => !isDone)) {
      const found = judgements.get(trial.binding.name);
      if (found === undefined) trial.concludeUndriven();
      else if (!this.isLong && needsLonger(found, trial.binding.role, trial.longestOn_s)) again.push(trial);
      else trial.conclude(found);
    }
    return again;
  }

  #planOf(code: number, { phase_s, rest_s }: { phase_s: number; rest_s: number }): SwitchingPlan {
    const base = { from_s: this.#from_s, phase_s };
    if (this.#isPrompt) return { ...base, isOn: (phase) => phase % 2 === 1 };
    if (this.isLong) return { ...base, isOn: (phase) => phase < 2 || phase === 3 };
    return { ...base, isOn: (phase) => (rest_s > phase_s ? isOnOnce(phase) : isOnInPhase(code, phase)) };
  }
}

/** What answers at once and is alone needs no code to be told from others. */
function isLonePrompt(trials: readonly ActuatorTrial[]): boolean {
  const [first] = trials;
  return trials.length === 1 && first?.binding.role === 'lighting' && first.rest_s === 0;
}

function longPhase_s(trials: readonly ActuatorTrial[]): number {
  return Math.max(shortestLong_s, ...trials.map(({ binding }) => actuatorTests[binding.role].answersWithin_s)) / 2;
}

/** The longest period among the fastest sensors that see each of them. */
function slowestOf(trials: readonly ActuatorTrial[], all: readonly Series[]): number {
  const periods = trials.map(({ binding }) => {
    const seeing = all.filter(
      ({ quantity, period_s }) =>
        quantity !== null && period_s <= slowestPeriod_s && actuatorTests[binding.role].affects.includes(quantity),
    );
    return Math.min(slowestPeriod_s, ...seeing.map(({ period_s }) => period_s));
  });
  return Math.max(0, ...periods.filter((one) => one < slowestPeriod_s));
}
