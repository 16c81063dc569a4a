import { PixelColumns, type Columns, type ThinningOptions } from './pixel-columns.ts';

/** A stretch of a series by its ends and extremes; for a single sample these are equal. */
export interface Stretch {
  first_ms: number;
  first: number;
  last_ms: number;
  last: number;
  min: number;
  max: number;
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

/**
 * Thins a series to what a line chart of `max_points / 4` pixel columns can show: for each column the first, the last,
 * the lowest and the highest point, with which the drawn line is the same as with all points (U. Jugel, Z. Jerzak, G.
 * Hackenbroich, V. Markl, "M4: A Visualization-Oriented Time Series Data Aggregation", PVLDB 7(10), 2014). Stretches
 * come in order of time.
 *
 * A silence longer than `gap_ms` and than two columns becomes a null. A shorter one leaves no column empty, and would
 * not be visible; and as one column stays empty, its null takes the place of four points.
 */
export class M4 {
  readonly #columns: PixelColumns;
  #column: Column | null = null;

  constructor(options: ThinningOptions) {
    this.#columns = new PixelColumns(options);
  }

  add(stretch: Stretch): void {
    const index = this.#columns.at(stretch.first_ms);
    const column = this.#column;
    if (column?.index === index) return extend(column, stretch);
    if (column !== null) {
      this.#draw(column);
      this.#columns.breakBetween(column.last.time_ms, stretch.first_ms);
    }
    this.#column = columnOf(index, stretch);
  }

  /** What is to be drawn; call it last. */
  end(): Columns {
    if (this.#column !== null) this.#draw(this.#column);
    this.#column = null;
    return this.#columns.drawn;
  }

  #draw({ first, last, min, max }: Column): void {
    const inner = min.time_ms <= max.time_ms ? [min, max] : [max, min];
    let before: Point | undefined;
    for (const point of [first, ...inner, last]) {
      if (before?.time_ms === point.time_ms && before.value === point.value) continue;
      this.#columns.draw(point.time_ms, point.value);
      before = point;
    }
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

/** An extreme of a stretch whose time is unknown is drawn in its middle. */
function extreme({ first_ms, first, last_ms, last }: Stretch, value: number): Point {
  if (value === first) return { time_ms: first_ms, value };
  if (value === last) return { time_ms: last_ms, value };
  return { time_ms: Math.round((first_ms + last_ms) / 2), value };
}
