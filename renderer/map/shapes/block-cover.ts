import { runsOf } from '../../../server/domain/geometry/runs.ts';

/**
 * Which points of a canvas many blocks cover, so that each is filled once: a path of 100,000 rectangles takes a second.
 */
export class BlockCover {
  readonly #width: number;
  readonly #height: number;
  readonly #covered: Uint8Array;
  /** Of the rows that are covered. */
  #top = Infinity;
  #bottom = -Infinity;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.#covered = new Uint8Array(width * height);
  }

  /** Whole points, at least one where the block begins. */
  take(x: number, y: number, width: number, height: number): void {
    const [left, top] = [Math.round(x), Math.round(y)];
    const right = Math.min(this.#width, Math.max(left + 1, Math.round(x + width)));
    const bottom = Math.min(this.#height, Math.max(top + 1, Math.round(y + height)));
    const from = Math.max(0, left);
    if (from >= right) return;
    for (let row = Math.max(0, top); row < bottom; row += 1) {
      this.#covered.fill(1, row * this.#width + from, row * this.#width + right);
      this.#top = Math.min(this.#top, row);
      this.#bottom = Math.max(this.#bottom, row);
    }
  }

  /** The covered points, row by row. */
  *runs(): Generator<{ x: number; y: number; length: number }> {
    for (let y = this.#top; y <= this.#bottom; y += 1) {
      const row = this.#covered.subarray(y * this.#width, (y + 1) * this.#width);
      for (const { from, length } of runsOf(row)) yield { x: from, y, length };
    }
  }
}
