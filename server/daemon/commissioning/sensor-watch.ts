import type { Finding } from '../../contract/commissioning-finding.ts';
import type { CheckItem, ItemCheck } from '../../contract/commissioning.ts';
import type { Judgement } from '../../domain/commissioning/actuator-judgement.ts';
import { isSameSensor, isSameSeries } from '../../domain/commissioning/assessment.ts';
import { sightOf, type Column } from '../../domain/commissioning/effect.ts';
import { messageOf } from '../../domain/commissioning/finding.ts';
import { mean } from '../../domain/commissioning/point.ts';
import { isProven, type Level } from '../../domain/commissioning/level.ts';
import type { RoundJudgement } from '../../domain/commissioning/round-judgement.ts';
import {
  balancesOf,
  isBright,
  sunOf_w_m2,
  type Balance,
  type Rest,
} from '../../domain/commissioning/sensor-balance.ts';
import { noiseOf, plausibilityChecks } from '../../domain/commissioning/sensor-checks.ts';
import type { SensorFault } from '../../domain/commissioning/sensor-fault.ts';
import { judgeSensor } from '../../domain/commissioning/sensor-judgement.ts';
import type { Series } from '../../domain/commissioning/series.ts';
import type { Clock } from '../clock.ts';
import type { ActuatorTrial } from './actuator-trial.ts';
import type { Sampler, WatchedSensor } from './sampler.ts';
import { evidenceOfSensor } from './trial-evidence.ts';

/** Sensors are watched for this many readings of the slowest one, within these bounds, s. */
const readings = 3;
const shortest_s = 20;
const longest_s = 60;

interface Watched {
  item: CheckItem;
  sensor: WatchedSensor;
}

export interface WatchOptions {
  sampler: Sampler;
  clock: Clock;
  rest: () => Rest;
  /** Whether an item is to be judged; the others keep their findings. */
  isTried: (item: CheckItem) => boolean;
}

/** The sensors of a check: watched while nothing is driven, and judged at its end by what they responded to. */
export class SensorWatch {
  readonly watched: readonly Watched[];
  readonly #options: WatchOptions;
  readonly #begun_s: number;
  readonly #length_s: number;
  readonly #plausibility = new Map<CheckItem, ItemCheck[]>();
  #balances: readonly Balance[] = [];
  #columns: readonly Column[] = [];
  readonly #levels: Level[] = [];
  readonly #faults: SensorFault[] = [];
  /** Measurements that clearly responded to something. */
  readonly #moved = new Set<string>();

  constructor(items: readonly CheckItem[], options: WatchOptions) {
    this.#options = options;
    const { sensors } = options.sampler;
    this.watched = items.flatMap((item) => {
      const sensor = sensors.find(
        ({ binding }) => binding.measurement_id === item.measurement_id && binding.role === item.role,
      );
      return sensor === undefined ? [] : [{ item, sensor }];
    });
    this.#begun_s = options.clock.elapsed() / 1000;
    const slowest_s = Math.max(0, ...sensors.map(({ period_s }) => period_s));
    const isNone = sensors.length === 0;
    this.#length_s = isNone ? 0 : Math.min(longest_s, Math.max(shortest_s, readings * slowest_s));
  }

  get isOver(): boolean {
    return this.left_s <= 0;
  }

  /** Until they were watched long enough, s. */
  get left_s(): number {
    return this.#begun_s + this.#length_s - this.#options.clock.elapsed() / 1000;
  }

  /** Updates the items, so that they can be watched. */
  show(): void {
    for (const { item, sensor } of this.watched) {
      if (!this.#options.isTried(item)) continue;
      if (item.result === 'pending') item.result = 'running';
      this.#showTrace(item, sensor.series);
    }
  }

  /** Judges the sensors by themselves and their neighbours, before anything is driven. */
  judgePlausibility(): void {
    const means = new Map(this.watched.map(({ sensor: { series } }) => [series, levelOf(series)]));
    for (const { item, sensor } of this.watched) {
      const peers = this.#peersOf(item, sensor.series).flatMap((peer) => means.get(peer) ?? []);
      const { points, unit } = sensor.series;
      const due = Math.floor(this.#length_s / sensor.period_s);
      this.#plausibility.set(
        item,
        plausibilityChecks({ role: sensor.binding.role, unit, points: [...points], count: sensor.count, due, peers }),
      );
    }
    this.#balances = balancesOf(this.#options.sampler.series, this.#options.rest());
  }

  /** Measurements that did not agree with their neighbours while nothing was driven. */
  get doubted(): ReadonlySet<string> {
    const failed = this.#balances.filter(({ check }) => check.passed === false);
    return new Set(failed.map(({ series }) => series.measurement_id));
  }

  /** Takes what a round showed about the sensors. */
  take({ columns, sensorFaults, levels }: RoundJudgement): void {
    this.#columns = columns;
    for (const { series, effects } of columns) {
      if (effects.some((one) => one.expected?.following !== 'exchange' && sightOf(one) === 'works'))
        this.#moved.add(series.measurement_id);
    }
    this.#levels.push(...levels);
    for (const fault of sensorFaults) {
      if (!this.#faults.some(({ series }) => isSameSensor(series, fault.series))) this.#faults.push(fault);
    }
  }

  /** The final judgement, also by what moved them or should have. */
  judge(trials: readonly ActuatorTrial[]): void {
    const seenBy = (series: Series, isMeant: (judgement: Judgement) => boolean): string[] =>
      trials
        .filter(({ judgement }) => judgement !== undefined && isMeant(judgement) && isSeenBy(judgement, series))
        .map(({ item: { name } }) => name);
    for (const { item, sensor } of this.watched) {
      if (!this.#options.isTried(item)) continue;
      const { series, channel, binding } = sensor;
      const column = this.#columns.find((one) => isSameSeries(one.series, series)) ?? null;
      const found = judgeSensor({
        series,
        role: binding.role,
        plausibility: this.#plausibility.get(item) ?? [],
        column,
        balances: this.#balances.filter((one) => isSameSensor(one.series, series)),
        fault: this.#faultOf(series),
        isLevelProven: this.#isLevelProven(item, series),
        sun_w_m2: sunOf_w_m2(this.#options.sampler.series),
        isBright: isBright(this.#options.sampler.series),
        accused: seenBy(series, ({ finding }) => finding.code === 'either'),
        weak: seenBy(series, ({ finding }) => finding.code === 'weak'),
        awaited: seenBy(series, ({ result }) => result === 'ok' || result === 'warn' || result === 'fail'),
      });
      item.checks = found.checks;
      item.result = channel === undefined ? 'error' : found.result;
      say(item, channel === undefined ? { code: 'sensor_gone' } : found.finding);
      this.#showTrace(item, series);
    }
  }

  /**
   * By an exchange, by a neighbour with which it must agree while nothing is driven, or by another sensor of its role.
   */
  #isLevelProven(item: CheckItem, series: Series): boolean {
    const byExchange = this.#levels.some(
      (level) =>
        isProven(level) &&
        (isSameSensor(level.series, series) || (level.outside !== null && isSameSensor(level.outside, series))),
    );
    const byNeighbour = this.#balances.some(
      ({ series: own, check, isProof }) => isProof && check.passed === true && isSameSensor(own, series),
    );
    const agreement = this.#plausibility.get(item)?.find(({ code }) => code === 'agreement');
    return byExchange || byNeighbour || agreement?.passed === true;
  }

  /** Of two swapped sensors both are at fault. */
  #faultOf(series: Series): SensorFault | null {
    const own = this.#faults.find(
      (one) => isSameSensor(one.series, series) && !(one.code === 'stuck' && this.#moved.has(series.measurement_id)),
    );
    if (own !== undefined) return own;
    const twin = this.#faults.find(({ answering }) => answering !== undefined && isSameSensor(answering, series));
    return twin === undefined ? null : { ...twin, series, name: twin.series.name };
  }

  #peersOf(item: CheckItem, own: Series): Series[] {
    return this.watched
      .filter((one) => one.item.role === item.role && one.sensor.series !== own)
      .map((one) => one.sensor.series);
  }

  #showTrace(item: CheckItem, series: Series): void {
    const noise = noiseOf(series.points.map(({ value }) => value));
    item.evidence = evidenceOfSensor(series, noise, this.#options.clock);
  }
}

function isSeenBy(judgement: Judgement | undefined, series: Series): boolean {
  return judgement?.seen != null && isSameSeries(judgement.seen.column.series, series);
}

function say(item: CheckItem, finding: Finding): void {
  item.findings = [finding];
  item.message = messageOf(item.findings);
}

function levelOf({ points }: Series): number[] {
  return points.length === 0 ? [] : [mean(points.map(({ value }) => value))];
}
