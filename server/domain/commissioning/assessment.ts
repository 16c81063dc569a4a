import { mean, type Point } from './point.ts';
import { fitColumn, shareOf, sightOf, type Column, type Driver, type Effect, type Span } from './effect.ts';
import { outdoorsOf } from './outdoor-level.ts';
import { quantityFacts, type Quantity } from './quantity.ts';
import type { Series } from './series.ts';

/** All that the sensors show of what was switched together. */
export interface Assessment {
  drivers: readonly Driver[];
  /** What sees the air, the light and the water of the house. */
  columns: readonly Column[];
  /** What hangs elsewhere and should see nothing of it. */
  strangers: readonly Column[];
  /** Drivers that stayed on after they were turned on first. */
  latched: ReadonlySet<string>;
}

/** A device that stays on explains this much less than the rest of the model leaves. */
const latchGain = 0.5;
/** Devices of one check that are believed to stay on. */
const mostLatched = 2;

/** How sensors are fitted: in which span, and what is called between two fits. */
export interface Fitting {
  span: Span;
  goOn: () => void;
}

/** Fits every sensor by everything that was switched in the span. */
export function assess(drivers: readonly Driver[], all: readonly Series[], fitting: Fitting): Assessment {
  let taken = drivers;
  const latched = new Set<string>();
  let columns = ownColumns(taken, all, fitting);
  while (latched.size < mostLatched) {
    const stuckOn = latchedOne(taken, columns, { all, ...fitting, latched });
    if (stuckOn === null) break;
    latched.add(stuckOn);
    taken = taken.map((one) => (one.name === stuckOn ? latchedOf(one) : one));
    columns = ownColumns(taken, all, fitting);
  }
  return { drivers: taken, columns, strangers: strangeColumns(taken, all, fitting), latched };
}

/** The sensors of the house fitted by all drivers. */
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
    ...{ span, outdoors, ...(lag_s !== undefined && { lag_s }) },
    companion: series.quantity === 'light' ? sunOf(all) : null,
  });
  return column === null ? [] : [column];
}

function sunOf(all: readonly Series[]): readonly Point[] | null {
  const sun = all.find(({ role }) => role === 'outdoor_solar')?.points ?? [];
  return sun.length < 2 || mean(sun.map(({ value }) => value)) < 20 ? null : sun;
}

/** The driver whose staying on explains a sensor best, where it explains it much better than its going off. */
function latchedOne(
  drivers: readonly Driver[],
  columns: readonly Column[],
  known: Known & { latched: ReadonlySet<string> },
): string | null {
  let best: { name: string; gain: number } | null = null;
  for (const column of columns) {
    for (const { driver, expected, quantity } of column.effects) {
      if (expected === null || quantity === 'humidity' || known.latched.has(driver.name)) continue;
      if (expected.following === 'exchange' && isFollowed(driver.name, columns)) continue;
      const changed = drivers.map((one) => (one.name === driver.name ? latchedOf(one) : one));
      const [refit] = columnOf(column.series, changed, { ...known, lag_s: column.lag_s });
      const effect = refit?.effects.find((one) => one.driver.name === driver.name);
      if (refit === undefined || effect === undefined || sightOf(effect) !== 'works') continue;
      const gain = refit.left / column.left;
      if (gain < latchGain && isLikely(shareOf(effect)?.share ?? 0) && gain < (best?.gain ?? 1)) {
        best = { name: driver.name, gain };
      }
    }
  }
  return best?.name ?? null;
}

/** An exchange bends the air; where any sensor follows it as it should, a ramp of another is no proof. */
function isFollowed(name: string, columns: readonly Column[]): boolean {
  return columns.some(({ effects }) =>
    effects.some((one) => one.driver.name === name && sightOf(one) === 'works' && isLikely(shareOf(one)?.share ?? 0)),
  );
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

/** Sensors of the weather, the soil and other houses, held against what moves the house. */
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

/** What is made from a sensor counts as that sensor. */
export function isSameSensor(one: Series, other: Series): boolean {
  return one.measurement_id === other.measurement_id && one.device_id === other.device_id;
}

/** The same quantity of the same sensor, also where one came back from another thread. */
export function isSameSeries(one: Series, other: Series): boolean {
  return isSameSensor(one, other) && one.role === other.role && one.quantity === other.quantity;
}
