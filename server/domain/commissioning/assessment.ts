import { mean, type Point } from './point.ts';
import { fitColumn, shareOf, sightOf, type Column, type Driver, type Effect, type Span } from './effect.ts';
import { outdoorsOf } from './outdoor-level.ts';
import { quantityFacts, type Quantity } from './quantity.ts';
import type { Series } from './series.ts';

/** Everything that the sensors show of the actuators switched together. */
export interface Assessment {
  drivers: readonly Driver[];
  /** Sensors of the air, the light and the water of the house. */
  columns: readonly Column[];
  /** Sensors elsewhere, which should show nothing of it. */
  strangers: readonly Column[];
  /** Drivers that stayed on after they were first switched off. */
  latched: ReadonlySet<string>;
  turnings: readonly Turning[];
}

/** What one sensor says about whether a driver switched off again as commanded. */
interface Turning {
  name: string;
  series: Series;
  /** Twice the log likelihood ratio of switching off to staying on. */
  evidence: number;
  /** Staying on would be an effect of the expected size. */
  isLike: boolean;
}

/** Evidence for concluding that a device stays on, twice a log of likelihoods: a chance of one in two thousand. */
const surely = 12;
/** Maximum devices of one check that are believed to stay on. */
const mostLatched = 2;

/** How sensors are fitted: the span, and a callback between two fits. */
export interface Fitting {
  span: Span;
  goOn: () => void;
}

/** Fits every sensor with everything that was switched in the span. */
export function assess(drivers: readonly Driver[], all: readonly Series[], fitting: Fitting): Assessment {
  let taken = drivers;
  const latched = new Set<string>();
  let columns = ownColumns(taken, all, fitting);
  let turnings = turningsOf(taken, columns, { all, ...fitting, latched });
  while (latched.size < mostLatched) {
    const stuckOn = latchedOne(turnings);
    if (stuckOn === null) break;
    latched.add(stuckOn);
    taken = taken.map((one) => (one.name === stuckOn ? latchedOf(one) : one));
    columns = ownColumns(taken, all, fitting);
    turnings = turningsOf(taken, columns, { all, ...fitting, latched });
  }
  return { drivers: taken, columns, strangers: strangeColumns(taken, all, fitting), latched, turnings };
}

/** The sensors of the house fitted with all drivers. */
export function ownColumns(drivers: readonly Driver[], all: readonly Series[], fitting: Fitting): Column[] {
  return all.flatMap((series) => (series.quantity === null ? [] : columnOf(series, drivers, { all, ...fitting })));
}

interface Known extends Fitting {
  all: readonly Series[];
  lag_s?: number;
}

function columnOf(series: Series, drivers: readonly Driver[], { all, span, goOn, lag_s }: Known) {
  if (series.quantity === null) return [];
  goOn();
  const outdoors = outdoorsOf(series.quantity, all);
  const column = fitColumn(series, series.quantity, drivers, {
    span,
    outdoors,
    ...(lag_s !== undefined && { lag_s }),
    companion: series.quantity === 'light' ? sunOf(all) : null,
  });
  return column === null ? [] : [column];
}

function sunOf(all: readonly Series[]): readonly Point[] | null {
  const sun = all.find(({ role }) => role === 'outdoor_solar')?.points ?? [];
  return sun.length < 2 || mean(sun.map(({ value }) => value)) < 20 ? null : sun;
}

/**
 * For each driver and each sensor that should respond: how much better its switching off explains the readings than its
 * staying on, twice the log likelihood ratio (Wilks 1938); below 0 staying on explains them better.
 */
function turningsOf(
  drivers: readonly Driver[],
  columns: readonly Column[],
  known: Known & { latched: ReadonlySet<string> },
): Turning[] {
  return columns.flatMap((column) =>
    column.effects.flatMap(({ driver, expected, quantity, degrees }) => {
      if (expected === null || quantity === 'humidity' || known.latched.has(driver.name)) return [];
      const staying = latchedOf(driver);
      const changed = drivers.map((one) => (one.name === driver.name ? staying : one));
      const fits = refits(column, changed, known);
      const best = fits.toSorted((one, other) => one.left - other.left)[0];
      if (best === undefined || staying === driver) return [];
      const effect = best.effects.find((one) => one.driver.name === driver.name);
      const isLike = effect !== undefined && sightOf(effect) === 'works' && isLikely(shareOf(effect)?.share ?? 0);
      const evidence = degrees * Math.log(best.left / column.left);
      return [{ name: driver.name, series: column.series, evidence, isLike }];
    }),
  );
}

/** The same sensor with its own lag and without: a driver that stays on never reverses a reading. */
function refits(column: Column, drivers: readonly Driver[], known: Known): Column[] {
  return [...new Set([column.lag_s, 0])].flatMap((lag_s) => columnOf(column.series, drivers, { ...known, lag_s }));
}

/** The driver whose staying on explains the sensors best, if it explains them much better than its switching off. */
function latchedOne(turnings: readonly Turning[]): string | null {
  let best: { name: string; evidence: number } | null = null;
  for (const [name, all] of Map.groupBy(turnings, (one) => one.name)) {
    const evidence = all.reduce((sum, one) => sum + one.evidence, 0);
    const isLike = all.some((one) => one.isLike && one.evidence < -surely / 2);
    if (isLike && evidence < -surely && evidence < (best?.evidence ?? 0)) best = { name, evidence };
  }
  return best?.name ?? null;
}

function isLikely(share: number): boolean {
  return share > 0.3 && share < 3;
}

function latchedOf(driver: Driver): Driver {
  const first = driver.signal.findIndex(({ level }, index) => index > 0 && level > 0);
  return first < 0 ? driver : { ...driver, signal: driver.signal.slice(0, first + 1) };
}

const quantityOfUnit = new Map<string, Quantity>(
  (['temp', 'humidity', 'co2', 'light'] as const).map((quantity) => [quantityFacts[quantity].unit, quantity]),
);

/** Sensors of the weather, the soil and other houses, tested for effects of this house's drivers. */
function strangeColumns(drivers: readonly Driver[], all: readonly Series[], { span, goOn }: Fitting): Column[] {
  return all.flatMap((series) => {
    const quantity = series.quantity === null ? quantityOfUnit.get(series.unit) : undefined;
    if (quantity === undefined || series.role === 'soil_moisture' || series.role === 'leaf_wetness') return [];
    goOn();
    const direct = drivers.map((one) => ({ ...one, expected: withoutExchange(one) }));
    const column = fitColumn(series, quantity, direct, { span, outdoors: null, companion: null });
    return column === null ? [] : [column];
  });
}

function withoutExchange({ expected }: Driver): Driver['expected'] {
  return Object.fromEntries(Object.entries(expected).filter(([, one]) => one.following !== 'exchange'));
}

/** Effects of one driver on the sensors of the house. */
export function effectsOf({ columns }: Assessment, name: string): { column: Column; effect: Effect }[] {
  return columns.flatMap((column) => {
    const effect = column.effects.find(({ driver }) => driver.name === name);
    return effect === undefined ? [] : [{ column, effect }];
  });
}

/** A quantity calculated from a sensor counts as that sensor. */
export function isSameSensor(one: Series, other: Series): boolean {
  return one.measurement_id === other.measurement_id && one.device_id === other.device_id;
}

/** The same quantity of the same sensor, even if one came back from another thread. */
export function isSameSeries(one: Series, other: Series): boolean {
  return isSameSensor(one, other) && one.role === other.role && one.quantity === other.quantity;
}
