import type { Accuracy, ReferencePoint } from '../../contract/commissioning-accuracy.ts';
import type { SensorRole } from '../../contract/facility.ts';
import { sunOf } from '../analytics/light-sum.ts';
import { mean } from './point.ts';

interface Tolerance {
  /** In the unit of the role, light in W/m2. */
  absolute: number;
  /** Of the reference, added. */
  share?: number;
}

/**
 * Default maximum error of a sensor in a role against a reference: what data sheets of greenhouse sensors promise over
 * their range. Flow: water meters of class 2 (OIML R 49).
 */
const tolerances: Readonly<Record<SensorRole, Tolerance>> = {
  indoor_temp: { absolute: 0.5 },
  outdoor_temp: { absolute: 0.5 },
  soil_temp: { absolute: 0.5 },
  indoor_humidity: { absolute: 3 },
  outdoor_humidity: { absolute: 3 },
  indoor_co2: { absolute: 50, share: 0.03 },
  indoor_light: { absolute: 10, share: 0.1 },
  outdoor_solar: { absolute: 10, share: 0.1 },
  outdoor_longwave: { absolute: 10, share: 0.05 },
  soil_moisture: { absolute: 3 },
  leaf_wetness: { absolute: 10 },
  outdoor_wind: { absolute: 0.5, share: 0.05 },
  outdoor_wind_dir: { absolute: 5 },
  rain: { absolute: 0.2, share: 0.05 },
  water_flow: { absolute: 5, share: 0.02 },
  water_pressure: { absolute: 5_000, share: 0.01 },
  drain_flow: { absolute: 5, share: 0.02 },
  pipe_temp: { absolute: 1 },
};

/** Two references closer together than this many allowed errors say nothing about the gain. */
const apartFactor = 4;

/** Maximum error at a reference, both in the unit of the sensor: light may also be in lx or umol/m2/s. */
export function allowedError(role: SensorRole, reference: number, unit = ''): number {
  const { absolute, share = 0 } = tolerances[role];
  return absolute / (sunOf(unit) ?? 1) + share * Math.abs(reference);
}

export interface Comparison {
  role: SensorRole;
  /** Good readings of the preceding seconds, at least one. */
  readings: readonly number[];
  reference: number;
  allowed: number;
}

/** Compares a sensor with a reference; `spread` is from its lowest reading to its highest. */
export function compare({ role, readings, reference, allowed }: Comparison) {
  const errors = readings.map((one) => difference(role, one, reference));
  const error = mean(errors);
  const squares = errors.map((one) => (one - error) ** 2);
  return {
    measured: isDirection(role) ? (reference + error + 360) % 360 : reference + error,
    error,
    noise: errors.length < 2 ? null : Math.sqrt((mean(squares) * errors.length) / (errors.length - 1)),
    spread: Math.max(...errors) - Math.min(...errors),
    count: errors.length,
    passed: Math.abs(error) <= allowed,
  };
}

/** The result of the points so far: the line through the last of each number, and whether their errors are allowed. */
export function accuracyOf(role: SensorRole, unit: string, points: readonly ReferencePoint[]): Accuracy {
  const [first, second] = [1, 2].map((number) => points.findLast(({ point }) => point === number));
  const counting = [first, second].filter((one) => one !== undefined);
  const apart = counting.length === 0 ? null : apartFactor * Math.max(...counting.map(({ allowed }) => allowed));
  const isWhole = first !== undefined && second !== undefined && isApart(role, { first, second, apart: apart ?? 0 });
  const line = isWhole && !isDirection(role) ? lineThrough(first, second) : { gain: null, offset: null };
  const hasFailed = counting.some(({ passed }) => !passed);
  return { unit, points: [...points], ...line, apart, passed: hasFailed ? false : isWhole ? true : null };
}

interface Pair {
  first: ReferencePoint;
  second: ReferencePoint;
  apart: number;
}

function isApart(role: SensorRole, { first, second, apart }: Pair): boolean {
  return Math.abs(difference(role, second.reference, first.reference)) >= apart;
}

function lineThrough(first: ReferencePoint, second: ReferencePoint): { gain: number; offset: number } {
  const gain = (second.measured - first.measured) / (second.reference - first.reference);
  return { gain, offset: first.measured - gain * first.reference };
}

/** For directions the shorter way round, -180 to 180. */
function difference(role: SensorRole, one: number, other: number): number {
  return isDirection(role) ? ((((one - other + 180) % 360) + 360) % 360) - 180 : one - other;
}

function isDirection(role: SensorRole): boolean {
  return role === 'outdoor_wind_dir';
}
