import type { ActuatorRole } from '../../contract/facility.ts';
import { actuatorTests } from './actuator-test.ts';
import type { Expected, ExpectedEffects } from './expected-effect.ts';
import { mean, type Point } from './point.ts';
import { quantityFacts, type Quantity } from './quantity.ts';
import { quantile, regress, type Coefficient, type Fit, type Usual } from './regression.ts';
import { regressorOf, type Following } from './regressor.ts';
import type { Series } from './series.ts';
import { levelAt, type Switch } from './switching.ts';

/** An actuator that was switched, and how. */
export interface Driver {
  name: string;
  role: ActuatorRole;
  signal: readonly Switch[];
  expected: ExpectedEffects;
  /** A time constant of its own beside the sensors', s. */
  lag_s?: number;
}

/** The effect of one actuator on one sensor. */
export interface Effect {
  driver: Driver;
  quantity: Quantity;
  /** null when no effect is expected. */
  expected: Expected | null;
  /** In the unit of the quantity: a second, at once, or per distance to outdoors and second. */
  size: Coefficient;
  degrees: number;
}

/** What one sensor shows of everything that was switched at the same time. */
export interface Column {
  series: Series;
  quantity: Quantity;
  effects: readonly Effect[];
  /** Standard deviation of what no actuator and no trend explains. */
  residual: number;
  /**
   * Change a second at the middle, without prior knowledge of the quantity; only for temperature, and null in a quick
   * comparison.
   */
  slope_per_s: Coefficient | null;
  degrees: number;
  /** Time constant of its response, s. */
  lag_s: number;
  count: number;
  /** Outdoors less the sensor's mean; 0 when unknown. */
  gap: number;
  /** Remaining sum of squares. */
  left: number;
}

export interface Span {
  from_s: number;
  to_s: number;
}

/** What is known beside the sensor itself. */
export interface Beside {
  /** Level of the quantity outdoors; null when unknown. */
  outdoors: number | null;
  /** Something that moves it too, as the sun moves the light indoors. */
  companion: readonly Point[] | null;
  /** A fixed lag, s, without a search for unexpected drivers: for a quick comparison. */
  lag_s?: number;
}

/**
 * A sensor of the air with at least this lag is too slow for control, s: common ones follow within one to five minutes.
 */
export const slowLag_s = 600;
/** Time constants that are tried, s: sensors in a screen need a minute or two, ducts and pipes more. */
const lags_s: Readonly<Record<Following, readonly number[]>> = {
  level: [0, 20, 60],
  rate: [0, 45, 120, 300, slowLag_s, 2 * slowLag_s],
  exchange: [0, 45, 120, 300],
};
/** A longer lag, or an unexpected driver, must reduce the remainder below this share. */
const worthIt = 0.6;
/** Confidence for accepting an unexpected effect: many drivers are tested. */
const certainly = 0.9995;
const mostStrange = 2;

/** One sensor's readings with the model fitted to them. */
class ColumnFit {
  readonly #quantity: Quantity;
  readonly #points: readonly Point[];
  readonly #outdoors: number | null;
  readonly #trend: readonly (readonly number[])[];
  readonly #usual: readonly Usual[];
  readonly #floor: number;
  readonly #following: Following;
  readonly #regressors = new Map<string, number[]>();
  lag_s = 0;

  constructor(quantity: Quantity, points: readonly Point[], { outdoors, companion }: Beside) {
    this.#quantity = quantity;
    this.#points = points;
    this.#outdoors = outdoors;
    this.#trend = trendOf(points, companion);
    this.#usual = this.#trend.map((_, index) => usualTrend(quantity, spanOf(points))[index] ?? unknown);
    this.#floor = floorOf(points, quantity);
    this.#following = usualFollowing(quantity);
  }

  /** With the lag that explains most; a longer one must be worth it. */
  best(drivers: readonly Driver[]): Fitted | null {
    let best: Fitted | null = null;
    for (const [index, lag_s] of lags_s[this.#following].entries()) {
      // Lags beyond any common sensor are tried only if the slowest common one fits best.
      if (lag_s >= slowLag_s && this.lag_s !== lags_s[this.#following][index - 1]) break;
      const found = this.by(drivers, lag_s);
      if (found === null || (best !== null && found.fit.left >= worthIt * best.fit.left)) continue;
      best = found;
      this.lag_s = lag_s;
    }
    return best;
  }

  by(drivers: readonly Driver[], lag_s = this.lag_s): Fitted | null {
    const columns = [...this.#trend, ...drivers.map((one) => this.#regressor(one, lag_s))];
    const usual = [...this.#usual, ...drivers.map((one) => this.#usualOf(one))];
    const fit = regress(values(this.#points), columns, { floor: this.#floor, usual });
    return fit && { fit, drivers };
  }

  /** Change a second at the middle, without prior knowledge of the quantity. */
  slope(drivers: readonly Driver[]): Coefficient | null {
    const columns = [...this.#trend, ...drivers.map((one) => this.#regressor(one, this.lag_s))];
    const usual = [...this.#trend.map(() => unknown), ...drivers.map((one) => this.#wayOf(one).usual)];
    const fit = regress(values(this.#points), columns, { floor: this.#floor, usual });
    const { estimate, error } = fit?.coefficients[1] ?? { estimate: 0, error: Infinity };
    const half_s = spanOf(this.#points);
    return fit && { estimate: estimate / half_s, error: error / half_s };
  }

  effect({ fit, drivers }: Fitted, driver: Driver): Effect {
    const size = fit.coefficients[this.#trend.length + drivers.indexOf(driver)] ?? { estimate: 0, error: Infinity };
    const { expected } = this.#wayOf(driver);
    return { driver, quantity: this.#quantity, expected, size, degrees: fit.degrees };
  }

  #regressor(driver: Driver, lag_s: number): number[] {
    const key = `${driver.name} ${lag_s}`;
    const { signal, lag_s: own_s = 0 } = driver;
    const known = { points: this.#points, outdoors: this.#outdoors, lag_s: lag_s + own_s };
    const made =
      this.#regressors.get(key) ?? regressorOf({ signal, following: this.#wayOf(driver).following, ...known });
    this.#regressors.set(key, made);
    return made;
  }

  /**
   * Thermometers that are off or swapped show a multiple of the expected effect, or nothing: so warmth has no prior.
   */
  #usualOf(driver: Driver): Usual {
    return this.#quantity === 'temp' ? unknown : this.#wayOf(driver).usual;
  }

  #wayOf({ expected }: Driver): Way {
    const gap = { outdoors: this.#outdoors, quantity: this.#quantity, points: this.#points };
    return wayOf(expected[this.#quantity] ?? null, this.#following, gap);
  }
}

interface Fitted {
  fit: Fit;
  drivers: readonly Driver[];
}

/**
 * Fits a sensor with all drivers that may move it at once, and a curved trend; each other driver is then added by
 * itself, and stays if it clearly moves the sensor. null with too few readings.
 */
export function fitColumn(
  series: Series,
  quantity: Quantity,
  drivers: readonly Driver[],
  { span, ...beside }: Beside & { span: Span },
): Column | null {
  const heard = series.points.filter(({ time_s }) => time_s > span.from_s && time_s <= span.to_s);
  const points = usualFollowing(quantity) === 'level' ? heard : thinned(heard);
  const moved = drivers.filter(({ signal }) => isMoved(signal, points));
  const column = new ColumnFit(quantity, points, beside);
  const due = moved.filter(({ role }) => series.quantity !== null && actuatorTests[role].affects.includes(quantity));
  const plain = beside.lag_s === undefined ? column.best(due) : column.by(due, beside.lag_s);
  if (plain === null) return null;
  const others = beside.lag_s === undefined ? moved : [];
  const { fit, drivers: taken } = withStrangers(column, plain, others);
  return {
    series,
    quantity,
    lag_s: column.lag_s,
    count: points.length,
    residual: fit.residual,
    left: fit.left,
    gap: beside.outdoors === null ? 0 : beside.outdoors - mean(values(points)),
    slope_per_s: beside.lag_s === undefined && series.quantity === 'temp' ? column.slope(taken) : null,
    degrees: fit.degrees,
    effects: [
      ...taken.map((driver) => column.effect({ fit, drivers: taken }, driver)),
      ...addedTo({ fit, drivers: taken }, column, others).map(({ effect }) => effect),
    ],
  };
}

/** Maximum readings that are fitted: more add little, and cost time. */
const mostPoints = 60;

/** Means of successive readings when there are many; for a quantity that jumps they would blur the edges. */
function thinned(points: readonly Point[]): readonly Point[] {
  const every = Math.ceil(points.length / mostPoints);
  if (every <= 1) return points;
  return Array.from({ length: Math.floor(points.length / every) }, (_, index) => {
    const group = points.slice(index * every, (index + 1) * every);
    return { time_s: mean(group.map(({ time_s }) => time_s)), value: mean(values(group)) };
  });
}

/** Each driver that is not in a fit, added to it alone. */
function addedTo({ drivers }: Fitted, column: ColumnFit, moved: readonly Driver[]) {
  return moved.flatMap((driver) => {
    const found = drivers.includes(driver) ? null : column.by([...drivers, driver]);
    return found === null ? [] : [{ found, effect: column.effect(found, driver) }];
  });
}

function withStrangers(column: ColumnFit, plain: Fitted, moved: readonly Driver[]): Fitted {
  let taken = plain;
  for (let round = 0; round < mostStrange; round += 1) {
    const { left } = taken.fit;
    const [clearest] = addedTo(taken, column, moved)
      .filter(({ found, effect }) => found.fit.left < worthIt * left && isCertain(effect))
      .toSorted((one, other) => one.found.fit.left - other.found.fit.left);
    if (clearest === undefined) return taken;
    taken = clearest.found;
  }
  return taken;
}

/** Beyond chance, although many were tested. */
export function isCertain({ size, degrees }: Effect): boolean {
  return Math.abs(size.estimate) > quantile(certainly, degrees) * size.error;
}

interface Way {
  following: Following;
  expected: Expected | null;
  /** The prior of its effect. */
  usual: Usual;
}

interface Gap {
  outdoors: number | null;
  quantity: Quantity;
  points: readonly Point[];
}

/** An exchange with similar or unknown air is no evidence. */
function wayOf(expected: Expected | null, usual: Following, { outdoors, quantity, points }: Gap): Way {
  if (expected === null) return { following: usual, expected, usual: unknown };
  const { following } = expected;
  if (following !== 'exchange') return { following, expected, usual: usualEffect(expected) };
  if (outdoors === null) return { following: usual, expected: null, usual: unknown };
  const apart = Math.sqrt(mean(values(points).map((value) => (outdoors - value) ** 2)));
  const isJudged = apart >= (leastGaps[quantity] ?? Infinity);
  return { following, expected: isJudged ? expected : null, usual: usualEffect(expected) };
}

/**
 * Smallest difference to outdoors for judging an exchange: twice its uncertainty, which is half a kelvin and half a
 * gram for two sensors, and 20 ppm for assuming the usual air outdoors.
 */
const leastGaps: Partial<Record<Quantity, number>> = { temp: 1, vapour: 0.8, co2: 45 };

/** The difference to outdoors that is needed. */
export function leastGapOf(quantity: Quantity): number | undefined {
  return leastGaps[quantity];
}

function usualFollowing(quantity: Quantity): Following {
  return quantityFacts[quantity].promptWithin_s === undefined ? 'rate' : 'level';
}

function isMoved(signal: readonly Switch[], points: readonly Point[]): boolean {
  const levels = points.map(({ time_s }) => levelAt(signal, time_s));
  return Math.max(...levels) - Math.min(...levels) > 0.01;
}

/** How much a quantity drifts and curves by itself, standard deviations over a quarter of an hour and its square. */
const ownTrend: Partial<Record<Quantity, { drift: number; bend: number }>> = {
  temp: { drift: 1.2, bend: 1 },
  humidity: { drift: 6, bend: 6 },
  vapour: { drift: 0.8, bend: 0.7 },
  co2: { drift: 30, bend: 25 },
};

/** The same for level, slope and curvature over half of a span, s; empty when nature sets no bounds. */
function usualTrend(quantity: Quantity, half_s: number): Usual[] {
  const own = ownTrend[quantity];
  const quarters = half_s / 900;
  if (own === undefined) return [unknown, unknown, unknown];
  return [unknown, { mean: 0, sd: own.drift * quarters }, { mean: 0, sd: own.bend * quarters ** 2 * 4 }];
}

const unknown: Usual = { mean: 0, sd: Infinity };
/**
 * The prior of a device's effect, as a share of the expected one: dead ones have none, reversed ones the opposite;
 * unrated ones may have a multiple.
 */
const usualShare = { rated: { mean: 0.5, sd: 0.75 }, unrated: { mean: 1, sd: 1.5 } } as const;

function usualEffect(expected: Expected | null): Usual {
  if (expected === null || expected.size === 0 || expected.isUnbounded === true) return unknown;
  const { mean: share, sd } = usualShare[expected.isRated ? 'rated' : 'unrated'];
  return { mean: share * expected.size, sd: sd * Math.abs(expected.size) };
}

/** Level, slope and curvature over -1 to 1, and what moves it beside the actuators. */
function trendOf(points: readonly Point[], companion: readonly Point[] | null): number[][] {
  const middle = ((points[0]?.time_s ?? 0) + (points.at(-1)?.time_s ?? 0)) / 2;
  const places = points.map(({ time_s }) => (time_s - middle) / spanOf(points));
  const columns = [points.map(() => 1), places, places.map((place) => place ** 2 - 1 / 3)];
  if (companion === null || companion.length < 2) return columns;
  const beside = points.map(
    ({ time_s }) => companion.findLast((one) => one.time_s <= time_s + 1)?.value ?? mean(values(companion)),
  );
  const level = mean(beside);
  return [...columns, beside.map((value) => value - level)];
}

function spanOf(points: readonly Point[]): number {
  return ((points.at(-1)?.time_s ?? 0) - (points[0]?.time_s ?? 0)) / 2 || 1;
}

function values(points: readonly Point[]): number[] {
  return points.map(({ value }) => value);
}

/** Standard deviation of rounding to the finest step of the readings; the model's minimum error. */
function floorOf(points: readonly Point[], quantity: Quantity): number {
  const sorted = values(points).toSorted((one, other) => one - other);
  const steps = sorted.slice(1).map((value, index) => value - (sorted[index] ?? value));
  const finest = Math.min(...steps.filter((step) => step > 1e-9));
  const least = quantityFacts[quantity].least / 20;
  return Number.isFinite(finest) ? Math.max(least, finest / Math.sqrt(12)) : least;
}

/** What an effect says about its actuator: it works, is reversed, has no effect, or is undecided. */
export type Sight = 'works' | 'contrary' | 'dead' | 'open';

/** One-sided confidence of a verdict. */
export const certainty = 0.99;
/**
 * Shares of a sound actuator's effect: the smallest that counts as an effect, and what a bound must exclude for the
 * actuator to count as dead, rated or not.
 */
const leastShare = 0.08;
const deadShare = { rated: 0.45, unrated: 0.22 };
/**
 * Wider bounds decide nothing, larger shares have another cause, as shares of the expected effect; unmeasured wind may
 * blow more.
 */
const widestMargin = 1.5;
const furthestShare: Readonly<Record<Following, number>> = { level: 4, rate: 4, exchange: 30 };

/** The effect as a share of the expected one, with its bounds at the confidence. */
export function shareOf({ expected, size, degrees }: Effect): { share: number; low: number; high: number } | null {
  if (expected === null || expected.size === 0) return null;
  const share = size.estimate / expected.size;
  const margin = quantile(certainty, degrees) * Math.abs(size.error / expected.size);
  return { share, low: share - margin, high: share + margin };
}

export function sightOf(effect: Effect): Sight {
  const bounds = shareOf(effect);
  if (bounds === null) return 'open';
  const { share, low, high } = bounds;
  if (high - share > widestMargin || Math.abs(share) > furthestShare[effect.expected?.following ?? 'rate'])
    return 'open';
  // A quantity that much else bends can only show that something works.
  if (effect.expected?.isSign === true) return low > 0.2 && share < 2.5 ? 'works' : 'open';
  if (low > 0 && share > leastShare) return 'works';
  if (high < 0 && share < -leastShare) return 'contrary';
  return isDead(share, high, deadLimit(effect)) ? 'dead' : 'open';
}

/** No effect, as far as is certain; a share close to the opposite counts as neither. */
export function isDead(share: number, high: number, limit: number): boolean {
  return high < limit && share > -limit;
}

/** The share that a bound must exclude before an actuator counts as dead. */
export function deadLimit({ expected }: Effect): number {
  return expected?.isRated === true ? deadShare.rated : deadShare.unrated;
}
