import { ShapePainter, type Dress, type PaintView, type ShapeStyle } from './shape-painter.ts';
import type { PackedShapes } from './packed-shapes.ts';

/** What is told to who paints, in the order in which it takes effect. */
export type PaintMessage =
  | { kind: 'clear' }
  | { kind: 'put'; shapes: PackedShapes }
  | { kind: 'remove'; keys: Uint32Array<ArrayBuffer> }
  | { kind: 'styles'; styles: readonly ShapeStyle[] }
  | { kind: 'dress'; dress: Dress }
  | { kind: 'draw'; view: PaintView };

/** What was painted. */
export interface Painting {
  view: PaintView;
  bitmap: ImageBitmap;
}

/** After so long something else has its turn. */
const sliceMs = 12;

/** Paints what it is told to, in slices, the newest view alone. */
export class PaintLoop {
  readonly #painter = new ShapePainter();
  readonly #done: (painting: Painting) => void;
  readonly #canvas = new OffscreenCanvas(1, 1);
  #wanted: PaintView | null = null;
  #isPainting = false;

  constructor(done: (painting: Painting) => void) {
    this.#done = done;
  }

  take(message: PaintMessage): void {
    switch (message.kind) {
      case 'clear':
        return this.#painter.clear();
      case 'put':
        return this.#painter.put(message.shapes);
      case 'remove':
        return this.#painter.remove(message.keys);
      case 'styles':
        return this.#painter.setStyles(message.styles);
      case 'dress':
        return this.#painter.dress(message.dress);
      case 'draw':
        this.#wanted = message.view;
        if (!this.#isPainting) void this.#run();
    }
  }

  async #run(): Promise<void> {
    this.#isPainting = true;
    for (let view = this.#wanted; view !== null; view = this.#wanted) {
      this.#wanted = null;
      if (await this.#paint(view)) this.#done({ view, bitmap: this.#canvas.transferToImageBitmap() });
    }
    this.#isPainting = false;
  }

  /**
   * False where it was left, for another scale is wanted by now. A picture at the same scale is finished: else one that
   * changes all the time was never seen.
   */
  async #paint(view: PaintView): Promise<boolean> {
    this.#canvas.width = Math.round(view.width * view.ratio);
    this.#canvas.height = Math.round(view.height * view.ratio);
    const context = this.#canvas.getContext('2d');
    if (context === null) return false;
    let until = performance.now() + sliceMs;
    for (const _ of this.#painter.paint(context, view)) {
      if (performance.now() < until) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (this.#wanted !== null && this.#wanted.zoom !== view.zoom) return false;
      until = performance.now() + sliceMs;
    }
    return true;
  }
}
