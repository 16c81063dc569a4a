import { effectsOf, type Assessment } from './assessment.ts';
import { shareOf, sightOf, type Column, type Effect } from './effect.ts';
import type { ExpectedEffects } from './expected-effect.ts';
import { movesNothingOf } from './actuator-test.ts';
import { quantityFacts } from './quantity.ts';
import { quantile } from './regression.ts';
import { levelAt } from './switching.ts';
import type { ActuatorRole } from '../../contract/facility.ts';

/** Another actuator of the house, and its expected effects. */
export interface Other {
  name: string;
  role: ActuatorRole;
  expected: ExpectedEffects;
}

/** A chance of error of one in twenty thousand: many sensors are tested in every check. */
const certainly = 0.99995;
/** Time over which an effect must reach the significant change, s. */
const over_s = 60;
/** Readings during the time on that a verdict of a wrong wire needs: a single one may be anything. */
const leastReadings = 3;
/** The observed effect must be at least this share of the other actuator's. */
const likeShare = 0.25;

interface Seen {
  column: Column;
  effect: Effect;
  /** Change in `over_s` or at once, and its standard error. */
  change: number;
  error: number;
}

/** The effects of the command on the sensors, in their units. */
function seenOf(name: string, assessment: Assessment): Seen[] {
  // Humidity bends with warmth and exchange: much that is sound moves it like something else. Vapour is calculated with
  // a thermometer: one that lags shows warming as drying.
  const isWarmthSeen = assessment.columns.some(
    ({ quantity, effects }) => quantity === 'temp' && effects.some((effect) => sightOf(effect) === 'works'),
  );
  const straight = effectsOf(assessment, name).filter(
    ({ column }) => column.quantity !== 'humidity' && (column.quantity !== 'vapour' || isWarmthSeen),
  );
  return straight.map(({ column, effect }) => {
    const factor = factorOf(column, effect.expected?.following ?? null);
    return {
      column,
      effect,
      change: factor * effect.size.estimate,
      error: Math.abs(factor) * effect.size.error,
    };
  });
}

function factorOf(column: Column, following: 'level' | 'rate' | 'exchange' | null): number {
  if (following === 'exchange') return over_s * column.gap;
  const isPrompt = quantityFacts[column.quantity].promptWithin_s !== undefined;
  return following === 'level' || (following === null && isPrompt) ? 1 : over_s;
}

function isClear({ column, effect, change, error }: Seen): boolean {
  const isCertain = Math.abs(change) > quantile(certainly, effect.degrees) * error;
  return isCertain && Math.abs(change) >= quantityFacts[column.quantity].least && isRepeated(column, effect);
}

function isRepeated({ series }: Column, { driver }: Effect): boolean {
  return series.points.filter(({ time_s }) => levelAt(driver.signal, time_s) > 0).length >= leastReadings;
}

/**
 * The actuators whose effect the command had instead of its own, those that fit best; with the sensor that shows it.
 */
export function workOfAnother(
  own: Other,
  others: readonly Other[],
  assessment: Assessment,
): { names: string; seen: Seen; score: number } | null {
  const seen = seenOf(own.name, assessment);
  const clear = seen.filter(isClear);
  // A single sensor with an offset also shows an exchange reversed.
  const isStrange = clear.some(({ column }) => movesNothingOf(own.role, column.quantity));
  // Several actuators of a role hide and reverse each other's effects.
  const isAlone = !others.some(({ name, role }) => role === own.role && name !== own.name);
  if (clear.length === 0 || (!isStrange && (clear.length < 3 || !isAlone))) return null;
  const scored = others
    .filter(({ name }) => name !== own.name)
    .map((other) => ({ other, score: likeness(other, seen, clear) }));
  const most = Math.max(...scored.map(({ score }) => score));
  const first = clear.find(({ column }) => movesNothingOf(own.role, column.quantity)) ?? clear[0];
  if (most <= Math.max(0, likeness(own, seen, clear)) || first === undefined) return null;
  const names = scored.filter(({ score }) => score === most).map(({ other }) => other.name);
  return { names: names.join(', '), seen: first, score: most };
}

/** How well the observations fit an actuator, less what is missing and what it would not do. */
function likeness({ role, expected }: Other, seen: readonly Seen[], clear: readonly Seen[]): number {
  let score = 0;
  for (const one of seen) {
    const due = expected[one.column.quantity];
    const awaited = due === undefined ? 0 : due.size * factorOf(one.column, due.following);
    if (clear.includes(one)) {
      const isLike = one.change * Math.sign(awaited) >= likeShare * Math.abs(awaited) && awaited !== 0;
      if (isLike) score += 1;
      else if (awaited !== 0 || movesNothingOf(role, one.column.quantity)) score -= 1;
    } else if (Math.abs(awaited) > 4 * one.error && Math.abs(awaited) >= 2 * quantityFacts[one.column.quantity].least) {
      score -= 1;
    }
  }
  return score;
}

/** A sensor outside the house that the command moved. */
export function movedElsewhere(own: Other, { strangers }: Assessment): Column | null {
  const found = strangers.find(
    ({ series, effects }) =>
      series.role === null &&
      effects.some(
        (one) => one.driver.name === own.name && sightOf(one) === 'works' && (shareOf(one)?.share ?? 0) > 0.2,
      ),
  );
  return found ?? null;
}
