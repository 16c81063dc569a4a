import type { Finding } from '../../contract/commissioning-finding.ts';
import type { CheckItem, CommissioningCheck } from '../../contract/commissioning.ts';
import type { ActuatorBinding, Facility } from '../../contract/facility.ts';
import type { Input } from '../../contract/input.ts';
import type { MeasuredDevice } from '../../contract/measured.ts';
import type { UnderTest } from '../../db/repositories/commissioning.ts';
import { exchangeRoles } from '../../contract/facility-binding.ts';
import { transmittanceOf } from '../../domain/commissioning/expected-effect.ts';
import type { Limit } from '../../domain/commissioning/limit.ts';
import type { Rest } from '../../domain/commissioning/sensor-balance.ts';
import { summarise } from '../../domain/commissioning/summary.ts';
import type { Clock } from '../clock.ts';
import type { Outputs } from '../controllers/output/outputs.ts';
import { Grid } from '../grid.ts';
import type { LiveValues } from '../events/live-values.ts';
import { ActuatorTrial } from './actuator-trial.ts';
import { Conditioning, conditionerLimits } from './conditioning.ts';
import { Disturbance } from './disturbance.ts';
import type { RoundJudge } from './round-judge.ts';
import { oneByOne, together, type QueuedRound } from './round-queue.ts';
import {
  boundItems,
  faultyBefore,
  isConditioner,
  mayStandOpen,
  spareBlownAway,
  witnessesFor,
  type BoundItem,
} from './retest-help.ts';
import { Sampler } from './sampler.ts';
import { SensorWatch } from './sensor-watch.ts';
import { SwitchingRound } from './switching-round.ts';
import { left_s } from './time-left.ts';

const tickMs = 1_000;

export interface RunOptions {
  check: CommissioningCheck;
  facility: Facility;
  /** What sensors may be bound to. */
  measured: readonly MeasuredDevice[];
  /** What a wrong wire might also move. */
  inputs: readonly Input[];
  outputs: Outputs;
  live: LiveValues;
  clock: Clock;
  judge: RoundJudge;
  /** A retest tries pending items by themselves, while actuators keep the house different from outdoors. */
  isRetest: boolean;
  /** Whether the house still exists. */
  isStanding: () => boolean;
  /** Stores the check and what it drives; false when that failed. */
  keep: (underTest: readonly UnderTest[]) => Promise<boolean>;
  /** Called at each change, with null when the check itself changed. */
  changed: (item: CheckItem | null) => void;
  /** Called when all items have a result. */
  tested: () => void;
  /** Called when it cannot go on. */
  stopped: (cause: Finding) => void;
  log: (line: string) => void;
}

/** About how long a house stays warm from its machines, s. */
const rest_s = 3600;
/** The expected end is announced again once it is off by more than this. */
const endTurnsMs = 5_000;

/**
 * The running part of a check: sensors are watched for a while, then actuators are switched together, round by round;
 * those that may only be slow are switched once more for longer. A retest tries pending items one by one, in a house
 * that was made to differ from outdoors.
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
  readonly #waiting: QueuedRound[];
  readonly #conditioning: Conditioning;
  readonly #witnesses: readonly ActuatorTrial[];
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
    this.#roundBegun_s = this.#begun_s;
    this.#sampler = new Sampler(options);
    const sensors = check.items.filter(({ kind }) => kind === 'sensor');
    const pending = check.items.filter(({ result }) => result === 'pending');
    const rest = (): Rest => ({ ...this.#disturbance.rest(rest_s), transmittance: transmittanceOf(facility) });
    const isTried = (item: CheckItem): boolean => pending.includes(item);
    this.#watch = new SensorWatch(sensors, { sampler: this.#sampler, clock, rest, isTried });
    const isOurs = (binding: ActuatorBinding): boolean =>
      this.#moved.some((trial) => trial.binding === binding && trial.switches.length > 0);
    this.#disturbance = new Disturbance(facility.actuators, { outputs, clock, isOurs });
    const isPending = ({ kind, result }: CheckItem): boolean => kind === 'actuator' && result === 'pending';
    this.#trials = boundItems(check, facility, isPending).map((one) => this.#newTrial(one));
    this.#witnesses = options.isRetest ? this.#newWitnesses(pending) : [];
    const tried = [...this.#trials, ...this.#witnesses];
    this.#waiting = options.isRetest ? oneByOne(tried) : together(tried);
    const isAired = options.isRetest && tried.some(({ binding }) => exchangeRoles.has(binding.role));
    this.#conditioning = new Conditioning(clock, isAired ? this.#newConditioners() : [], ({ binding }) =>
      this.#trials.every((one) => one.binding !== binding || one.isDone),
    );
    this.#grid = new Grid({ clock, periodMs: tickMs, tick: async () => this.#tick() });
  }

  start(): void {
    this.#grid.start();
  }

  /** Until all that is planned is tested, s. */
  get left_s(): number {
    const waiting = [...this.#patient.map(patiently), ...this.#waiting];
    const watching_s = this.#options.check.phase === 'sensors' ? this.#watch.left_s : 0;
    const series = this.#sampler.series;
    return left_s({ watching_s, round: this.#round, waiting, conditioning: this.#conditioning, series });
  }

  /** Ends it and brings back what it drove; resolves when that succeeded or failed. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#ended.abort();
    void this.#grid.stop();
    await Promise.all(this.#moved.map((trial) => trial.abort()));
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
    this.#foresee();
    this.#tellChanges();
  }

  /** Announces when all will be tested, and again when that changes. */
  #foresee(): void {
    if (this.#isOver) return;
    const { check, clock } = this.#options;
    const endMs = clock.now() + 1000 * this.left_s;
    if (Math.abs(endMs - Date.parse(check.expected_end_at ?? '')) <= endTurnsMs) return;
    check.expected_end_at = new Date(endMs).toISOString();
    this.#options.changed(null);
  }

  #watchSensors(): void {
    this.#watch.show();
    if (!this.#watch.isOver) return;
    this.#watch.judgePlausibility();
    this.#options.check.phase = 'actuators';
    this.#conditioning.start();
    this.#options.changed(null);
  }

  #tryActuators(): void {
    this.#conditioning.tick();
    if (this.#isJudging) return;
    this.#round ??= this.#nextRound();
    if (this.#round === undefined) return this.#waiting.length === 0 ? this.#restored() : undefined;
    this.#round.tick();
    if (this.#round.isOver) void this.#judge(this.#round);
  }

  /** By now everything is back in its former state. A round that cannot be judged is not skipped: the check ends. */
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
      this.#conditioning.wait();
    } catch (error) {
      if (this.#isOver) return;
      log(`commissioning could not judge a round: ${String(error)}`);
      stopped({ code: 'not_judged' });
    } finally {
      this.#isJudging = false;
    }
  }

  /** undefined while waiting for a difference to outdoors, and when everything is tried. */
  #nextRound(): SwitchingRound | undefined {
    const next = this.#nextInQueue();
    if (next === undefined) return undefined;
    const { clock, isRetest } = this.#options;
    this.#roundBegun_s = clock.elapsed() / 1000;
    return new SwitchingRound(next.trials, next.kind, {
      facility: this.#facility,
      begun_s: this.#begun_s,
      series: () => this.#sampler.series,
      doubted: () => new Set([...this.#watch.doubted, ...faultyBefore(this.#options.check)]),
      now_s: () => clock.elapsed() / 1000,
      switched: this.#moved,
      suspicions: this.#suspicions,
      isRetest,
    });
  }

  /** Long rounds come last, or in a retest while the difference to outdoors is still there. */
  #nextInQueue(): QueuedRound | undefined {
    const [first] = this.#waiting;
    const isPatientNow = this.#patient.length > 0 && (first === undefined || this.#options.isRetest);
    const patient = isPatientNow ? this.#patient.shift() : undefined;
    if (patient !== undefined) return patiently(patient);
    return first?.kind === 'alone' && !this.#conditioning.isReady ? undefined : this.#waiting.shift();
  }

  /** All that is driven: the actuators tried, and those driven to try them. */
  get #moved(): readonly ActuatorTrial[] {
    return [...this.#trials, ...this.#witnesses, ...this.#conditioning.trials];
  }

  #newConditioners(): ActuatorTrial[] {
    const isKept = (): boolean => this.#round?.kind === 'alone' || this.#round?.kind === 'long';
    return boundItems(this.#options.check, this.#facility, isConditioner).map(({ item, binding }) =>
      this.#newTrial({ item: structuredClone(item), binding }, (isOn) =>
        conditionerLimits(binding.role, { isOn, isKept: isKept() }, this.#sampler.series),
      ),
    );
  }

  #newWitnesses(pending: readonly CheckItem[]): ActuatorTrial[] {
    return witnessesFor(pending, this.#options.check, this.#facility).map(({ item, binding }) =>
      this.#newTrial({ item: structuredClone(item), binding }),
    );
  }

  #restored(): void {
    this.#conditioning.rest();
    if (this.#conditioning.isRested) this.#tested();
  }

  #tested(): void {
    if (this.#options.isRetest) spareBlownAway(this.#trials, mayStandOpen(this.#options.check));
    this.#watch.judge(this.#trials);
    this.#tellChanges();
    this.#isOver = true;
    void this.#grid.stop();
    this.#options.tested();
  }

  #newTrial({ item, binding }: BoundItem, limits?: (isOn: boolean) => readonly Limit[]): ActuatorTrial {
    const { check, clock, outputs, log } = this.#options;
    return new ActuatorTrial(item, binding, {
      clock,
      outputs,
      log,
      actor: check.started_by,
      series: () => this.#sampler.series,
      ...(limits && { limits }),
      keep: (under, isDriven) => this.#keep(under, isDriven),
      disturber: () => this.#disturbance.disturber(binding, this.#roundBegun_s),
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

const patiently = (trial: ActuatorTrial): QueuedRound => ({ kind: 'long', trials: [trial] });

/** The facility with a unique name for each actuator. */
function withOwnNames(facility: Facility): Facility {
  const actuators = facility.actuators.map((binding, index) => {
    const isRepeated = facility.actuators.findIndex(({ name }) => name === binding.name) < index;
    return isRepeated ? { ...binding, name: `${binding.name} (${index + 1})` } : binding;
  });
  return { ...facility, actuators };
}
