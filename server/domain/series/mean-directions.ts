import { meanDirection_deg, type VectorSum } from './direction.ts';
import { PixelColumns, type Columns, type ThinningOptions } from './pixel-columns.ts';

/** A stretch of directions by its ends and the sums of their vectors; `only` is the value of a single sample. */
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
 * Thins directions for a chart of `max_points / 4` columns: for each column the vector mean, in its middle. First,
 * last, lowest and highest, as for other series, would draw north as a line across the whole circle.
 */
export class MeanDirections {
  readonly #columns: PixelColumns;
  #column: Column | null = null;

  constructor(options: ThinningOptions) {
    this.#columns = new PixelColumns(options);
  }

  add(stretch: DirectionStretch): void {
    const index = this.#columns.at(stretch.first_ms);
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

  /** What is to be drawn; call it last. */
  end(): Columns {
    this.#draw(-Infinity);
    this.#column = null;
    return this.#columns.drawn;
  }

  #draw(nextMs: number): void {
    const column = this.#column;
    if (column === null) return;
    const mean = column.only ?? meanDirection_deg(column, column.count);
    this.#columns.draw((column.first_ms + column.last_ms) / 2, mean);
    this.#columns.breakBetween(column.last_ms, nextMs);
  }
}
