import { meanDirection_deg, type VectorSum } from './direction.ts';
import { columnsFor, type Columns, type ThinningOptions } from './m4.ts';

/** A stretch of directions by its ends and the sums of their vectors; `only` is the one of a single sample. */
export interface DirectionStretch extends VectorSum {
  first_ms: number;
  last_ms: number;
  count: number;
  only: number | null;
}

interface Column extends DirectionStretch {
  index: number;
}

/**
 * Thins directions for a chart of `max_points / 4` columns: of each column the mean as a vector, in its middle. First, last,
 * lowest and highest, as of other series, would draw north as a line across the whole circle.
 */
export class MeanDirections {
  readonly #from_ms: number;
  readonly #columns: number;
  readonly #column_ms: number;
  readonly #gap_ms: number;
  readonly #drawn: Columns = { times: [], values: [] };
  #column: Column | null = null;

  constructor({ from_ms, to_ms, max_points, gap_ms }: ThinningOptions) {
    this.#from_ms = from_ms;
    this.#columns = columnsFor(max_points);
    this.#column_ms = (to_ms - from_ms) / this.#columns;
    this.#gap_ms = Math.max(gap_ms, 2 * this.#column_ms);
  }

  add(stretch: DirectionStretch): void {
    const at = Math.floor((stretch.first_ms - this.#from_ms) / this.#column_ms);
    const index = Math.min(Math.max(at, 0), this.#columns - 1);
    const column = this.#column;
    if (column?.index === index) {
      column.last_ms = stretch.last_ms;
      column.count += stretch.count;
      column.sin_sum += stretch.sin_sum;
      column.cos_sum += stretch.cos_sum;
      column.only = null;
      return;
    }
    this.#draw(stretch.first_ms);
    this.#column = { ...stretch, index };
  }

  /** What is to be drawn; nothing may be added afterwards. */
  end(): Columns {
    this.#draw(-Infinity);
    this.#column = null;
    return this.#drawn;
  }

  #draw(next_ms: number): void {
    const column = this.#column;
    if (column === null) return;
    const mean = column.only ?? meanDirection_deg(column, column.count);
    this.#drawn.times.push(Math.round((column.first_ms + column.last_ms) / 2));
    this.#drawn.values.push(mean);
    const silent_ms = next_ms - column.last_ms;
    if (silent_ms <= this.#gap_ms) return;
    this.#drawn.times.push(Math.round(column.last_ms + silent_ms / 2));
    this.#drawn.values.push(null);
  }
}
