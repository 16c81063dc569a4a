import type { CheckCode, ItemCheck, ItemResult } from '../../contract/commissioning.ts';
import type { SensorRole } from '../../contract/facility.ts';
import { mean, median, type Point } from './point.ts';
import { sensorLimits } from './sensor-limits.ts';

/** The readings of a sensor while nothing was driven. */
export interface Heard {
  role: SensorRole;
  unit: string;
  /** Good readings. */
  points: readonly Point[];
  /** All readings, the bad ones too. */
  count: number;
  /** How many its period should have produced. */
  due: number;
  /** Means of the other sensors of its role. */
  peers: readonly number[];
}

/** With a smaller share of its readings a sensor is unfit for control. */
const enoughHeard = 0.7;

/** The plausibility tests of QARTOD (IOOS 2015) over live readings, and the agreement with others of the role. */
export function plausibilityChecks(heard: Heard): ItemCheck[] {
  const { points, role, unit, count, due } = heard;
  const received = check(
    'received',
    count >= Math.max(1, enoughHeard * due),
    count,
    `>= ${Math.ceil(enoughHeard * due)}`,
    '',
  );
  if (count === 0) return [received];
  const quality = check(
    'quality',
    points.length >= enoughHeard * count,
    points.length,
    `>= ${Math.ceil(enoughHeard * count)}`,
    '',
  );
  if (points.length === 0) return [received, quality];
  const values = points.map(({ value }) => value);
  const found = [received, quality, rangeCheck(values, role, unit)];
  return [...found, ...movementChecks(heard), ...agreementCheck(heard)];
}

function rangeCheck(values: readonly number[], role: SensorRole, unit: string): ItemCheck {
  const [low, high] = sensorLimits[role].usual;
  const far = values.find((value) => value < low || value > high);
  return check('range', far === undefined, far ?? median(values), `${low}..${high}`, unit);
}

function movementChecks({ points, role, unit }: Heard): ItemCheck[] {
  const { spike, rate_per_min, noise } = sensorLimits[role];
  const values = points.map(({ value }) => value);
  const found: ItemCheck[] = [];
  const [largest, jitter, fastest] = [largestSpike(values), noiseOf(values), fastestRate(points)];
  if (spike !== null && largest !== null) found.push(atMost('spike', largest, spike, unit));
  if (rate_per_min !== null && fastest !== null) found.push(atMost('rate', fastest, rate_per_min, `${unit}/min`));
  if (noise !== null && jitter !== null) found.push(atMost('noise', jitter, noise, unit));
  return found;
}

function agreementCheck({ points, role, unit, peers }: Heard): ItemCheck[] {
  const { agreement } = sensorLimits[role];
  if (agreement === null || peers.length === 0) return [];
  const own = mean(points.map(({ value }) => value));
  // With three or more, the median includes all: between two others, one far off would move it halfway.
  const apart = Math.abs(own - median(peers.length > 1 ? [own, ...peers] : peers));
  return [atMost('agreement', apart, agreement, unit)];
}

/** The largest distance of a reading from the mean of its neighbours. */
export function largestSpike(values: readonly number[]): number | null {
  if (values.length < 3) return null;
  const at = (index: number): number => values[index] ?? 0;
  return Math.max(...values.slice(1, -1).map((value, index) => Math.abs(value - (at(index) + at(index + 2)) / 2)));
}

/** Standard deviation of one reading to the next, which a drift does not raise (von Neumann 1941). */
export function noiseOf(values: readonly number[]): number | null {
  if (values.length < 5) return null;
  const steps = values.slice(1).map((value, index) => (value - (values[index] ?? value)) ** 2);
  return Math.sqrt(mean(steps) / 2);
}

/** Overall change during the watch, a minute: from the median of the first third to that of the last. */
export function fastestRate(points: readonly Point[]): number | null {
  const third = Math.floor(points.length / 3);
  if (third < 2) return null;
  const [first, last] = [points.slice(0, third), points.slice(-third)];
  const level = (part: readonly Point[]): number => median(part.map(({ value }) => value));
  const time = (part: readonly Point[]): number => mean(part.map(({ time_s }) => time_s));
  const span_s = time(last) - time(first);
  return span_s <= 0 ? null : (Math.abs(level(last) - level(first)) / span_s) * 60;
}

const faults: ReadonlySet<CheckCode> = new Set(['quality', 'swapped', 'responds', 'direction']);

/** The result of a sensor's checks: silent, at fault, worth a look, or well. */
export function sensorResult(checks: readonly ItemCheck[], role: SensorRole): ItemResult {
  const failed = checks.filter(({ passed }) => passed === false);
  if (failed.some(({ code, measured }) => code === 'received' && measured === 0)) return 'timeout';
  const [low, high] = sensorLimits[role].fault;
  const isOut = failed.some(
    ({ code, measured }) => code === 'range' && (Number(measured) < low || Number(measured) > high),
  );
  if (isOut || failed.some(({ code }) => faults.has(code))) return 'fail';
  return failed.length > 0 ? 'warn' : 'ok';
}

export function atMost(code: CheckCode, measured: number, limit: number, unit: string): ItemCheck {
  return check(code, measured <= limit, measured, `<= ${limit}`, unit);
}

function check(code: CheckCode, passed: boolean, measured: number, expected: string, unit: string): ItemCheck {
  return { code, passed, measured: Number(measured.toPrecision(3)), expected, unit };
}
