import type { ItemCheck } from '../../contract/commissioning.ts';
import type { SensorRole } from '../../contract/facility.ts';
import { median } from './point.ts';
import { quantityFacts } from './quantity.ts';
import type { Series } from './series.ts';

/** A check of one sensor against another, with its name. */
export interface Balance {
  series: Series;
  check: ItemCheck;
  other: string;
  /** It bounds the level from both sides, so passing it proves the level. */
  isProof: boolean;
}

/**
 * Without sun or machines a house stays this close to the air outside, K: the soil returns 3 to 4 W/m2 for each kelvin.
 */
const restingDistance_k = 4;
/** Below this there is no sun to warm a house, W/m2. */
const dark_w_m2 = 5;
/** A house holds at least this share of the vapour outdoors: crop and soil only add to it. */
const leastVapourShare = 0.7;
/** Light indoors as a share of the sun: less than the darkest covering transmits. */
const leastLightShare = 0.25;
/** More than the covering transmits, by the difference of two radiometers of a tenth each. */
const apart = 1.14;
/** The share is judged from this sun on, and what a sensor may show without sun, W/m2. */
const bright_w_m2 = 100;
const glow_w_m2 = 40;

/** What is known about the machines of the house. */
export interface Rest {
  /** All have been off for an hour. */
  isAtRest: boolean;
  /** No lamp is on and no screen is drawn. */
  isOpenToSky: boolean;
  /** Share of the sun that the covering transmits; 1 when unknown. */
  transmittance: number;
}

/** What must agree while the house is left alone. */
export function balancesOf(all: readonly Series[], { isAtRest, isOpenToSky, transmittance }: Rest): Balance[] {
  return [
    ...(isOpenToSky ? lightBalance(all, transmittance) : []),
    ...vapourBalance(all),
    ...(isAtRest ? warmthBalance(all) : []),
  ];
}

function lightBalance(all: readonly Series[], transmittance: number): Balance[] {
  const [light, sun] = [found(all, 'indoor_light'), found(all, 'outdoor_solar')];
  if (light === undefined || sun === undefined) return [];
  const [inside, outside] = [levelOf(light), levelOf(sun)];
  const most = apart * transmittance;
  const low = outside > bright_w_m2 ? leastLightShare * outside : -glow_w_m2;
  const least = inside > bright_w_m2 ? inside / most : -glow_w_m2;
  return [
    balance(light, sun, { value: inside, low, high: most * Math.max(0, outside) + glow_w_m2 }),
    balance(sun, light, { value: outside, low: least - glow_w_m2, high: inside / leastLightShare + bright_w_m2 }),
  ];
}

function vapourBalance(all: readonly Series[]): Balance[] {
  const ofUnit = all.filter(({ unit }) => unit === quantityFacts.vapour.unit);
  const [inside, outside] = [
    ofUnit.find(({ quantity }) => quantity !== null),
    ofUnit.find(({ quantity }) => quantity === null),
  ];
  if (inside === undefined || outside === undefined || inside.points.length === 0 || outside.points.length === 0)
    return [];
  const low = leastVapourShare * levelOf(outside) - 0.5;
  return [balance(inside, outside, { value: levelOf(inside), low, high: Infinity })];
}

/** Whether there is enough sun to judge the light inside by it. */
export function isBright(all: readonly Series[]): boolean {
  const sun = found(all, 'outdoor_solar');
  return sun !== undefined && levelOf(sun) > bright_w_m2;
}

/** Sun by the sensor outdoors, W/m2; null when unknown. */
export function sunOf_w_m2(all: readonly Series[]): number | null {
  const sun = found(all, 'outdoor_solar');
  return sun === undefined ? null : levelOf(sun);
}

function warmthBalance(all: readonly Series[]): Balance[] {
  const [inside, outside, sun] = [found(all, 'indoor_temp'), found(all, 'outdoor_temp'), found(all, 'outdoor_solar')];
  if (inside === undefined || outside === undefined || sun === undefined || levelOf(sun) > dark_w_m2) return [];
  const near = (series: Series, beside: Series): Balance => {
    const level = levelOf(beside);
    const [low, high] = [level - restingDistance_k, level + restingDistance_k];
    return balance(series, beside, { value: levelOf(series), low, high });
  };
  return [near(inside, outside), near(outside, inside)];
}

function balance(
  series: Series,
  beside: Series,
  { value, low, high }: { value: number; low: number; high: number },
): Balance {
  const bound = (one: number): string => String(Number(one.toPrecision(3)));
  const check: ItemCheck = {
    code: 'balance',
    passed: value >= low && value <= high,
    measured: Number(value.toPrecision(3)),
    expected: Number.isFinite(high) ? `${bound(low)}..${bound(high)}` : `>= ${bound(low)}`,
    unit: series.unit,
  };
  return { series, check, other: beside.name, isProof: Number.isFinite(high) };
}

function found(all: readonly Series[], role: SensorRole): Series | undefined {
  return all.find((one) => one.role === role && one.points.length > 0 && one.unit !== quantityFacts.vapour.unit);
}

function levelOf({ points }: Series): number {
  return median(points.map(({ value }) => value));
}
