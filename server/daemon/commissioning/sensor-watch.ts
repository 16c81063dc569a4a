import type { Finding } from '../../contract/commissioning-finding.ts';
import type { CheckItem, ItemCheck } from '../../contract/commissioning.ts';
import type { Swapped } from '../../domain/commissioning/actuator-judgement.ts';
import { fitBaseline, mean } from '../../domain/commissioning/baseline.ts';
import { messageOf } from '../../domain/commissioning/finding.ts';
import { plausibilityChecks } from '../../domain/commissioning/sensor-checks.ts';
import { judgeSensor } from '../../domain/commissioning/sensor-judgement.ts';
import type { Series } from '../../domain/commissioning/series.ts';
import type { Clock } from '../clock.ts';
import type { ActuatorTrial } from './actuator-trial.ts';
import type { WatchedSensor } from './sampler.ts';
import { evidenceOf } from './trial-evidence.ts';

/** So many readings of the slowest sensor, but at least and at most so long, s. */
const readings = 12;
const shortest_s = 20;
const longest_s = 180;

interface Watched {
  item: CheckItem;
  sensor: WatchedSensor;
}

/** The sensors of a check: watched while nothing is driven, judged at its end. */
export class SensorWatch {
  readonly watched: readonly Watched[];
  readonly #clock: Clock;
  readonly #begun_s: number;
  readonly #length_s: number;
  readonly #plausibility = new Map<CheckItem, ItemCheck[]>();

  constructor(items: readonly CheckItem[], sensors: readonly WatchedSensor[], clock: Clock) {
    this.watched = items.flatMap((item) => {
      const sensor = sensors.find(
        ({ binding }) => binding.measurement_id === item.measurement_id && binding.role === item.role,
      );
      return sensor === undefined ? [] : [{ item, sensor }];
    });
    this.#clock = clock;
    this.#begun_s = clock.elapsed() / 1000;
    const slowest_s = Math.max(0, ...this.watched.map(({ sensor }) => sensor.period_s));
    const isNone = this.watched.length === 0;
    this.#length_s = isNone ? 0 : Math.min(longest_s, Math.max(shortest_s, readings * slowest_s));
  }

  get isOver(): boolean {
    return this.#clock.elapsed() / 1000 - this.#begun_s >= this.#length_s;
  }

  /** Brings the items up to date, so that they can be watched. */
  show(): void {
    for (const { item, sensor } of this.watched) {
      if (item.result === 'pending') item.result = 'running';
      this.#showTrace(item, sensor.series);
    }
  }

  /** What nothing but themselves says of them, before anything is driven. */
  judgePlausibility(): void {
    const means = new Map(this.watched.map(({ sensor: { series } }) => [series, levelOf(series)]));
    for (const { item, sensor } of this.watched) {
      const peers = this.#peersOf(item, sensor.series).flatMap((peer) => means.get(peer) ?? []);
      const { points, unit } = sensor.series;
      const due = Math.floor(this.#length_s / sensor.period_s);
      this.#plausibility.set(
        item,
        plausibilityChecks({ role: sensor.binding.role, unit, points, count: sensor.count, due, peers }),
      );
    }
  }

  /** The whole: also what moved them, or should have. */
  judge(trials: readonly ActuatorTrial[], swaps: readonly Swapped[]): void {
    for (const { item, sensor } of this.watched) {
      const { series, channel, binding } = sensor;
      const plausibility = this.#plausibility.get(item) ?? [];
      const peers = this.#peersOf(item, series);
      const found = judgeSensor({
        ...{ series, role: binding.role, plausibility, peers, swappedWith: swappedWith(series, swaps) },
        ...driversOf(series, trials),
      });
      item.checks = found.checks;
      item.result = channel === undefined ? 'error' : found.result;
      say(item, channel === undefined ? { code: 'sensor_gone' } : found.finding);
      this.#showTrace(item, series);
    }
    this.#forgiveActuators(trials);
  }

  /** Where the sensor is at fault the actuator that it did not see is not to blame. */
  #forgiveActuators(trials: readonly ActuatorTrial[]): void {
    const stuck = this.watched.filter(({ item }) =>
      item.checks.some((one) => one.code === 'responds' && one.passed === false),
    );
    for (const { item, awaited } of trials) {
      const isBlind =
        awaited.length > 0 && awaited.every(({ series }) => stuck.some((one) => isSame(one.sensor.series, series)));
      if (item.result !== 'fail' || !isBlind) continue;
      item.result = 'inconclusive';
      say(item, { code: 'sensor_stuck', name: awaited[0]?.series.name });
    }
  }

  #peersOf(item: CheckItem, own: Series): Series[] {
    return this.watched
      .filter((one) => one.item.role === item.role && one.sensor.series !== own)
      .map((one) => one.sensor.series);
  }

  #showTrace(item: CheckItem, series: Series): void {
    const baseline = fitBaseline(series.points);
    item.evidence = evidenceOf({ series, baseline, answer: null, driven_s: null, restored_s: null }, this.#clock);
  }
}

function say(item: CheckItem, finding: Finding): void {
  item.findings = [finding];
  item.message = messageOf(item.findings);
}

function levelOf({ points }: Series): number[] {
  return points.length === 0 ? [] : [mean(points.map(({ value }) => value))];
}

function swappedWith(series: Series, swaps: readonly Swapped[]): string | null {
  for (const { bound, answering } of swaps) {
    if (series === bound) return answering.name;
    if (series === answering) return bound.name;
  }
  return null;
}

/** The actuators that should have moved a sensor: those that were seen to answer somewhere, and those that were not. */
function driversOf(series: Series, trials: readonly ActuatorTrial[]): { answered: string[]; unanswered: string[] } {
  const awaiting = trials.filter((trial) => trial.awaited.some((one) => isSame(one.series, series)));
  const isSeen = ({ judgement }: ActuatorTrial): boolean => judgement?.result === 'ok' || judgement?.result === 'warn';
  return {
    answered: awaiting.filter(isSeen).map(({ item }) => item.name),
    unanswered: awaiting.filter((trial) => !isSeen(trial)).map(({ item }) => item.name),
  };
}

/** What is made from a sensor counts as that sensor. */
function isSame(one: Series, other: Series): boolean {
  return one.measurement_id === other.measurement_id;
}
