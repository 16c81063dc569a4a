import type { CheckWord, Finding } from '../../contract/commissioning-finding.ts';
import type { ItemCheck, ItemResult } from '../../contract/commissioning.ts';
import type { SensorRole } from '../../contract/facility.ts';
import { quantityFacts } from './quantity.ts';
import { sensorLimits } from './sensor-limits.ts';
import { sensorResult } from './sensor-checks.ts';
import type { Series } from './series.ts';

/** Everything known of a sensor at the end of a check. */
export interface SensorCase {
  series: Series;
  role: SensorRole;
  /** From the time when nothing was driven. */
  plausibility: readonly ItemCheck[];
  /** Other sensors of its role. */
  peers: readonly Series[];
  /** Actuators that answered and should have moved it, and those that should have and were not seen to. */
  answered: readonly string[];
  unanswered: readonly string[];
  /** The sensor that answered in its place. */
  swappedWith: string | null;
}

export interface SensorJudgement {
  result: ItemResult;
  finding: Finding;
  checks: ItemCheck[];
}

/** Readings that must be the same to the last digit before a line is called flat. */
const flatCount = 20;

/** Judges a sensor by its plausibility and by what moved, or did not move it, during the check. */
export function judgeSensor(one: SensorCase): SensorJudgement {
  const { role, plausibility, series } = one;
  if (series.points.length === 0) {
    const result = sensorResult(plausibility, role);
    return { result, finding: { code: 'nothing_heard' }, checks: [...plausibility] };
  }
  const found = [swapCheck(one), stuckCheck(one), flatCheck(one)].filter((check) => check !== null);
  const checks = [...plausibility, ...found.map(({ check }) => check)];
  const finding = found.find(({ check }) => check.passed === false)?.finding ?? plausibilityFinding(plausibility);
  return { result: sensorResult(checks, role), finding, checks };
}

interface Found {
  check: ItemCheck;
  /** What it means that the check was not passed. */
  finding: Finding;
}

function swapCheck({ swappedWith }: SensorCase): Found | null {
  if (swappedWith === null) return null;
  const check: ItemCheck = {
    code: 'swapped',
    passed: false,
    measured: swappedWith,
    expected: 'own_place' satisfies CheckWord,
    unit: '',
  };
  return { check, finding: { code: 'swapped', name: swappedWith } };
}

/** A flat line is a fault where something must have moved it: an actuator that others saw, peers that moved, or two silent actuators. */
function stuckCheck(one: SensorCase): Found | null {
  const { series, answered, unanswered, swappedWith } = one;
  const { quantity, unit } = series;
  if (quantity === null || swappedWith !== null || answered.length + unanswered.length === 0) return null;
  const { least } = quantityFacts[quantity];
  const moved = spread(series);
  const expected = `>= ${least}`;
  const measured = Number(moved.toPrecision(3));
  const drivenBy = [...answered, ...unanswered].join(', ');
  const finding = { code: 'stuck', name: drivenBy, value: series.points.length, unit: '' } as const;
  if (moved >= least) return { check: { code: 'responds', passed: true, measured, expected, unit }, finding };
  const hasPeerMoved = one.peers.some((peer) => spread(peer) >= 2 * least);
  const isProven = answered.length > 0 || hasPeerMoved || unanswered.length > 1;
  const passed = isFlat(series) && isProven ? false : null;
  return { check: { code: 'responds', passed, measured, expected, unit }, finding };
}

function flatCheck({ series, role }: SensorCase): Found | null {
  const { flatAfter_s, restsAtZero } = sensorLimits[role];
  const value = series.points[0]?.value;
  if (flatAfter_s === null || (restsAtZero && value === 0)) return null;
  const flat_s = isFlat(series) ? span_s(series) : 0;
  const check: ItemCheck = {
    ...{ code: 'flat_line', passed: flat_s <= flatAfter_s, measured: Math.round(flat_s) },
    ...{ expected: `<= ${flatAfter_s}`, unit: 's' },
  };
  return { check, finding: { code: 'flat', value: Math.round(flat_s), unit: 's' } };
}

function plausibilityFinding(checks: readonly ItemCheck[]): Finding {
  const failed = checks.find(({ passed }) => passed === false);
  if (failed === undefined) return { code: 'plausible' };
  const { code: check, measured, unit, expected } = failed;
  return { code: 'implausible', check, expected, unit, ...(typeof measured === 'number' && { value: measured }) };
}

function isFlat({ points }: Series): boolean {
  return points.length >= flatCount && points.every(({ value }) => value === points[0]?.value);
}

function spread({ points }: Series): number {
  const values = points.map(({ value }) => value);
  return Math.max(...values) - Math.min(...values);
}

function span_s({ points }: Series): number {
  return (points.at(-1)?.time_s ?? 0) - (points[0]?.time_s ?? 0);
}
