import type { ActuatorRole, SensorRole } from '../../contract/facility.ts';
import type { CheckWord, Finding } from '../../contract/commissioning-finding.ts';
import type { CheckCode, ItemCheck, ItemResult } from '../../contract/commissioning.ts';
import { actuatorTests, mediumOf, type Medium } from './actuator-test.ts';
import {
  baselineOf,
  expectationsOf,
  responseOf,
  type Expectation,
  type Expectations,
  type Moved,
} from './expectation.ts';
import { quantityFacts, twinRoles } from './quantity.ts';
import type { Series } from './series.ts';
import type { StepResponse } from './step-response.ts';

export interface Trial extends Moved {
  name: string;
  /** Taken just before the command. */
  expectations: Expectations;
  supports: readonly Expectation[];
  /** The other actuators of the house. */
  others: readonly { name: string; role: ActuatorRole }[];
  series: readonly Series[];
  /** After which moment a medium was left alone, s. */
  quietOf_s: (medium: Medium) => number;
  /** Whether another trial drives something of it. */
  isBusy: (medium: Medium) => boolean;
}

export interface Seen extends Expectation {
  answer: StepResponse;
}

/** Two sensors of which each hangs where the other should. */
export interface Swapped {
  bound: Series;
  answering: Series;
}

export interface Judgement {
  result: ItemResult;
  finding: Finding;
  checks: ItemCheck[];
  /** The answer that it rests on. */
  seen: Seen | null;
  swapped: Swapped | null;
}

/** What the sensors show so far of what was awaited, the clearest first. */
export function answersOf({ expectations, drivenAt_s }: Pick<Trial, 'expectations' | 'drivenAt_s'>): Seen[] {
  return expectations.expected.map((one) => ({ ...one, answer: responseOf(one, drivenAt_s) }));
}

/** True once an awaited answer was seen: nothing more need be waited for. */
export function isAnswered(trial: Pick<Trial, 'expectations' | 'drivenAt_s'>): boolean {
  return answersOf(trial).some(({ answer }) => answer.seen === 'expected');
}

/** True where it clearly went the wrong way: driving on would only harm. */
export function isContrary(trial: Pick<Trial, 'expectations' | 'drivenAt_s'>): boolean {
  return answersOf(trial).some((one) => one.answer.seen === 'opposite' && strength(one) >= 2);
}

/** Judges the end of a trial: by the answer that was awaited, else by what answered instead. */
export function judgeTrial(trial: Trial): Judgement {
  const { expectations } = trial;
  if (expectations.unseen !== null) return unseen(expectations.unseen);
  const answers = answersOf(trial);
  const right = answers.find(({ answer }) => answer.seen === 'expected');
  if (right !== undefined) return answered(right);
  const strongest = answers.toSorted((one, other) => strength(other) - strength(one))[0];
  if (strongest === undefined) return byDeviceAlone();
  const twin = answeringTwin(trial, answers);
  if (twin !== null) return swapped(trial, strongest, twin);
  const elsewhere = answeredElsewhere(trial);
  if (elsewhere !== null) return miswired(strongest, elsewhere);
  const support = supported(trial);
  if (support !== null) return bySupport(strongest, support);
  return silent(strongest, answers);
}

function answered(seen: Seen): Judgement {
  const { series, answer } = seen;
  const finding = { code: 'answered', name: series.name, value: Math.round(answer.lag_s ?? 0), unit: 's' } as const;
  return { result: 'ok', finding, checks: [responseCheck(seen, true)], seen, swapped: null };
}

/** Nothing is bound that could see it, or circulation fans: what the device says of itself is all there is. */
function byDeviceAlone(): Judgement {
  return { result: 'ok', finding: { code: 'says_it_moved' }, checks: [], seen: null, swapped: null };
}

function unseen(why: 'no_sensor' | 'no_gradient'): Judgement {
  if (why === 'no_sensor') {
    const check = words('response', null, null, 'seeing_sensor' satisfies CheckWord);
    return { result: 'warn', finding: { code: 'seen_by_none' }, checks: [check], seen: null, swapped: null };
  }
  const check = words('gradient', null, null, 'difference' satisfies CheckWord);
  return { result: 'inconclusive', finding: { code: 'no_difference' }, checks: [check], seen: null, swapped: null };
}

function swapped(trial: Trial, strongest: Seen, twin: Seen & { bound: Series }): Judgement {
  const finding = { code: 'answered_by_twin', name: twin.bound.name, other: twin.series.name } as const;
  const checks = [responseCheck(strongest, false), words('wiring', true, twin.series.name, trial.name)];
  return { result: 'warn', finding, checks, seen: twin, swapped: { bound: twin.bound, answering: twin.series } };
}

function miswired(strongest: Seen, found: { name: string; isActuator: boolean; seen: Seen }): Judgement {
  const finding: Finding = found.isActuator
    ? { code: 'wrong_output', name: found.seen.series.name, other: found.name }
    : { code: 'wrong_house', name: found.name };
  const own = 'own_device' satisfies CheckWord;
  const checks = [responseCheck(strongest, false), words('wiring', false, found.name, own)];
  return { result: 'fail', finding, checks, seen: found.seen, swapped: null };
}

function bySupport(strongest: Seen, support: Seen): Judgement {
  const finding = { code: 'answered_by_other', name: strongest.series.name, other: support.series.name } as const;
  const checks = [responseCheck(strongest, false), responseCheck(support, true)];
  return { result: 'warn', finding, checks, seen: support, swapped: null };
}

function silent(strongest: Seen, answers: readonly Seen[]): Judgement {
  const base = { seen: strongest, swapped: null };
  const { answer, series } = strongest;
  if (answer.seen === 'opposite') {
    const check = { ...responseCheck(strongest, false), code: 'direction' as const };
    return { ...base, result: 'fail', finding: { code: 'wrong_way', name: series.name }, checks: [check] };
  }
  if (answers.every((one) => one.answer.seen === 'unclear')) {
    const finding = { code: 'restless', name: series.name } as const;
    return { ...base, result: 'inconclusive', finding, checks: [responseCheck(strongest, null)] };
  }
  const name = [...new Set(answers.map((one) => one.series.name))].join(', ');
  return { ...base, result: 'fail', finding: { code: 'no_answer', name }, checks: [responseCheck(strongest, false)] };
}

/** A sensor of the same kind in another role that shows what the bound one should. */
function answeringTwin(trial: Trial, answers: readonly Seen[]): (Seen & { bound: Series }) | null {
  for (const { series: bound, quantity, direction, baseline, answersWithin_s } of answers) {
    const twins = trial.series.filter((one) => isTwin(one.role, twinRoles[quantity]) && one.unit === bound.unit);
    for (const twin of twins) {
      const own = baselineOf(twin, trial);
      if (own === null) continue;
      // Exchange draws the one that hangs indoors towards the one that hangs outdoors.
      const isExchange = actuatorTests[trial.role].expects.some(({ towards }) => towards === 'outdoors');
      const way = isExchange ? (baseline.mean > own.mean ? 1 : -1) : direction;
      const expectation: Expectation = { series: twin, quantity, direction: way, baseline: own, answersWithin_s };
      const answer = responseOf(expectation, trial.drivenAt_s);
      if (answer.seen === 'expected') return { ...expectation, answer, bound };
    }
  }
  return null;
}

function isTwin(role: SensorRole | null, twins: readonly SensorRole[] | undefined): boolean {
  return role !== null && (twins?.includes(role) ?? false);
}

/** True when it moved, at once, what only a device of another medium can: the trial can be ended. */
export function isAstray(trial: Trial): boolean {
  const { medium } = actuatorTests[trial.role];
  return trial.others.some(
    (other) => actuatorTests[other.role].medium !== medium && likeness(trial, other).seen.length > 0,
  );
}

/** The work of other actuators, those that fit best, or a sensor outside this house. */
function answeredElsewhere(trial: Trial): { name: string; isActuator: boolean; seen: Seen } | null {
  const alike = trial.others.map((other) => ({ name: other.name, ...likeness(trial, other) }));
  const most = Math.max(...alike.map(({ score }) => score));
  const best = alike.filter(({ score, seen }) => score === most && seen.length > 0);
  const seen = best[0]?.seen[0];
  if (seen !== undefined) return { name: best.map(({ name }) => name).join(', '), isActuator: true, seen };
  const away = awaySeen(trial);
  return away && { name: away.series.name, isActuator: false, seen: away };
}

/** What of another actuator's work was seen, less what was not; none where part of it went the other way. */
function likeness(trial: Trial, { role }: { role: ActuatorRole }): { seen: Seen[]; score: number } {
  const { medium } = actuatorTests[role];
  const isOwnMedium = medium === actuatorTests[trial.role].medium;
  const moved = { ...trial, role, quietSince_s: isOwnMedium ? trial.quietSince_s : trial.quietOf_s(medium) };
  const answers = expectationsOf(moved, trial.series).expected.map((one) => ({
    ...one,
    answer: responseOf(one, trial.drivenAt_s),
  }));
  const affects = new Set(actuatorTests[trial.role].affects);
  const seen = answers.filter(
    ({ answer, quantity }) =>
      answer.seen === 'expected' && isCertain(trial, quantity, answer) && !isOwnWay(trial, quantity, affects, answer),
  );
  const isContrary = seen.length === 0 || answers.some(({ answer }) => answer.seen === 'opposite');
  return isContrary ? { seen: [], score: -Infinity } : { seen, score: 2 * seen.length - answers.length };
}

/** What comes at once cannot be mistaken; what comes slowly may be the work of a trial beside this one. */
function isCertain(trial: Trial, quantity: Expectation['quantity'], { lag_s }: StepResponse): boolean {
  const { promptWithin_s } = quantityFacts[quantity];
  if (promptWithin_s !== undefined) return (lag_s ?? Infinity) <= promptWithin_s;
  const medium = mediumOf[quantity];
  return medium === actuatorTests[trial.role].medium || !trial.isBusy(medium);
}

/** A quantity that it moves counts as the work of another only where it went the wrong way. */
function isOwnWay(trial: Trial, quantity: Expectation['quantity'], affects: ReadonlySet<string>, answer: StepResponse) {
  if (!affects.has(quantity)) return false;
  const awaited = [...trial.expectations.expected, ...trial.supports].find((one) => one.quantity === quantity);
  return awaited === undefined || awaited.direction === 0 || Math.sign(answer.response ?? 0) === awaited.direction;
}

function awaySeen(trial: Trial): Seen | null {
  for (const awaited of trial.expectations.expected) {
    const { quantity } = awaited;
    for (const series of trial.series.filter((one) => one.role === null && one.unit === quantityFacts[quantity].unit)) {
      const baseline = baselineOf(series, trial);
      if (baseline === null) continue;
      const expectation: Expectation = { ...awaited, series, baseline };
      const answer = responseOf(expectation, trial.drivenAt_s);
      if (answer.seen === 'expected') return { ...expectation, answer };
    }
  }
  return null;
}

function supported(trial: Trial): Seen | null {
  const seen = trial.supports.map((one) => ({ ...one, answer: responseOf(one, trial.drivenAt_s) }));
  return seen.find(({ answer }) => answer.seen === 'expected') ?? null;
}

function strength({ answer }: Seen): number {
  return Math.abs(answer.response ?? 0) / answer.threshold;
}

function responseCheck({ answer, direction, quantity }: Seen, passed: boolean | null): ItemCheck {
  const sign = direction < 0 ? '<= -' : direction > 0 ? '>= ' : '+- ';
  const expected = `${sign}${rounded(answer.threshold)}`;
  const measured = answer.response === null ? null : rounded(answer.response);
  return { code: 'response', passed, measured, expected, unit: quantityFacts[quantity].unit };
}

function words(code: CheckCode, passed: boolean | null, measured: string | null, expected: string): ItemCheck {
  return { code, passed, measured, expected, unit: '' };
}

/** Three digits: what a report can carry. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
