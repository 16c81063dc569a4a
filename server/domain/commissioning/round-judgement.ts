import type { ActuatorBinding, ActuatorRole, Facility } from '../../contract/facility.ts';
import { judgeActuator, type Judgement } from './actuator-judgement.ts';
import { actuatorTests } from './actuator-test.ts';
import { assess, ownColumns, type Assessment } from './assessment.ts';
import { shareOf, sightOf, type Column, type Driver, type Span } from './effect.ts';
import { expectedEffects, ratedHouse } from './expected-effect.ts';
import type { Level } from './level.ts';
import { sensorFaultsOf, type SensorFault } from './sensor-fault.ts';
import type { Series } from './series.ts';
import { surroundingsOf } from './surroundings.ts';
import { slowestPeriod_s, type Switch } from './switching.ts';
import type { Other } from './wiring.ts';

export interface RoundJudgement {
  /** What each sensor of the house showed of everything that was switched. */
  columns: readonly Column[];
  sensorFaults: readonly SensorFault[];
  /** What exchanges showed about the levels of sensors. */
  levels: readonly Level[];
  /** By the name of the actuator. */
  judgements: ReadonlyMap<string, Judgement>;
  /**
   * By the name of the actuator, the combined evidence of all sensors for its switching off again; below 0 it rather
   * stayed on.
   */
  turnings: ReadonlyMap<string, number>;
}

/** What was switched and what was read; only data, as it is judged in another thread. */
export interface RoundCase {
  /** The house, each of its actuators with a unique name. */
  facility: Facility;
  /** Actuators that were tried or may turn out to have been moved. */
  bindings: readonly ActuatorBinding[];
  /** What was switched since the check began, by the name of the actuator. */
  switched: ReadonlyMap<string, readonly Switch[]>;
  series: readonly Series[];
  /** Sensors, by their measurement, that disagreed with their neighbours before anything was driven. */
  doubted: ReadonlySet<string>;
  /** When this round began, s: the air in and around the house is taken from before. */
  from_s: number;
  span: Span;
  /** Time constants that the named actuators may have of their own, s. */
  patience: ReadonlyMap<string, readonly number[]>;
  /** By the name of the actuator, the worst evidence of an earlier round about its switching off again. */
  suspicions: ReadonlyMap<string, number>;
}

/**
 * Judges everything that was switched together, and the sensors by it: a second for 40 devices. `goOn` is called
 * between fits and may throw to end it.
 */
export function judgeRound(round: RoundCase, goOn: () => void = () => undefined): RoundJudgement {
  const { series, span, patience } = round;
  const others = othersOf(round);
  const drivers = driversOf(round, others);
  const taken = drivers.map((driver) =>
    withOwnLag(driver, drivers, { series, span, goOn, lags_s: patience.get(driver.name) ?? [] }),
  );
  const assessment = assess(taken, series, { span, goOn });
  const doubted = series.filter(({ measurement_id }) => round.doubted.has(measurement_id));
  const slowSensors = series.flatMap(({ name, quantity, period_s }) =>
    quantity !== null && period_s > slowestPeriod_s ? [{ name, quantity, period_s }] : [],
  );
  const suspicionOf = ({ name }: Driver): number => Math.min(0, round.suspicions.get(name) ?? 0);
  const judge = (sensorFaults: readonly SensorFault[]): Map<string, Judgement> =>
    new Map(
      taken.map(
        (own) =>
          [
            own.name,
            judgeActuator({ own, others, assessment, sensorFaults, slowSensors, doubted, suspicion: suspicionOf(own) }),
          ] as const,
      ),
    );
  const first = judge(sensorFaultsOf(assessment, series, new Set()).faults);
  // An actuator that is wired elsewhere or stays on says nothing about the sensors that did not respond.
  const { faults: sensorFaults, levels } = sensorFaultsOf(
    assessment,
    series,
    new Set(taken.map(({ name }) => name).filter((name) => misleads(first.get(name)))),
  );
  const judgements = judge(sensorFaults);
  const moved = new Set([...judgements.values()].flatMap(({ movedInstead }) => movedInstead.split(', ')));
  for (const [name, found] of judgements) if (moved.has(name)) judgements.set(name, excused(found));
  return { columns: assessment.columns, sensorFaults, levels, judgements, turnings: turningsOf(assessment) };
}

function turningsOf({ turnings }: Assessment): Map<string, number> {
  const byName = Map.groupBy(turnings, ({ name }) => name);
  return new Map([...byName].map(([name, all]) => [name, all.reduce((sum, { evidence }) => sum + evidence, 0)]));
}

/** The actuators and their expected effects in the present air. */
function othersOf({ facility, bindings, series, from_s }: RoundCase): Other[] {
  const house = ratedHouse(facility);
  const air = surroundingsOf(series, from_s);
  return bindings.map((one) => ({ name: one.name, role: one.role, expected: expectedEffects(one, house, air) }));
}

function driversOf({ switched }: RoundCase, others: readonly Other[]): Driver[] {
  return others.flatMap((other) => {
    const signal = switched.get(other.name) ?? [];
    return signal.length === 0 ? [] : [{ ...other, signal }];
  });
}

function misleads(found: Judgement | undefined): boolean {
  return found !== undefined && ['wrong_output', 'wrong_house', 'stays_on'].includes(found.finding.code);
}

/** Two commands that move one device each move it half the time: below this share that is no excuse. */
const leastExcused = 0.35;

/** A device that another command moves too follows its own only partly. */
function excused(found: Judgement): Judgement {
  const share = found.seen === null ? 0 : (shareOf(found.seen.effect)?.share ?? 0);
  if (found.finding.code !== 'weak' || share < leastExcused) return found;
  return { ...found, result: 'ok', finding: { ...found.finding, code: 'follows' } };
}

function withOwnLag(
  driver: Driver,
  all: readonly Driver[],
  {
    series,
    span,
    goOn,
    lags_s,
  }: { series: readonly Series[]; span: Span; goOn: () => void; lags_s: readonly number[] },
): Driver {
  let best = { driver, left: Infinity };
  // A quantity that it should not move says nothing about its lag.
  const seeing = series.map((one) =>
    one.quantity !== null && driver.expected[one.quantity] === undefined ? { ...one, quantity: null } : one,
  );
  for (const lag_s of lags_s) {
    const lagging = { ...driver, lag_s };
    const columns = ownColumns(
      all.map((one) => (one.name === driver.name ? lagging : one)),
      seeing,
      { span, goOn },
    );
    const own = columns.filter(({ effects }) =>
      effects.some((one) => one.driver.name === driver.name && one.expected !== null),
    );
    const left = own.reduce((sum, column) => sum + Math.log(Math.max(column.left, 1e-12)), 0);
    if (left < best.left) best = { driver: lagging, left };
  }
  return best.driver;
}

/**
 * What a longer trial might decide: bounds this wide, and an effect that looks smaller than expected, as shares of it.
 */
const hopefulMargin = 0.9;
const doubtfulShare = 0.5;

/** Whether the device may only be slower than the time it had. */
export function needsLonger(found: Judgement, role: ActuatorRole, longestOn_s: number): boolean {
  const { answersWithin_s } = actuatorTests[role];
  const { code } = found.finding;
  if (found.seen !== null && sightOf(found.seen.effect) === 'contrary') return false;
  if (code === 'no_answer' || code === 'either' || code === 'weak') return longestOn_s < answersWithin_s;
  if (found.isSuspect === true) return true;
  const bounds = found.seen === null ? null : shareOf(found.seen.effect);
  if (code !== 'too_uncertain' || bounds === null) return false;
  return bounds.high - bounds.share < hopefulMargin && bounds.share < doubtfulShare;
}
