import type { Finding } from '../../contract/commissioning-finding.ts';
import type { CheckItem, CommissioningCheck } from '../../contract/commissioning.ts';
import type { ActuatorBinding, Facility } from '../../contract/facility.ts';
import type { Input } from '../../contract/input.ts';
import type { UnderTest } from '../../db/repositories/commissioning.ts';
import type { Swapped } from '../../domain/commissioning/actuator-judgement.ts';
import { media, type Medium } from '../../domain/commissioning/actuator-test.ts';
import { summarise } from '../../domain/commissioning/summary.ts';
import type { Clock } from '../clock.ts';
import type { Outputs } from '../controllers/outputs.ts';
import { Grid } from '../grid.ts';
import type { LiveValues } from '../live-values.ts';
import { ActuatorTrial } from './actuator-trial.ts';
import { Disturbance } from './disturbance.ts';
import { Sampler } from './sampler.ts';
import { SensorWatch } from './sensor-watch.ts';

const TICK_MS = 1_000;
/** Least time between two commands of the check, s. */
const apart_s = 10;

export interface RunOptions {
  check: CommissioningCheck;
  facility: Facility;
  inputs: readonly Input[];
  outputs: Outputs;
  live: LiveValues;
  clock: Clock;
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

/**
 * The running part of a check: sensors are watched for a while, then actuators are tried, those of one medium one after the other, the
 * media side by side.
 */
export class CheckRun {
  readonly #options: RunOptions;
  readonly #sampler: Sampler;
  readonly #watch: SensorWatch;
  /** In the order in which they are tried. */
  #trials: readonly ActuatorTrial[];
  readonly #disturbance: Disturbance;
  readonly #grid: Grid;
  readonly #underTest = new Map<string, UnderTest>();
  readonly #told = new Map<CheckItem, string>();
  #swapped: Swapped[] = [];
  #isOver = false;

  constructor(options: RunOptions) {
    this.#options = options;
    const { check, facility, clock, outputs } = options;
    this.#sampler = new Sampler(options);
    const sensors = check.items.filter(({ kind }) => kind === 'sensor');
    this.#watch = new SensorWatch(sensors, this.#sampler.sensors, clock);
    this.#disturbance = new Disturbance(facility.actuators, { outputs, clock });
    this.#trials = check.items
      .filter(({ kind }) => kind === 'actuator')
      .flatMap((item) => {
        const binding = facility.actuators.find((one) => one.device_id === item.device_id && isChannelOf(one, item));
        return binding === undefined ? [] : [this.#newTrial(item, binding)];
      });
    this.#grid = new Grid({ clock, periodMs: TICK_MS, tick: async () => this.#tick() });
  }

  start(): void {
    this.#grid.start();
  }

  /** Ends it and brings back what it drove; resolves when that was done or could not be. */
  async end(): Promise<void> {
    this.#isOver = true;
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
    for (const medium of media) this.#advance(medium);
    if (!this.#trials.every(({ isDone }) => isDone)) return;
    this.#watch.judge(this.#trials, this.#swapped);
    this.#tellChanges();
    this.#isOver = true;
    void this.#grid.stop();
    this.#options.tested();
  }

  /** The next of a medium begins in the tick after the one before it is back in its former state. */
  #advance(medium: Medium): void {
    this.#trials.find((trial) => trial.medium === medium && !trial.isDone)?.tick();
  }

  #newTrial(item: CheckItem, binding: ActuatorBinding): ActuatorTrial {
    const { facility, check, clock, outputs, log } = this.#options;
    const trial: ActuatorTrial = new ActuatorTrial(item, binding, {
      ...{ clock, outputs, log, actor: check.started_by },
      series: () => this.#sampler.series,
      others: facility.actuators.filter((other) => other !== binding),
      keep: (under, isDriven) => this.#keep(under, isDriven),
      released: (isAstray) => this.#disturbance.restored(isAstray ? media : [trial.medium]),
      quietSince_s: (medium) => this.#disturbance.quietSince_s(medium),
      isBusy: (medium) => this.#trials.some((other) => other.medium === medium && other.drivenAt_s !== null),
      disturber: (since_s) => this.#disturbance.disturber(binding, since_s),
      swapped: (pair) => this.#swap(pair),
      mayDrive: () => this.#mayDrive(trial),
      postpone: () => this.#postpone(trial),
    });
    return trial;
  }

  /**
   * Light and water answer at once, so that a wrong wire shows in the seconds after a command: nothing else is commanded or brought back
   * in those.
   */
  #mayDrive({ medium }: ActuatorTrial): boolean {
    const now_s = this.#options.clock.elapsed() / 1000;
    const others = media.filter((one) => one !== medium);
    return (
      this.#trials.every(({ drivenAt_s }) => now_s - (drivenAt_s ?? -Infinity) >= apart_s) &&
      !this.#trials.some((one) => one.drivenAt_s !== null && one.medium !== medium && one.medium !== 'air') &&
      others.every((one) => now_s - this.#disturbance.quietSince_s(one) >= apart_s)
    );
  }

  #postpone(trial: ActuatorTrial): boolean {
    const others = this.#trials.filter((other) => other !== trial);
    if (!others.some(({ medium, isDone }) => medium === trial.medium && !isDone)) return false;
    this.#trials = [...others, trial];
    return true;
  }

  #swap(pair: Swapped): void {
    this.#swapped = [...this.#swapped, pair];
    this.#sampler.swap(pair.bound, pair.answering);
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
