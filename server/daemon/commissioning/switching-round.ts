import type { Facility } from '../../contract/facility.ts';
import { actuatorTests, faintness } from '../../domain/commissioning/actuator-test.ts';
import { crossingOf, houseLimits, keptLimits, type Crossing, type Limit } from '../../domain/commissioning/limit.ts';
import { needsLonger, type RoundCase, type RoundJudgement } from '../../domain/commissioning/round-judgement.ts';
import type { Series } from '../../domain/commissioning/series.ts';
import { isOnOnce, slowestPeriod_s, type Switch } from '../../domain/commissioning/switching.ts';
import type { ActuatorTrial } from './actuator-trial.ts';
import { roundPlans, type RoundKind } from './round-plan.ts';
import type { QueuedRound } from './round-queue.ts';

export interface RoundHost {
  series: () => readonly Series[];
  /** Measurements that did not agree with their neighbours. */
  doubted: () => ReadonlySet<string>;
  now_s: () => number;
  facility: Facility;
  /** All trials of the check: the switching of earlier rounds still moves the readings that are judged. */
  switched: readonly ActuatorTrial[];
  /** The strongest evidence of earlier rounds against an actuator's switching off again, by its name; at most 0. */
  suspicions: ReadonlyMap<string, number>;
  /** When the check began, elapsed s. */
  begun_s: number;
  /** In a retest a long round is judged by itself. */
  isRetest: boolean;
}

/** How much of the time before a round counts when it is judged by itself, s. */
const lead_s = 45;
/** Response times that are tried in a long round, s. */
const patience_s = [0, 60, 180, 400];

/** Actuators that are switched at the same time, each with its own code, and judged together. */
export class SwitchingRound {
  readonly trials: readonly ActuatorTrial[];
  readonly kind: RoundKind;
  readonly #host: RoundHost;
  readonly #from_s: number;
  readonly #to_s: number;
  readonly #limits: readonly Limit[];
  #isResting = false;

  constructor(trials: readonly ActuatorTrial[], kind: RoundKind, host: RoundHost) {
    this.trials = trials.toSorted((one, other) => faintness(one.binding.role) - faintness(other.binding.role));
    this.kind = plannedKind({ trials, kind });
    this.#host = host;
    this.#from_s = host.now_s();
    const phase_s = phaseOf_s({ trials, kind }, host.series());
    this.#to_s = this.#from_s + phase_s * roundPlans[this.kind].phases;
    this.#limits = keptLimits(houseLimits, host.series());
    for (const [index, trial] of this.trials.entries()) trial.begin((one) => this.#planOf(one, { index, phase_s }));
  }

  get isOver(): boolean {
    return this.#isResting && this.trials.every(({ isRested }) => isRested);
  }

  /** Until its devices are restored, s. */
  get left_s(): number {
    return Math.max(0, this.#to_s - this.#host.now_s());
  }

  /** A limit of the house that was crossed since the round began; null while all are met. */
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

  /** What was switched and read during the round and before, to be judged. */
  get asCase(): RoundCase {
    const { series, doubted, facility, switched, suspicions, begun_s } = this.#host;
    return {
      facility,
      suspicions,
      doubted: doubted(),
      bindings: [...new Set(switched.map(({ binding }) => binding))],
      switched: switchesOf(switched),
      series: series(),
      from_s: this.#from_s,
      span: { from_s: this.#isByItself ? Math.max(begun_s, this.#from_s - lead_s) : begun_s, to_s: this.#host.now_s() },
      patience: new Map(this.kind === 'long' ? this.trials.map(({ binding }) => [binding.name, patience_s]) : []),
    };
  }

  /** Takes the findings; returns the trials to repeat in a long round. */
  conclude({ judgements }: RoundJudgement): ActuatorTrial[] {
    const again: ActuatorTrial[] = [];
    for (const trial of this.trials.filter(({ isDone }) => !isDone)) {
      const found = judgements.get(trial.binding.name);
      if (found === undefined) trial.concludeUndriven();
      else if (this.kind !== 'long' && needsLonger(found, trial.binding.role, trial.longestOn_s)) again.push(trial);
      else trial.conclude(found);
    }
    return again;
  }

  /** Whether earlier readings do not count, because the house has been brought to another state since. */
  get #isByItself(): boolean {
    return this.kind === 'alone' || (this.kind === 'long' && this.#host.isRetest);
  }

  #planOf({ rest_s, binding: { role } }: ActuatorTrial, { index, phase_s }: { index: number; phase_s: number }) {
    const { phases, isOn, drive_pct } = roundPlans[this.kind];
    const mayTurnOnce = this.kind !== 'long' && rest_s > phase_s;
    return {
      from_s: this.#from_s,
      phase_s,
      drive_pct,
      isOn: (phase: number) => (mayTurnOnce ? isOnOnce(phase, phases) : isOn(phase, { index, role })),
    };
  }
}

/** How long a waiting round will switch, s. */
export function roundLength_s(round: QueuedRound, series: readonly Series[]): number {
  return phaseOf_s(round, series) * roundPlans[plannedKind(round)].phases;
}

function phaseOf_s(round: QueuedRound, series: readonly Series[]): number {
  const roles = round.trials.map(({ binding }) => binding.role);
  return roundPlans[plannedKind(round)].phase_s(slowestOf(round.trials, series), roles);
}

function plannedKind({ trials, kind }: QueuedRound): RoundKind {
  return kind !== 'long' && isLonePrompt(trials) ? 'prompt' : kind;
}

/** The switches of each actuator; one that was tried and also used to condition the house has both. */
function switchesOf(trials: readonly ActuatorTrial[]): Map<string, readonly Switch[]> {
  const byName = Map.groupBy(trials, ({ binding }) => binding.name);
  return new Map([...byName].map(([name, own]) => [name, merged(own.map(({ switches }) => switches))]));
}

function merged([first = [], ...later]: readonly (readonly Switch[])[]): readonly Switch[] {
  const after = later.flat().filter(({ time_s }) => first.length === 0 || Number.isFinite(time_s));
  return [...first, ...after].toSorted((one, other) => one.time_s - other.time_s);
}

/** An actuator that reacts at once and is alone needs no code. */
function isLonePrompt(trials: readonly ActuatorTrial[]): boolean {
  const [first] = trials;
  return trials.length === 1 && first?.binding.role === 'lighting' && first.rest_s === 0;
}

/** The longest period among the fastest sensors that respond to each of them. */
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
