import { effectsOf, isSameSensor, type Assessment } from './assessment.ts';
import { isCertain, shareOf, sightOf, type Column, type Effect } from './effect.ts';
import { isOff, levelsOf, type Level } from './level.ts';
import type { Series } from './series.ts';

const sensorFaultCodes = ['stuck', 'reversed_sensor', 'offset', 'gain', 'swapped'] as const;

/** What the effects of actuators show about the sensor that should respond to them. */
export interface SensorFault {
  code: (typeof sensorFaultCodes)[number];
  series: Series;
  /** What it should have followed; for `swapped` the sensor that did. */
  name: string;
  /** For `gain`, the share of what others show. */
  share?: number;
  /** For `offset`. */
  level?: Level;
  /** For `swapped`. */
  answering?: Series;
}

/** This many equal readings, which noise would not allow. */
const frozenCount = 10;
/** A sensor that responds with less than this share of what others show has the wrong gain. */
export const gainShare = 0.65;
const soundShare = 0.8;

/** Faults of the sensors of the house, at most one each, by all drivers except the named ones. */
export function sensorFaultsOf(
  whole: Assessment,
  all: readonly Series[],
  ignoring: ReadonlySet<string>,
): { faults: SensorFault[]; levels: Level[] } {
  const found: SensorFault[] = [];
  const assessment = without(whole, ignoring);
  for (const column of assessment.columns) {
    const fault = faultOf(column, assessment);
    if (fault !== null && !found.some(({ series }) => isSameSensor(series, column.series))) found.push(fault);
  }
  const levels = levelsOf(assessment, all);
  for (const level of levels.filter(isOff)) {
    for (const series of [level.series, level.outside]) {
      const isKnown = series === null || found.some((one) => isSameSensor(one.series, series));
      if (!isKnown) found.push({ code: 'offset', series, name: level.names, level });
    }
  }
  return { faults: found, levels };
}

function without(assessment: Assessment, ignoring: ReadonlySet<string>): Assessment {
  const kept = (column: Column): Column => ({
    ...column,
    effects: column.effects.filter(({ driver }) => !ignoring.has(driver.name)),
  });
  return { ...assessment, columns: assessment.columns.map(kept), strangers: assessment.strangers.map(kept) };
}

function faultOf(column: Column, assessment: Assessment): SensorFault | null {
  const awaited = column.effects.filter(({ expected }) => expected !== null);
  const byItself = awaited.filter(({ expected }) => expected?.following !== 'exchange');
  const works = awaited.filter((one) => sightOf(one) === 'works');
  const contrary = byItself.filter((one) => sightOf(one) === 'contrary');
  const { series } = column;
  const isMade = column.quantity === 'vapour';
  if (!isMade && awaited.length > 0 && isFrozen(series)) return { code: 'stuck', series, name: namesOf(awaited) };
  const isMoved = column.effects.some((one) => isCertain(one));
  if (!isMade && works.length === 0 && contrary.length === 0 && !isMoved) {
    const still = awaited.filter((one) => sightOf(one) === 'dead' || sightOf(one) === 'contrary');
    const proven = still.filter((one) => isSeenElsewhere(one, column, assessment));
    const twin = answeringTwin(column, byItself, assessment);
    if (twin !== null) return { code: 'swapped', series, name: twin.name, answering: twin };
    if (proven.length > 0 || still.length > 1)
      return { code: 'stuck', series, name: namesOf(proven.length > 0 ? proven : still) };
  }
  const isReversed = contrary.some((one) => isSeenElsewhere(one, column, assessment)) || contrary.length > 1;
  if (!isMade && isReversed && works.length === 0) {
    return { code: 'reversed_sensor', series, name: namesOf(contrary) };
  }
  return gainFault(column, byItself, assessment);
}

/** Readings equal to the last of many digits, although something that moves it was switched. */
function isFrozen({ points }: Series): boolean {
  const value = points[0]?.value ?? 0;
  return (
    points.length >= frozenCount &&
    Math.abs(value * 100 - Math.round(value * 100)) > 1e-7 &&
    points.every((one) => one.value === value)
  );
}

function namesOf(effects: readonly Effect[]): string {
  return effects.map(({ driver }) => driver.name).join(', ');
}

/** The best response of other sensors to the same actuator. */
function bestElsewhere(effect: Effect, column: Column, assessment: Assessment) {
  const others = effectsOf(assessment, effect.driver.name)
    .filter(
      ({ column: other, effect: seen }) => !isSameSensor(other.series, column.series) && seen.expected?.isSign !== true,
    )
    .map((other) => ({ sight: sightOf(other.effect), bounds: shareOf(other.effect) }))
    .filter(({ sight }) => sight === 'works');
  return others.toSorted((one, other) => (other.bounds?.low ?? 0) - (one.bounds?.low ?? 0))[0]?.bounds ?? null;
}

function isSeenElsewhere(effect: Effect, column: Column, assessment: Assessment): boolean {
  return bestElsewhere(effect, column, assessment) !== null;
}

function gainFault(column: Column, byItself: readonly Effect[], assessment: Assessment): SensorFault | null {
  const { series } = column;
  const low = byItself.filter((one) => {
    const bounds = shareOf(one);
    return sightOf(one) === 'works' && one.expected?.isRated === true && bounds !== null && bounds.high < gainShare;
  });
  for (const one of low) {
    const elsewhere = bestElsewhere(one, column, assessment);
    const share = shareOf(one)?.share ?? 0;
    const isContradicted = elsewhere !== null && elsewhere.share > soundShare && elsewhere.low > gainShare;
    if (isContradicted) return { code: 'gain', series, name: one.driver.name, share: share / elsewhere.share };
  }
  const rated = byItself.filter(({ expected }) => expected?.isRated === true);
  return low.length > 1 && low.length === rated.length
    ? { code: 'gain', series, name: namesOf(low), share: shareOf(low[0] as Effect)?.share ?? 0 } // more than one
    : null;
}

/** A sensor of another role that follows what this one should. */
function answeringTwin(column: Column, still: readonly Effect[], { strangers }: Assessment): Series | null {
  const names = new Set(still.map(({ driver }) => driver.name));
  const twin = strangers.find(
    ({ series, effects, quantity }) =>
      series.role !== null &&
      quantity === column.quantity &&
      effects.some(
        (one) => names.has(one.driver.name) && sightOf(one) === 'works' && (shareOf(one)?.share ?? 0) > 0.25,
      ),
  );
  return twin?.series ?? null;
}
