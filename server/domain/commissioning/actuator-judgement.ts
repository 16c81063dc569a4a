import type { CheckWord, Finding } from '../../contract/commissioning-finding.ts';
import type { CheckCode, ItemCheck, ItemResult } from '../../contract/commissioning.ts';
import { amount, facts, responseCheck, words, type Seen } from './actuator-figures.ts';
import { effectsOf, isSameSensor, type Assessment } from './assessment.ts';
import { deadLimit, isDead, leastGapOf, shareOf, sightOf, type Column, type Effect, type Sight } from './effect.ts';
import { quantityFacts, type Quantity } from './quantity.ts';
import type { SensorFault } from './sensor-fault.ts';
import { isVent } from './actuator-test.ts';
import { travelOf, type Series } from './series.ts';
import { movedElsewhere, workOfAnother, type Other } from './wiring.ts';

export interface Judgement {
  result: ItemResult;
  finding: Finding;
  checks: ItemCheck[];
  seen: Seen | null;
  /** Other actuators that its command in fact moved: what they show is its effect too. */
  movedInstead: string;
  /** It looks as if it stayed on. */
  isSuspect?: true;
}

export interface ActuatorCase {
  own: Other;
  others: readonly Other[];
  assessment: Assessment;
  sensorFaults: readonly SensorFault[];
  /** Sensors that disagreed with their neighbours before anything was driven. */
  doubted: readonly Series[];
  /** Sensors of the house that read too seldom to show any of it. */
  slowSensors: readonly { name: string; quantity: Quantity; period_s: number }[];
  /** Evidence of an earlier round against its switching off again, 0 or less. */
  suspicion: number;
}

/** Air this humid condenses somewhere, %. */
const humid_pct = 95;
/** Below this share of its rating it is weak; for a vent, whose flow varies with every gust, below a smaller one. */
const weakShare = 0.65;
const weakVentShare = 0.5;
/** A share of its rating beyond any error of the rating. */
const beyondShare = 1.3;

interface View extends Seen {
  sight: Sight;
}

/** What the sensors show of the switching of an actuator, the clearest first. */
interface Sights extends ActuatorCase {
  views: readonly View[];
  /** Those of sensors without fault; mere signs only when there is nothing better. */
  sound: readonly View[];
  /** Those that show it at work, whatever all of them show together. */
  moved: readonly View[];
  works: readonly View[];
  contrary: readonly View[];
  dead: readonly View[];
}

/** Judges an actuator by what all sensors show of its switching. */
export function judgeActuator(one: ActuatorCase): Judgement {
  const sights = sightsOf(one);
  for (const rule of rules) {
    const made = rule(sights);
    if (made !== null) return made;
  }
  const [open] = sights.sound.toSorted(clearestFirst);
  return open === undefined ? blinded(sights.views[0], one.sensorFaults) : cannotSee(open);
}

function sightsOf(one: ActuatorCase): Sights {
  const views = effectsOf(one.assessment, one.own.name)
    .filter(({ effect }) => effect.expected !== null && effect.expected.size !== 0)
    .map((view) => ({ ...view, sight: sightOf(view.effect) }));
  const trusted = views.filter((view) => !isDoubtful(view, one.sensorFaults));
  const direct = trusted.filter(({ effect }) => effect.expected?.isSign !== true);
  const sound = direct.length > 0 ? direct : trusted;
  const pooled = pooledSight(sound);
  const of = (sight: Sight): View[] => sound.filter((view) => view.sight === sight).toSorted(clearestFirst);
  const moved = of('works');
  return {
    ...one,
    views,
    sound,
    moved,
    works: pooled === 'contrary' || pooled === 'dead' ? [] : moved,
    contrary: of('contrary'),
    dead: pooled === 'dead' ? sound.toSorted(clearestFirst) : of('dead'),
  };
}

/** In order of precedence: the first that answers decides. */
const rules: readonly ((sights: Sights) => Judgement | null)[] = [
  ifNoneSees,
  ifLatched,
  ifOnWireOfAnother,
  ifOnWireOfAnotherHouse,
  ifAtWork,
  ifTwinAnswered,
  ifWrongWay,
  ifDead,
];

function ifNoneSees({ views, ...one }: Sights): Judgement | null {
  return views.length === 0 ? unseen(one) : null;
}

function ifLatched({ assessment, own, views, sound, moved, works }: Sights): Judgement | null {
  return assessment.latched.has(own.name) ? stayedOn(moved, works[0] ?? sound[0] ?? views[0]) : null;
}

/** Asked also of one at work: lamps on the wire of a heater warm the house too, though too little. */
function ifOnWireOfAnother({ own, others, assessment, sensorFaults, works, contrary }: Sights): Judgement | null {
  const isContested = works.length > 0 && contrary.length > 0;
  if (works.length > 0 && !isContested && !isWeak(works)) return null;
  const elsewhere = workOfAnother(own, others, withoutFaulty(assessment, sensorFaults));
  if (elsewhere === null || (isContested && elsewhere.score <= 1)) return null;
  return miswired(elsewhere.seen, elsewhere.names, isDoubtedThere(elsewhere, assessment));
}

function ifOnWireOfAnotherHouse({ own, assessment, works }: Sights): Judgement | null {
  const away = works.length === 0 ? movedElsewhere(own, assessment) : null;
  return away && wiredAway(away, own.name);
}

function ifAtWork({ works, sound, ...one }: Sights): Judgement | null {
  const [right] = works;
  if (right === undefined) return null;
  const evidence = turningOf(one, sound);
  return evidence + one.suspicion > turned ? follows(works, right, sound) : maybeStays(right, evidence);
}

function ifTwinAnswered({ views, sensorFaults }: Sights): Judgement | null {
  const twin = swappedFor(views, sensorFaults);
  return twin && answeredByTwin(twin.fault, twin.view);
}

function ifWrongWay({ contrary, ...one }: Sights): Judgement | null {
  const [wrong] = contrary;
  if (wrong === undefined) return null;
  return isBlamed(contrary, one) ? wrongWay(wrong) : either(wrong);
}

function ifDead({ dead, ...one }: Sights): Judgement | null {
  const [still] = dead;
  if (still === undefined) return null;
  return isBlamed(dead, one) ? noAnswer(still, dead) : either(still);
}

function isBlamed(by: readonly View[], one: ActuatorCase): boolean {
  return isProven(by, one) && !by.some((view) => isSaturated(view, one.assessment));
}

function withoutFaulty(assessment: Assessment, faults: readonly SensorFault[]): Assessment {
  const isSound = (column: Column): boolean =>
    !faults.some(({ series }) => isSameSensor(series, column.series) || isMadeOf(column, series));
  return { ...assessment, columns: assessment.columns.filter(isSound) };
}

/** Vapour is calculated from the thermometer too. */
function isMadeOf(column: Column, series: SensorFault['series']): boolean {
  return column.quantity === 'vapour' && series.quantity === 'temp';
}

/**
 * A faulty sensor says nothing about the actuator; one with an offset still responds to effects that do not depend on
 * its level.
 */
function isDoubtful({ column, effect }: Seen, faults: readonly SensorFault[]): boolean {
  if (faults.some(({ series }) => isMadeOf(column, series))) return true;
  const fault = faults.find(({ series }) => isSameSensor(series, column.series));
  if (fault === undefined) return false;
  return fault.code === 'offset' || fault.code === 'gain' ? effect.expected?.following === 'exchange' : true;
}

/** Uncertainty of the expectation itself, as a share of it: how warmth is stored and mixed is unpredictable. */
const modelError = 0.3;

/** The combined estimate of all sensors, weighted by certainty: a share of what is expected. */
function pooledShare(views: readonly View[]): { share: number; margin: number; limit: number } | null {
  const judged = views.flatMap(({ effect }) => {
    const bounds = effect.expected?.isSign === true ? null : shareOf(effect);
    if (bounds === null) return [];
    const margin = Math.hypot(bounds.high - bounds.share, modelError * bounds.share);
    return [{ share: bounds.share, weight: margin ** -2, limit: deadLimit(effect) }];
  });
  const total = judged.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return null;
  const share = judged.reduce((sum, one) => sum + one.weight * one.share, 0) / total;
  return { share, margin: total ** -0.5, limit: Math.min(...judged.map(({ limit }) => limit)) };
}

function pooledSight(views: readonly View[]): Sight {
  const pooled = pooledShare(views);
  if (pooled === null) return 'open';
  const { share, margin, limit } = pooled;
  if (share - margin > 0) return 'works';
  if (share + margin < 0 && share < -0.08) return 'contrary';
  return isDead(share, share + margin, limit) ? 'dead' : 'open';
}

function clearestFirst(one: View, other: View): number {
  return marginOf(one.effect) - marginOf(other.effect);
}

function marginOf(effect: Effect): number {
  const bounds = shareOf(effect);
  return bounds === null ? Infinity : bounds.high - bounds.share;
}

function follows(works: readonly View[], right: View, sound: readonly View[]): Judgement {
  const weakest = works.find(isBelowRating);
  if (isWeak(works) && weakest !== undefined) {
    return judgement('warn', { code: 'weak', ...facts(weakest) }, { seen: weakest, passed: false });
  }
  if (isPerhapsWeak(right, sound) || works.some(isBeyondRating)) {
    return judgement('inconclusive', { code: 'output_unproven', ...facts(right) }, { seen: right, passed: null });
  }
  return judgement('ok', { code: 'follows', ...facts(right) }, { seen: right, passed: true });
}

/** Gas and vapour only have the air volume to fill: much more than the rating means that something else contributes. */
function isBeyondRating({ column: { quantity }, effect }: View): boolean {
  const isFilling = quantity === 'co2' || quantity === 'vapour';
  const { following, isRated } = effect.expected ?? {};
  return isFilling && following === 'rate' && isRated === true && (shareOf(effect)?.low ?? 0) > beyondShare;
}

/** The best estimate of a rated effect is too small, though the bounds do not exclude enough. */
function isPerhapsWeak({ effect }: View, sound: readonly View[]): boolean {
  const isRated = sound.some(
    ({ effect: { expected } }) => expected?.isRated === true || expected?.following === 'exchange',
  );
  const pooled = pooledShare(sound);
  return isRated && pooled !== null && pooled.share < weakLimit(effect);
}

/**
 * The evidence for accepting that a device switched off again: a chance of error of one in two thousand, as for its
 * staying on.
 */
const turned = 12;
/** Below this it seems rather to have stayed on. */
const suspicious = -3;

/** Vapour that stands still in saturated air says nothing: a fogger that stays on adds no more to it. */
function turningOf({ own, assessment }: ActuatorCase, sound: readonly View[]): number {
  const telling = sound.filter((view) => !isSaturated(view, assessment));
  return assessment.turnings
    .filter(({ name, series }) => name === own.name && telling.some(({ column }) => column.series === series))
    .reduce((sum, one) => sum + one.evidence, 0);
}

/** It had an effect, but the readings afterwards would also fit its staying on. */
function maybeStays(right: View, evidence: number): Judgement {
  const finding: Finding = { code: 'may_stay_on', name: right.column.series.name };
  const made = judgement('inconclusive', finding, { seen: right, passed: null });
  return evidence < suspicious ? { ...made, isSuspect: true } : made;
}

function isBelowRating({ effect }: View): boolean {
  return effect.expected?.isRated === true && (shareOf(effect)?.high ?? Infinity) < weakLimit(effect);
}

/** All that show it at work show less than its rating, and one beyond doubt. */
function isWeak(works: readonly View[]): boolean {
  const rated = works.filter(({ effect }) => effect.expected?.isRated === true);
  return rated.some(isBelowRating) && rated.every(({ effect }) => (shareOf(effect)?.share ?? 1) < weakShare);
}

function weakLimit({ driver: { role } }: Effect): number {
  return isVent(role) ? weakVentShare : weakShare;
}

/** A ramp of a sensor may be its own: only a sensor that responds at once proves it. */
function stayedOn(works: readonly View[], view: View | undefined): Judgement {
  const name = view?.column.series.name ?? '–';
  const isProven = works.some(({ effect }) => effect.expected?.following === 'level');
  return judgement(isProven ? 'fail' : 'warn', { code: 'stays_on', name }, { seen: view ?? null, passed: false });
}

function wrongWay(wrong: View): Judgement {
  const finding: Finding = { code: 'wrong_way', name: wrong.column.series.name };
  return judgement('fail', finding, { seen: wrong, passed: false, code: 'direction' });
}

function noAnswer(still: View, dead: readonly View[]): Judgement {
  const name = [...new Set(dead.map(({ column }) => column.series.name))].join(', ');
  return judgement('fail', { code: 'no_answer', name }, { seen: still, passed: false });
}

/** Nothing else ever moved that sensor: which of the two is at fault is undecidable. */
function either(still: View): Judgement {
  const finding: Finding = { code: 'either', name: still.column.series.name };
  return judgement('warn', finding, { seen: still, passed: false });
}

/** A change below this share of what vapour moved meanwhile may come from leaves that return what an exchange took. */
const leastOfTravel = 0.06;

/**
 * If the actuator of the suspected wire itself works in reverse, the remainder looks like the effect of any other; and
 * after a strong exchange vapour returns for minutes.
 */
function isDoubtedThere(
  { seen, names }: NonNullable<ReturnType<typeof workOfAnother>>,
  assessment: Assessment,
): boolean {
  const { effects, quantity, series } = seen.column;
  const isOther = ({ driver }: Effect): boolean => names.split(', ').includes(driver.name);
  const isReversed = effects.some((one) => isOther(one) && sightOf(one) === 'contrary');
  const isRising = quantity === 'vapour' && seen.change > 0;
  const isReturning = isRising && seen.change < leastOfTravel * travelOf(series);
  return isReversed || isReturning || isSaturated(seen, assessment);
}

/** In nearly saturated air vapour depends on condensation, and follows no machine. */
function isSaturated({ column: { quantity } }: { column: Column }, { columns }: Assessment): boolean {
  const isHumid = columns.some(
    ({ series, ...one }) => one.quantity === 'humidity' && series.points.some(({ value }) => value > humid_pct),
  );
  return (quantity === 'vapour' || quantity === 'humidity') && isHumid;
}

function miswired(seen: Seen, other: string, isDoubted: boolean): Judgement {
  const finding: Finding = { code: 'wrong_output', name: seen.column.series.name, other };
  const made = judgement(isDoubted ? 'warn' : 'fail', finding, { seen, passed: null });
  const wiring = words('wiring', false, other, 'own_device' satisfies CheckWord);
  return { ...made, checks: [...made.checks, wiring], movedInstead: other };
}

function wiredAway(column: Column, name: string): Judgement {
  const effect = column.effects.find(({ driver }) => driver.name === name);
  const finding: Finding = { code: 'wrong_house', name: column.series.name };
  const seen = effect === undefined ? null : { column, effect };
  const made = judgement('fail', finding, { seen, passed: null });
  return {
    ...made,
    checks: [...made.checks, words('wiring', false, column.series.name, 'own_device' satisfies CheckWord)],
  };
}

function swappedFor(views: readonly View[], faults: readonly SensorFault[]) {
  for (const view of views) {
    const fault = faults.find(({ series, code }) => code === 'swapped' && isSameSensor(series, view.column.series));
    if (fault !== undefined) return { fault, view };
  }
  return null;
}

function answeredByTwin({ series, name: other }: SensorFault, view: View): Judgement {
  return judgement('warn', { code: 'answered_by_twin', name: series.name, other }, { seen: view, passed: false });
}

function blinded(view: View | undefined, faults: readonly SensorFault[]): Judgement {
  const fault = faults.find(({ series }) => view !== undefined && isSameSensor(series, view.column.series));
  const name = view?.column.series.name ?? '–';
  const code = fault?.code === 'stuck' ? 'sensor_stuck' : 'sensor_doubtful';
  return judgement('inconclusive', { code, name }, { seen: view ?? null, passed: null });
}

function cannotSee(open: View): Judgement {
  const { column, effect } = open;
  const finding: Finding = { code: 'too_uncertain', name: column.series.name, ...amount(open, marginOf(effect)) };
  return judgement('inconclusive', finding, { seen: open, passed: null });
}

/**
 * Whether the actuator and not a sensor is to blame: two independent sensors agree, or one follows other actuators as
 * it should. An exchange depends on the level of the sensor, so only a second sensor proves it; warmth and vapour share
 * a thermometer.
 */
function isProven(views: readonly View[], { assessment, own, doubted }: ActuatorCase): boolean {
  const [first] = views;
  if (first === undefined) return false;
  const isGas = ({ column }: View): boolean => column.quantity === 'co2';
  if (views.some(({ column }) => doubted.some((series) => isSameSensor(series, column.series)))) return false;
  const silent = views.filter(({ sight }) => sight === 'dead' || sight === 'contrary');
  if (silent.some(isGas) && !silent.every(isGas)) return true;
  if (first.effect.expected?.following === 'exchange') return false;
  return assessment.columns
    .filter(({ series }) => isSameSensor(series, first.column.series))
    .some(({ effects }) =>
      effects.some(
        (one) => one.driver.name !== own.name && one.expected?.following !== 'exchange' && sightOf(one) === 'works',
      ),
    );
}

/** No sensor that could show it was present, fast enough, or different from outdoors. */
function unseen({ own, assessment, slowSensors }: ActuatorCase): Judgement {
  const quantities = Object.keys(own.expected) as Quantity[]; // keys of that record
  if (quantities.length === 0) return bare('ok', { code: 'says_it_moved' }, []);
  const slow = slowSensors.find(({ quantity }) => quantities.includes(quantity));
  const seeing = assessment.columns.filter(({ quantity }) => quantities.includes(quantity));
  if (seeing.length === 0 && slow !== undefined) {
    return bare('inconclusive', { code: 'sensor_too_slow', name: slow.name, value: slow.period_s, unit: 's' }, []);
  }
  if (seeing.length === 0) {
    const check = words('response', null, null, 'seeing_sensor' satisfies CheckWord);
    return bare('warn', { code: 'seen_by_none' }, [check]);
  }
  const check = words('gradient', null, null, 'difference' satisfies CheckWord);
  const exchanged = seeing.find(({ quantity }) => leastGapOf(quantity) !== undefined);
  if (exchanged === undefined) return bare('inconclusive', { code: 'no_difference' }, [check]);
  const { quantity } = exchanged;
  const needed = { value: leastGapOf(quantity) ?? 0, unit: quantityFacts[quantity].unit };
  return bare('inconclusive', { code: 'needs_difference', quantity, ...needed }, [check]);
}

interface Shown {
  seen: Seen | null;
  passed: boolean | null;
  code?: CheckCode;
}

function judgement(result: ItemResult, finding: Finding, { seen, passed, code = 'response' }: Shown): Judgement {
  const checks = seen === null || seen.effect.expected === null ? [] : [responseCheck(seen, passed, code)];
  return { result, finding, checks, seen, movedInstead: '' };
}

function bare(result: ItemResult, finding: Finding, checks: ItemCheck[]): Judgement {
  return { result, finding, checks, seen: null, movedInstead: '' };
}
