import type { Span } from './resolution.ts';

/** A stretch of a series by its ends and extremes; a single sample is one whose ends and extremes are the same. */
export interface Stretch {
  first_ms: number;
  first: number;
  last_ms: number;
  last: number;
  min: number;
  max: number;
}

/** A series to draw: times in epoch ms, ascending; null where the line is broken. */
export interface Columns {
  times: number[];
  values: (number | null)[];
}

interface Point {
  time_ms: number;
  value: number;
}

interface Column {
  index: number;
  first: Point;
  last: Point;
  min: Point;
  max: Point;
}

export interface ThinningOptions extends Span {
  /** At most so many points come out. */
  max_points: number;
  /** Silence that is longer breaks the line. */
  gap_ms: number;
}

/** Of each pixel column the first, last, lowest and highest point. */
const pointsAColumn = 4;

export function columnsFor(max_points: number): number {
  return Math.max(1, Math.floor(max_points / pointsAColumn));
}

/**
 * Thins a series to what a line chart of `max_points / 4` pixel columns can show: of each column the first, the last, the lowest and
 * the highest point, by which the drawn line is the same as with all points (U. Jugel, Z. Jerzak, G. Hackenbroich, V. Markl, "M4: A
 * Visualization-Oriented Time Series Data Aggregation", PVLDB 7(10), 2014). Stretches come in the order of time.
 *
 * A silence longer than `gap_ms` and than two columns becomes a null. Where it is shorter than that no column stays empty, and nobody
 * could see it; and because one stays empty, its null takes the place of four points.
 */
export class M4 {
  readonly #from_ms: number;
  readonly #column_ms: number;
  readonly #columns: number;
  readonly #gap_ms: number;
  readonly #drawn: Columns = { times: [], values: [] };
  #column: Column | null = null;

  constructor({ from_ms, to_ms, max_points, gap_ms }: ThinningOptions) {
    this.#from_ms = from_ms;
    this.#columns = columnsFor(max_points);
    this.#column_ms = (to_ms - from_ms) / this.#columns;
    this.#gap_ms = Math.max(gap_ms, 2 * this.#column_ms);
  }

  add(stretch: Stretch): void {
    const index = this.#columnAt(stretch.first_ms);
    const column = this.#column;
    if (column?.index === index) return extend(column, stretch);
    if (column !== null) {
      this.#draw(column);
      const silent_ms = stretch.first_ms - column.last.time_ms;
      if (silent_ms > this.#gap_ms) this.#break(column.last.time_ms + silent_ms / 2);
    }
    this.#column = columnOf(index, stretch);
  }

  /** What is to be drawn; nothing may be added afterwards. */
  end(): Columns {
    if (this.#column !== null) this.#draw(this.#column);
    this.#column = null;
    return this.#drawn;
  }

  #columnAt(time_ms: number): number {
    const index = Math.floor((time_ms - this.#from_ms) / this.#column_ms);
    return Math.min(Math.max(index, 0), this.#columns - 1);
  }

  #draw({ first, last, min, max }: Column): void {
    const inner = min.time_ms <= max.time_ms ? [min, max] : [max, min];
    let before: Point | undefined;
    for (const point of [first, ...inner, last]) {
      if (before?.time_ms === point.time_ms && before.value === point.value) continue;
      this.#drawn.times.push(point.time_ms);
      this.#drawn.values.push(point.value);
      before = point;
    }
  }

  #break(time_ms: number): void {
    this.#drawn.times.push(Math.round(time_ms));
    this.#drawn.values.push(null);
  }
}

function columnOf(index: number, stretch: Stretch): Column {
  const { first_ms, first, last_ms, last } = stretch;
  return {
    index,
    first: { time_ms: first_ms, value: first },
    last: { time_ms: last_ms, value: last },
    min: extreme(stretch, stretch.min),
    max: extreme(stretch, stretch.max),
  };
}

function extend(column: Column, stretch: Stretch): void {
  if (stretch.min < column.min.value) column.min = extreme(stretch, stretch.min);
  if (stretch.max > column.max.value) column.max = extreme(stretch, stretch.max);
  column.last = { time_ms: stretch.last_ms, value: stretch.last };
}

/** Where a stretch keeps no time of its extreme, that is drawn in the middle of it. */
function extreme({ first_ms, first, last_ms, last }: Stretch, value: number): Point {
  if (value === first) return { time_ms: first_ms, value };
  if (value === last) return { time_ms: last_ms, value };
  return { time_ms: Math.round((first_ms + last_ms) / 2), value };
}
