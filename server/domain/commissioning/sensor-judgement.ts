import type { CheckWord, Finding } from '../../contract/commissioning-finding.ts';
import type { ItemCheck, ItemResult } from '../../contract/commissioning.ts';
import type { SensorRole } from '../../contract/facility.ts';
import { isSameSensor } from './assessment.ts';
import { houseHeat_j_m2k, solarHeatShare } from '../climate/greenhouse-model.ts';
import { certainty, shareOf, sightOf, slowLag_s, type Column, type Effect } from './effect.ts';
import { quantile } from './regression.ts';
import type { Balance } from './sensor-balance.ts';
import { atMost, sensorResult } from './sensor-checks.ts';
import { gainShare, type SensorFault } from './sensor-fault.ts';
import { sensorLimits } from './sensor-limits.ts';
import { slowestPeriod_s } from './switching.ts';
import type { Series } from './series.ts';

/** Everything known about a sensor at the end of a check. */
export interface SensorCase {
  series: Series;
  role: SensorRole;
  /** From the time when nothing was driven. */
  plausibility: readonly ItemCheck[];
  /** What it should agree with while nothing is driven. */
  balances: readonly Balance[];
  /** How it followed what was switched; null when nothing relevant was tried. */
  column: Column | null;
  fault: SensorFault | null;
  /** Its level is bounded from both sides by something independent of it. */
  isLevelProven: boolean;
  /** Sun on the house during the check, W/m2; null when unknown. */
  sun_w_m2: number | null;
  /** Enough sun to show how a sensor measures light. */
  isBright: boolean;
  /** Actuators that it clearly followed. */
  awaited: readonly string[];
  /** Actuators to which it did not respond, where one of the two must be at fault. */
  accused: readonly string[];
  /** Actuators that look weak by it. */
  weak: readonly string[];
}

export interface SensorJudgement {
  result: ItemResult;
  finding: Finding;
  checks: ItemCheck[];
}

interface Found {
  check: ItemCheck;
  /** The meaning of a failed check. */
  finding: Finding;
}

/** Judges a sensor by its plausibility and by how it followed what was switched during the check. */
export function judgeSensor(one: SensorCase): SensorJudgement {
  const { role, plausibility, series } = one;
  if (series.points.length === 0) {
    const result = sensorResult(plausibility, role);
    return { result, finding: { code: 'nothing_heard' }, checks: [...plausibility] };
  }
  const found = [...faultCheck(one), ...flatChecks(one), ...movementChecks(one), ...balanceChecks(one)];
  const checks = [...plausibility, ...found.map(({ check }) => check)];
  const said = found.find(({ check }) => check.passed === false)?.finding;
  const result = sensorResult(checks, role);
  if (said === undefined && result === 'ok' && series.quantity !== null && series.period_s > slowestPeriod_s) {
    return { result: 'warn', finding: { code: 'reads_too_seldom', value: series.period_s, unit: 's' }, checks };
  }
  if (said === undefined && result === 'ok' && one.accused.length > 0) {
    return { result: 'warn', finding: { code: 'either', name: one.accused.join(', ') }, checks };
  }
  if (said === undefined && result === 'ok' && one.weak.length > 0 && !isGainProven(one)) {
    return { result: 'warn', finding: { code: 'shown_weakly', name: one.weak.join(', ') }, checks };
  }
  const open = said === undefined && result === 'ok' ? openFinding(one) : null;
  if (open !== null) return { result: 'inconclusive', finding: open, checks };
  return { result, finding: said ?? plausibilityFinding(plausibility), checks };
}

/** Sensors whose level a check can prove, and that control uses. */
const levelled: ReadonlySet<SensorRole> = new Set([
  ...(['indoor_temp', 'indoor_humidity', 'indoor_co2', 'indoor_light'] as const),
  ...(['outdoor_temp', 'outdoor_humidity', 'outdoor_solar'] as const),
]);

/** What remains to be proven about a sensor without a fault. */
function openFinding(one: SensorCase): Finding | null {
  if (isUnproven(one)) return { code: 'not_moved_clearly', name: namesOf(one) };
  if (!levelled.has(one.role)) return null;
  if (isUnmoved(one)) return { code: 'unmoved' };
  return one.isLevelProven ? null : { code: 'level_unproven' };
}

/** Equal to the last digit, except at 0 where it may rest. */
function isUnmoved({ series: { points }, role }: SensorCase): boolean {
  const value = points[0]?.value ?? 0;
  const rests = sensorLimits[role].restsAtZero && value === 0;
  return points.length >= flatCount && !rests && points.every((one) => one.value === value);
}

/** Another device has its proper effect on it, or the sun does. */
function isGainProven({ column, weak, role, isLevelProven, isBright }: SensorCase): boolean {
  if (role === 'indoor_light' && isLevelProven && isBright) return true;
  const others = column?.effects.filter(({ driver }) => !weak.includes(driver.name)) ?? [];
  return others.some(({ expected, ...effect }) => {
    const bounds = shareOf({ expected, ...effect });
    return expected?.isRated === true && expected.following === 'rate' && bounds !== null && bounds.low > gainShare;
  });
}

/**
 * Something that should have moved it was driven, without a clear effect: a dead or slow sensor would look the same.
 */
function isUnproven(one: SensorCase): boolean {
  const { column, awaited } = one;
  const due = dueOf(one);
  return column !== null && due.length > 0 && awaited.length === 0 && !due.some(isPlain);
}

/** A rated effect large enough that neither a slow nor a weak sensor would show it. */
function isPlain(effect: Effect): boolean {
  if (sightOf(effect) !== 'works') return false;
  return effect.expected?.isRated !== true || (shareOf(effect)?.share ?? 0) > gainShare;
}

/** Humidity bends with warmth and exchange: there a missing response says little. */
function dueOf({ column }: SensorCase): Effect[] {
  if (column === null || column.quantity === 'humidity') return [];
  return column.effects.filter(({ expected }) => expected !== null && expected.isSign !== true);
}

function namesOf(one: SensorCase): string {
  return dueOf(one)
    .map(({ driver }) => driver.name)
    .join(', ');
}

function faultCheck({ fault, awaited, column }: SensorCase): Found[] {
  if (fault === null) {
    if (column === null || awaited.length === 0) return [];
    return [{ check: said('responds', true, awaited.join(', '), awaited.join(', ')), finding: { code: 'plausible' } }];
  }
  const { code, name, share, series } = fault;
  switch (code) {
    case 'swapped':
      return [{ check: said('swapped', false, name, 'own_place' satisfies CheckWord), finding: { code, name } }];
    case 'stuck':
      return [
        {
          check: said('responds', false, null, name),
          finding: { code, name, value: series.points.length, unit: '' },
        },
      ];
    case 'reversed_sensor':
      return [{ check: said('direction', false, null, name), finding: { code, name } }];
    case 'offset':
      return [offsetCheck(fault)];
    case 'gain': {
      const value = Number((share ?? 0).toPrecision(2));
      const check: ItemCheck = { code, passed: false, measured: value, expected: '1', unit: '' };
      return [{ check, finding: { code, name, value } }];
    }
  }
}

/** Of two that an exchange shows to differ, each is compared with the other. */
function offsetCheck({ level, series, name }: SensorFault): Found {
  if (level === undefined) throw new TypeError('a fault of a level comes without it');
  const { offset, margin, tolerance, unit, outside } = level;
  const isOutside = outside !== null && isSameSensor(outside, series);
  const other = isOutside ? level.series.name : outside?.name;
  const own = (isOutside ? -1 : 1) * offset;
  const value = round(own);
  const check: ItemCheck = { code: 'offset', passed: false, measured: value, expected: `±${round(tolerance)}`, unit };
  if (other === undefined) return { check, finding: { code: 'offset', name, value, unit } };
  const expected = `±${round(margin)}`;
  return { check, finding: { code: 'offset_pair', name: other, other: name, value, unit, expected } };
}

function round(value: number): number {
  return Number(value.toPrecision(2));
}

/** Equal readings that are needed to call a line flat. */
const flatCount = 12;

/**
 * Equal readings are flat if the sensor resolves less than its own noise; one that rounds to a tenth may repeat itself
 * for as long as nature does.
 */
function flatChecks({ series, role }: SensorCase): Found[] {
  const { flatAfter_s, restsAtZero, noise } = sensorLimits[role];
  const { points } = series;
  const value = points[0]?.value ?? 0;
  const flat_s = points.every((one) => one.value === value) ? span_s(series) : 0;
  if (restsAtZero && value === 0) return [];
  const isFiner = noise !== null && finestStep(value) < noise / 20 && points.length >= flatCount;
  if (flatAfter_s === null && !isFiner) return [];
  // One reading fewer may be chance.
  const chance_s = Math.floor(span_s({ ...series, points: points.slice(0, flatCount - 1) }));
  const limit_s = isFiner ? chance_s : (flatAfter_s ?? Infinity);
  const check: ItemCheck = {
    code: 'flat_line',
    passed: flat_s <= limit_s,
    measured: Math.round(flat_s),
    expected: `<= ${limit_s}`,
    unit: 's',
  };
  return [{ check, finding: { code: 'flat', value: Math.round(flat_s), unit: 's' } }];
}

/** The last digit of a reading, 0.00001 at the finest. */
function finestStep(value: number): number {
  const digits = [0, 1, 2, 3, 4].find((one) => Math.abs(value * 10 ** one - Math.round(value * 10 ** one)) < 1e-7);
  return digits === undefined ? 1e-5 : 10 ** -digits;
}

/** Noise and drift beside what was driven. */
function movementChecks({ role, column, series, fault, sun_w_m2, awaited }: SensorCase): Found[] {
  const { noise, drift_per_h } = sensorLimits[role];
  if (column === null || fault !== null) return [];
  const found: Found[] = [];
  if (column.lag_s >= slowLag_s && awaited.length > 0) {
    const check = atMost('lag', column.lag_s, slowLag_s, 's');
    found.push({
      check: { ...check, passed: false },
      finding: { code: 'slow_sensor', name: awaited.join(', '), value: column.lag_s / 60, unit: 'min' },
    });
  }
  if (noise !== null) {
    const check = atMost('residual', column.residual, noise, series.unit);
    found.push({ check, finding: { ...implausible(check) } });
  }
  if (drift_per_h !== null && column.slope_per_s !== null) {
    const limit = driftLimit(drift_per_h, column, sun_w_m2);
    const drift = sureDrift_per_h(column, limit < drift_per_h ? rarely : certainty);
    const check = atMost('drift', drift, limit, `${series.unit}/h`);
    found.push({ check, finding: { ...implausible(check) } });
  }
  return found;
}

/** A house without sun: what the air outdoors and the soil change in an hour, K. */
const darkDrift_per_h = 6;
/** What the sun adds in an hour, K for each W/m2: a fifth of it warms the house (van Henten 1994). */
const sunDrift_per_h = (3600 * solarHeatShare) / houseHeat_j_m2k;
/** A warmed house loses at most this share of its distance to outdoors in an hour. */
const coolingShare_per_h = 2;
/**
 * Without much sun a house is on most days far slower than its limit: so a confidence of nine in ten is enough for an
 * excess.
 */
const rarely = 0.9;

/** Fastest natural drift in the present state: a warm house may fall faster towards outdoors. */
function driftLimit(usual: number, { slope_per_s, gap }: Column, sun_w_m2: number | null): number {
  const sun_k = sunDrift_per_h * Math.max(0, sun_w_m2 ?? Infinity);
  const still = Math.min(usual, Math.round(darkDrift_per_h + sun_k));
  const isFalling = Math.sign(slope_per_s?.estimate ?? 0) === Math.sign(gap);
  return isFalling ? Math.max(still, coolingShare_per_h * Math.abs(gap)) : still;
}

/** The minimum drift at a one-sided confidence. */
function sureDrift_per_h({ slope_per_s, degrees }: Column, probability: number): number {
  const { estimate, error } = slope_per_s ?? { estimate: 0, error: 0 };
  return 3600 * Math.max(0, Math.abs(estimate) - quantile(probability, degrees) * error);
}

function balanceChecks({ balances }: SensorCase): Found[] {
  return balances.map(({ check, other }) => ({
    check,
    finding: { code: 'unbalanced', name: other, expected: check.expected, unit: check.unit, ...valueOf(check) },
  }));
}

function said(code: ItemCheck['code'], passed: boolean, measured: string | null, expected: string): ItemCheck {
  return { code, passed, measured, expected, unit: '' };
}

function plausibilityFinding(checks: readonly ItemCheck[]): Finding {
  const failed = checks.find(({ passed }) => passed === false);
  return failed === undefined ? { code: 'plausible' } : implausible(failed);
}

function implausible(check: ItemCheck): Finding {
  const { code, unit, expected } = check;
  return { code: 'implausible', check: code, expected, unit, ...valueOf(check) };
}

function valueOf({ measured }: ItemCheck): { value?: number } {
  return typeof measured === 'number' ? { value: measured } : {};
}

function span_s({ points }: Series): number {
  return (points.at(-1)?.time_s ?? 0) - (points[0]?.time_s ?? 0);
}
