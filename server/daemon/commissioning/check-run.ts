import type { Finding } from '../../contract/commissioning-finding.ts';
import type { CheckItem, CommissioningCheck } from '../../contract/commissioning.ts';
import type { ActuatorBinding, Facility } from '../../contract/facility.ts';
import type { Input } from '../../contract/input.ts';
import type { MeasuredDevice } from '../../contract/measured.ts';
import type { UnderTest } from '../../db/repositories/commissioning.ts';
import { transmittanceOf } from '../../domain/commissioning/expected-effect.ts';
import type { Rest } from '../../domain/commissioning/sensor-balance.ts';
import { summarise } from '../../domain/commissioning/summary.ts';
import type { Clock } from '../clock.ts';
import type { Outputs } from '../controllers/output/outputs.ts';
import { Grid } from '../grid.ts';
import type { LiveValues } from '../events/live-values.ts';
import { ActuatorTrial } from './actuator-trial.ts';
import { Disturbance } from './disturbance.ts';
import type { RoundJudge } from './round-judge.ts';
import { Sampler } from './sampler.ts';
import { SensorWatch } from './sensor-watch.ts';
import { SwitchingRound } from './switching-round.ts';

const tickMs = 1_000;

export interface RunOptions {
  check: CommissioningCheck;
  facility: Facility;
  /** What sensors may be bound to. */
  measured: readonly MeasuredDevice[];
  /** What a wrong wire might move too. */
  inputs: readonly Input[];
  outputs: Outputs;
  live: LiveValues;
  clock: Clock;
  judge: RoundJudge;
  /** Whether the house still stands. */
  isStanding: () => boolean;
  /** Keeps the check and what it drives on disk; false where that failed. */
  keep: (underTest: readonly UnderTest[]) => Promise<boolean>;
  /** Told of each change; without an item it is the check's own. */
  changed: (item: CheckItem | null) => void;
  /** All items have a result. */
  tested: () => void;
  /** It cannot go on. */
  stopped: (cause: Finding) => void;
  log: (line: string) => void;
}

/** Actuators that are switched in one round: what sensors every 15 s can tell apart in a code. */
const mostInRound = 9;
/** A house keeps the warmth of its machines for about so long, s. */
const rest_s = 3600;

/**
 * The running part of a check: sensors are watched for a while, then actuators are switched together, round by round; those that may only
 * be slow once more with patience.
 */
export class CheckRun {
  readonly #options: RunOptions;
  readonly #sampler: Sampler;
  readonly #watch: SensorWatch;
  readonly #trials: readonly ActuatorTrial[];
  readonly #disturbance: Disturbance;
  readonly #grid: Grid;
  readonly #underTest = new Map<string, UnderTest>();
  readonly #told = new Map<CheckItem, string>();
  readonly #facility: Facility;
  readonly #ended = new AbortController();
  readonly #begun_s: number;
  readonly #waiting: ActuatorTrial[];
  readonly #patient: ActuatorTrial[] = [];
  readonly #suspicions = new Map<string, number>();
  #round: SwitchingRound | undefined;
  #roundBegun_s = 0;
  #isJudging = false;
  #isOver = false;

  constructor(options: RunOptions) {
    this.#options = options;
    const { check, clock, outputs } = options;
    const facility = withOwnNames(options.facility);
    this.#facility = facility;
    this.#begun_s = clock.elapsed() / 1000;
    this.#sampler = new Sampler(options);
    const sensors = check.items.filter(({ kind }) => kind === 'sensor');
    const rest = (): Rest => ({ ...this.#disturbance.rest(rest_s), transmittance: transmittanceOf(facility) });
    this.#watch = new SensorWatch(sensors, { sampler: this.#sampler, clock, rest });
    const isOurs = (binding: ActuatorBinding): boolean =>
      this.#trials.some((trial) => trial.binding === binding && trial.switches.length > 0);
    this.#disturbance = new Disturbance(facility.actuators, { outputs, clock, isOurs });
    this.#trials = check.items
      .filter(({ kind }) => kind === 'actuator')
      .flatMap((item) => {
        const binding = facility.actuators.find((one) => one.device_id === item.device_id && isChannelOf(one, item));
        return binding === undefined ? [] : [this.#newTrial(item, binding, facility)];
      });
    this.#waiting = byTurns(this.#trials);
    this.#grid = new Grid({ clock, periodMs: tickMs, tick: async () => this.#tick() });
  }

  start(): void {
    this.#grid.start();
  }

  /** Ends it and brings back what it drove; resolves when that was done or could not be. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#ended.abort();
    void this.#grid.stop();
    await Promise.all(this.#trials.map((trial) => trial.abort()));
    for (const { item } of this.#watch.watched)
      if (item.result === 'pending' || item.result === 'running') item.result = 'skipped';
  }

  #tick(): void {
    if (this.#isOver) return;
    const { isStanding, stopped } = this.#options;
    if (!isStanding()) return stopped({ code: 'facility_deleted' });
    if (this.#disturbance.isEmergency()) return stopped({ code: 'emergency_stop' });
    this.#sampler.sample();
    if (this.#options.check.phase === 'sensors') this.#watchSensors();
    else this.#tryActuators();
    this.#tellChanges();
  }

  #watchSensors(): void {
    this.#watch.show();
    if (!this.#watch.isOver) return;
    this.#watch.judgePlausibility();
    this.#options.check.phase = 'actuators';
    this.#options.changed(null);
  }

  #tryActuators(): void {
    if (this.#isJudging) return;
    this.#round ??= this.#nextRound();
    if (this.#round === undefined) return this.#tested();
    this.#round.tick();
    if (this.#round.isOver) void this.#judge(this.#round);
  }

  /** Everything is back as it was meanwhile; what cannot be judged is not passed over: the check ends. */
  async #judge(round: SwitchingRound): Promise<void> {
    const { judge, log, stopped } = this.#options;
    this.#isJudging = true;
    try {
      const judged = await judge.judge(round.asCase, this.#ended.signal);
      if (this.#isOver) return;
      this.#patient.push(...round.conclude(judged));
      this.#watch.take(judged);
      for (const [name, evidence] of judged.turnings) {
        this.#suspicions.set(name, Math.min(evidence, this.#suspicions.get(name) ?? 0));
      }
      this.#round = undefined;
    } catch (error) {
      if (this.#isOver) return;
      log(`commissioning could not judge a round: ${String(error)}`);
      stopped({ code: 'not_judged' });
    } finally {
      this.#isJudging = false;
    }
  }

  #nextRound(): SwitchingRound | undefined {
    const isLong = this.#waiting.length === 0;
    const trials = isLong ? this.#patient.splice(0, 1) : this.#waiting.splice(0, mostInRound);
    if (trials.length === 0) return undefined;
    this.#roundBegun_s = this.#options.clock.elapsed() / 1000;
    return new SwitchingRound(trials, isLong, {
      facility: this.#facility,
      begun_s: this.#begun_s,
      series: () => this.#sampler.series,
      doubted: () => this.#watch.doubted,
      now_s: () => this.#options.clock.elapsed() / 1000,
      switched: this.#trials,
      suspicions: this.#suspicions,
    });
  }

  #tested(): void {
    this.#watch.judge(this.#trials);
    this.#tellChanges();
    this.#isOver = true;
    void this.#grid.stop();
    this.#options.tested();
  }

  #newTrial(item: CheckItem, binding: ActuatorBinding, facility: Facility): ActuatorTrial {
    const { check, clock, outputs, log } = this.#options;
    // Bound by its own name, so that two of one name can be told apart.
    const own = facility.actuators.find((one) => one === binding) ?? binding;
    return new ActuatorTrial(item, own, {
      clock,
      outputs,
      log,
      actor: check.started_by,
      series: () => this.#sampler.series,
      keep: (under, isDriven) => this.#keep(under, isDriven),
      disturber: () => this.#disturbance.disturber(own, this.#roundBegun_s),
      crossing: () => this.#round?.crossing() ?? null,
    });
  }

  async #keep(under: UnderTest, isDriven: boolean): Promise<boolean> {
    const key = `${under.output_id}/${under.channel}`;
    if (isDriven) this.#underTest.set(key, under);
    else this.#underTest.delete(key);
    return this.#options.keep([...this.#underTest.values()]);
  }

  #tellChanges(): void {
    const { check, changed } = this.#options;
    for (const item of check.items) {
      const now = `${item.result} ${item.message}`;
      if (this.#told.get(item) === now || (item.result === 'pending' && !this.#told.has(item))) continue;
      this.#told.set(item, now);
      check.summary = summarise(check.items);
      check.progress.done = check.items.filter(({ result }) => result !== 'pending' && result !== 'running').length;
      changed(item);
    }
  }
}

function isChannelOf(binding: ActuatorBinding, item: CheckItem): boolean {
  return binding.role === item.role && (binding.channel === undefined || binding.channel === item.channel);
}

/** Those of one role one after the other, so that a round has as few of a role as there can be. */
function byTurns(trials: readonly ActuatorTrial[]): ActuatorTrial[] {
  const turnOf = (trial: ActuatorTrial): number =>
    trials.filter(({ binding }) => binding.role === trial.binding.role).indexOf(trial);
  return trials.toSorted((one, other) => turnOf(one) - turnOf(other));
}

/** The facility with a name of its own for each actuator. */
function withOwnNames(facility: Facility): Facility {
  const actuators = facility.actuators.map((binding, index) => {
    const isRepeated = facility.actuators.findIndex(({ name }) => name === binding.name) < index;
    return isRepeated ? { ...binding, name: `${binding.name} (${index + 1})` } : binding;
  });
  return { ...facility, actuators };
}
