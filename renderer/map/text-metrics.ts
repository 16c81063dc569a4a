import type { ScreenBox } from './label-room.ts';

/** Height of a line of text in the size of its letters. */
const line = 1.3;

/** How much of the screen a name takes, measured without drawing it. */
export class TextMetrics {
  readonly #pen = document.createElement('canvas').getContext('2d');
  readonly #rem_px: number;
  readonly #family: string;

  /** In the letters of this element. */
  constructor(element: Element) {
    this.#rem_px = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#family = getComputedStyle(element).fontFamily;
  }

  widthOf(text: string, size_rem: number): number {
    if (this.#pen === null) return 0;
    this.#pen.font = `600 ${size_rem * this.#rem_px}px ${this.#family}`;
    return this.#pen.measureText(text).width;
  }

  heightOf(size_rem: number): number {
    return size_rem * this.#rem_px * line;
  }

  /** To the right of a place. */
  boxBeside({ x, y }: { x: number; y: number }, text: string, size_rem: number): ScreenBox {
    const half = this.heightOf(size_rem) / 2;
    return { left: x, top: y - half, right: x + this.widthOf(text, size_rem), bottom: y + half };
  }

  /** Below a place, its middle there. */
  boxBelow({ x, y }: { x: number; y: number }, text: string, size_rem: number): ScreenBox {
    const half = this.widthOf(text, size_rem) / 2;
    return { left: x - half, top: y, right: x + half, bottom: y + this.heightOf(size_rem) };
  }
}
