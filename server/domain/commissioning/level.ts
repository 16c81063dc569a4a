import type { ActuatorRole, SensorRole } from '../../contract/facility.ts';
import { vapourDensity_kg_m3 } from '../climate/air.ts';
import { effectsOf, type Assessment } from './assessment.ts';
import { isVent } from './actuator-test.ts';
import { certainty, shareOf, sightOf, type Column, type Effect } from './effect.ts';
import { median } from './point.ts';
import { quantityFacts, type Quantity } from './quantity.ts';
import { quantile } from './regression.ts';
import { sensorLimits } from './sensor-limits.ts';
import { travelOf, type Series } from './series.ts';

/**
 * How far a sensor is from the level to which an exchange with the air outdoors draws it. The effect of an exchange is
 * proportional to the true distance to outdoors, so comparing it with the same flow's effect on carbon dioxide, and
 * with the heater's effect on the same warmth, is a second way to that distance: the heat that the house stores and the
 * gain of the sensor cancel out.
 */
export interface Level {
  series: Series;
  /** What it was compared with; null for the usual carbon dioxide outdoors. */
  outside: Series | null;
  /** Devices whose exchange shows it. */
  names: string;
  /**
   * Reading less the level by the exchange, in the unit of the quantity, and its bound at the confidence of a verdict.
   */
  offset: number;
  margin: number;
  unit: string;
  /** A larger offset is implausible; a smaller one, with its margin, is proof. */
  tolerance: number;
  /** It depends on one device or on an unsteady distance: it can prove a level, not refute one. */
  isRough: boolean;
  /** Something clearly moves it: a sensor hanging elsewhere is as still as one at the outdoor level. */
  isMoved: boolean;
}

/**
 * Uncertainty of a flow by its rating or the wind network, and of the stored heat by a heater, as shares at the
 * confidence of a verdict.
 */
const flowError = 0.3;
const storageError = 0.5;
/** A heater within these shares of its rating measures the stored heat; any other may be weak itself. */
const calibrating = [0.65, 1.5] as const;
/** Bounds for a flow that another sensor measures. */
const measuredWithin = 0.5;
/** Proof allows twice the difference of sensors of one role. */
const provenWithin = 2;

const sides: Partial<Record<Quantity, { role: SensorRole; outside: SensorRole | null }>> = {
  temp: { role: 'indoor_temp', outside: 'outdoor_temp' },
  vapour: { role: 'indoor_humidity', outside: 'outdoor_humidity' },
  co2: { role: 'indoor_co2', outside: null },
};

/** What the exchanges of a round show about the levels of the sensors that responded. */
export function levelsOf(assessment: Assessment, all: readonly Series[]): Level[] {
  const found = assessment.columns.flatMap((column) => levelOf(column, assessment, all) ?? []);
  // Vapour is calculated with the thermometers: while those are not proven it says nothing about a hygrometer.
  const isWarmthOpen = found.some((one) => one.series.quantity === 'temp' && !isProven(one));
  return isWarmthOpen ? found.filter(({ series }) => series.quantity !== 'vapour') : found;
}

export function isOff({ offset, margin, tolerance, isRough }: Level): boolean {
  return !isRough && Math.abs(offset) - margin > tolerance;
}

export function isProven({ offset, margin, tolerance, isMoved }: Level): boolean {
  return isMoved && Math.abs(offset) + margin < provenWithin * tolerance;
}

function levelOf(column: Column, assessment: Assessment, all: readonly Series[]): Level | null {
  const { quantity, series, gap, effects } = column;
  const side = sides[quantity];
  const outside = side?.outside == null ? null : outsideOf(quantity, side.outside, all);
  if (side === undefined || outside === undefined) return null;
  const stored = quantity === 'temp' ? storedOf(column) : { share: 1, margin: 0 };
  const isWindKnown = all.some(({ role, points }) => role === 'outdoor_wind' && points.length > 0);
  const witnesses = effects
    .flatMap((effect) => witnessOf(effect, column, assessment) ?? [])
    .filter(({ role, isMeasured }) => isMeasured || isWindKnown || !isVent(role));
  if (witnesses.length === 0) return null;
  // A single one may itself be weak.
  const isSure = witnesses.some(({ isMeasured }) => isMeasured) || witnesses.length > 1;
  const common = pooled(witnesses);
  const unknown = Math.hypot(flowError, stored.margin / stored.share);
  const distance = common.distance / stored.share;
  return {
    series,
    outside,
    names: witnesses.map(({ name }) => name).join(', '),
    // Both distances are outdoors less indoors.
    offset: distance - gap,
    margin: Math.hypot(common.margin / stored.share, unknown * distance),
    unit: quantityFacts[quantity].unit,
    tolerance: toleranceOf(quantity, side.role, all),
    isRough: !isSure || witnesses.some(({ isRough }) => isRough),
    isMoved: effects.some((one) => sightOf(one) === 'works'),
  };
}

/**
 * Weighted by certainty; when they contradict each other one is itself at fault, and all are as uncertain as they
 * differ.
 */
function pooled(witnesses: readonly Witness[]): { distance: number; margin: number } {
  const total = witnesses.reduce((sum, { margin }) => sum + margin ** -2, 0);
  const distance = witnesses.reduce((sum, one) => sum + one.distance * one.margin ** -2, 0) / total;
  const dissent = witnesses.map((one) => Math.max(0, Math.abs(one.distance - distance) - one.margin));
  return { distance, margin: Math.hypot(total ** -0.5, ...dissent) };
}

/** undefined when the sensor is required but missing. */
function outsideOf(quantity: Quantity, role: SensorRole, all: readonly Series[]): Series | undefined {
  return all.find((one) => one.role === role && one.unit === quantityFacts[quantity].unit && one.points.length > 0);
}

function toleranceOf(quantity: Quantity, role: SensorRole, all: readonly Series[]): number {
  const tolerance = sensorLimits[role].agreement ?? Infinity;
  if (quantity !== 'vapour') return tolerance;
  const temp = all.find((one) => one.quantity === 'temp')?.points.map(({ value }) => value) ?? [];
  return 1000 * vapourDensity_kg_m3(temp.length === 0 ? 20 : median(temp), tolerance);
}

/** How much faster than expected the house warms, by a heater close to its rating. */
function storedOf({ effects }: Column): { share: number; margin: number } {
  const heaters = effects.filter(({ expected }) => expected?.following === 'rate' && expected.isRated);
  for (const one of heaters) {
    const bounds = shareOf(one);
    if (bounds === null || sightOf(one) !== 'works') continue;
    const isFit = bounds.share > calibrating[0] && bounds.share < calibrating[1];
    if (isFit) return { share: bounds.share, margin: bounds.high - bounds.share };
  }
  return { share: 1, margin: storageError };
}

interface Witness {
  name: string;
  role: ActuatorRole;
  /** True distance to outdoors, and its bound. */
  distance: number;
  margin: number;
  /** The flow itself was measured by another sensor. */
  isMeasured: boolean;
  isRough: boolean;
}

/** A device whose air exchange another sensor shows, or that moves this one beyond doubt. */
function witnessOf(effect: Effect, column: Column, assessment: Assessment): Witness | null {
  const own = distanceOf(effect, column);
  if (own === null) return null;
  const { name, role } = effect.driver;
  const elsewhere = effectsOf(assessment, name).filter(
    (one) => one.column.quantity !== column.quantity && one.effect.expected?.following === 'exchange',
  );
  const flow = flowOf(elsewhere);
  if (flow !== null) {
    const distance = own.distance / flow.share;
    const margin = Math.hypot(own.margin, distance * flow.margin) / flow.share;
    return { name, role, distance, margin, isMeasured: true, isRough: own.isRough };
  }
  const isSeen = Math.abs(own.distance) > own.margin || elsewhere.some((one) => sightOf(one.effect) === 'works');
  return isSeen ? { name, role, ...own, isMeasured: false } : null;
}

/**
 * The distance to outdoors by an exchange. If it is small compared with the reading's movement meanwhile, that whole
 * movement is uncertainty.
 */
function distanceOf({ driver, quantity, size, degrees, expected }: Effect, { gap, series }: Column) {
  const due = driver.expected[quantity];
  if (due?.following !== 'exchange' || due.size === 0) return null;
  const travel = travelOf(series);
  const isRough = expected === null || Math.abs(gap) < travel / 2;
  const unit = (expected === null ? 1 : gap) / due.size;
  const bound = Math.abs(unit) * quantile(certainty, degrees) * size.error;
  return { distance: unit * size.estimate, margin: isRough ? Math.hypot(bound, travel) : bound, isRough };
}

/** A device's flow as a share of the expected one, by carbon dioxide, whose outdoor level is known. */
function flowOf(elsewhere: readonly { column: Column; effect: Effect }[]): { share: number; margin: number } | null {
  const gas = elsewhere.find(({ column, effect }) => column.quantity === 'co2' && sightOf(effect) === 'works');
  const bounds = gas === undefined ? null : shareOf(gas.effect);
  if (bounds === null) return null;
  const margin = bounds.high - bounds.share;
  return margin < measuredWithin && bounds.share > measuredWithin ? { share: bounds.share, margin } : null;
}
