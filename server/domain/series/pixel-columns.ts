import type { Span } from './resolution.ts';

/** A series to draw: times in epoch ms, ascending; null where the line is broken. */
export interface Columns {
  times: number[];
  values: (number | null)[];
}

export interface ThinningOptions extends Span {
  /** Maximum points of the result. */
  max_points: number;
  /** A longer silence breaks the line. */
  gap_ms: number;
}

/** For each pixel column the first, last, lowest and highest point. */
const pointsAColumn = 4;

export function columnsFor(max_points: number): number {
  return Math.max(1, Math.floor(max_points / pointsAColumn));
}

/** The pixel columns of a chart with `max_points / 4` of them, and what is drawn so far. */
export class PixelColumns {
  readonly drawn: Columns = { times: [], values: [] };
  readonly #from_ms: number;
  readonly #columns: number;
  readonly #column_ms: number;
  readonly #gap_ms: number;

  constructor({ from_ms, to_ms, max_points, gap_ms }: ThinningOptions) {
    this.#from_ms = from_ms;
    this.#columns = columnsFor(max_points);
    this.#column_ms = (to_ms - from_ms) / this.#columns;
    this.#gap_ms = Math.max(gap_ms, 2 * this.#column_ms);
  }

  /** The column of a moment; the first or last one if it is outside. */
  at(timeMs: number): number {
    const index = Math.floor((timeMs - this.#from_ms) / this.#column_ms);
    return Math.min(Math.max(index, 0), this.#columns - 1);
  }

  draw(timeMs: number, value: number | null): void {
    this.drawn.times.push(Math.round(timeMs));
    this.drawn.values.push(value);
  }

  /** Breaks the line in the middle of a silence longer than `gap_ms` and than two columns. */
  breakBetween(lastMs: number, nextMs: number): void {
    const silentMs = nextMs - lastMs;
    if (silentMs > this.#gap_ms) this.draw(lastMs + silentMs / 2, null);
  }
}
