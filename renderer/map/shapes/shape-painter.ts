import { BlockCover } from './block-cover.ts';
import { clipLine, clipRing, type Frame } from './clip.ts';
import { shapeKinds, type PackedShapes, type ShapeKind } from './packed-shapes.ts';

/** How shapes are drawn that look alike. */
export interface ShapeStyle {
  /** #rrggbbaa */
  stroke: string;
  weight: number;
  /** Null for lines. */
  fill: string | null;
  /** Where a shape is a block, too small to have an outline. */
  block: string;
  dash: readonly number[];
}

/** Which of the styles each shape has, and what lies above what. */
export interface Dress {
  keys: Uint32Array<ArrayBuffer>;
  /** -1 where it is not drawn. */
  styles: Int32Array<ArrayBuffer>;
  /** Lower lies beneath; of one rank what came first does. */
  ranks: Uint32Array<ArrayBuffer>;
}

/** A part of the map as it falls on a canvas. */
export interface PaintView {
  /** Rises with each. */
  id: number;
  zoom: number;
  /** Its upper left corner, px of the whole world at this zoom. */
  x: number;
  y: number;
  /** CSS px. */
  width: number;
  height: number;
  /** Points of the canvas a CSS px. */
  ratio: number;
}

interface Painted {
  kind: ShapeKind;
  points: Float64Array;
  /** Ends of rings in `points`, and where the first ring begins. */
  ends: Uint32Array;
  start: number;
  /** Its box, in parts of the Web Mercator square. */
  left: number;
  top: number;
  right: number;
  bottom: number;
  style: number;
  rank: number;
}

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const tile_px = 256;
/** An area narrower than this is a block. */
const leastArea_px = 2;
const leastBlock_px = 1.5;
/** So many blocks are filled as one path, whose edges are smooth; more take a time that is felt. */
const mostTraced = 2_000;
/** So far outside of the canvas nothing is drawn: a dashed side of a thousand km would keep it busy. */
const clipMargin_px = 400;
/** Points closer than this to the one before are left out. */
const leastStep_px = 0.5;
/** Shapes between two rests of the work. */
const shapesAtOnce = 250;

/** Draws the shapes of a map on a canvas, at any scale. Works in any thread. */
export class ShapePainter {
  readonly #shapes = new Map<number, Painted>();
  #styles: readonly ShapeStyle[] = [];
  /** From the lowest to the highest; null once that has changed. */
  #order: readonly Painted[] | null = null;

  put({ keys, kinds, shapeEnds, ringEnds, points }: PackedShapes): void {
    this.#order = null;
    let [ringAt, start] = [0, 0];
    for (const [at, key] of keys.entries()) {
      const ends = ringEnds.subarray(ringAt, shapeEnds[at]);
      ringAt = shapeEnds[at] ?? 0;
      const end = ends.at(-1) ?? start;
      const known = this.#shapes.get(key);
      const kind = kinds[at] as ShapeKind; // as it was packed
      const dress = { style: known?.style ?? -1, rank: known?.rank ?? 0 };
      this.#shapes.set(key, { kind, points, ends, start, ...boxOf(points, start, end), ...dress });
      start = end;
    }
  }

  remove(keys: Iterable<number>): void {
    this.#order = null;
    for (const key of keys) this.#shapes.delete(key);
  }

  clear(): void {
    this.#order = null;
    this.#shapes.clear();
  }

  setStyles(styles: readonly ShapeStyle[]): void {
    this.#styles = styles;
  }

  dress({ keys, styles, ranks }: Dress): void {
    this.#order = null;
    for (const [at, key] of keys.entries()) {
      const shape = this.#shapes.get(key);
      if (shape === undefined) continue;
      shape.style = styles[at] ?? -1;
      shape.rank = ranks[at] ?? 0;
    }
  }

  /** Yields wherever the work may rest, or be left unfinished. */
  *paint(context: Context, view: PaintView): Generator<void, void> {
    context.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    context.lineCap = 'round';
    context.lineJoin = 'round';
    this.#order ??= [...this.#shapes.values()].sort((a, b) => a.rank - b.rank);
    const pen = new Pen(context, view);
    let drawn = 0;
    for (const shape of this.#order) {
      const style = this.#styles[shape.style];
      if (style === undefined || !pen.meets(shape, style)) continue;
      pen.draw(shape, style);
      drawn += 1;
      if (drawn % shapesAtOnce === 0) yield;
    }
    pen.lift();
  }
}

/** Draws one shape after the other of a view. */
class Pen {
  readonly #context: Context;
  readonly #view: PaintView;
  readonly #scale: number;
  readonly #frame: Frame;
  #style: ShapeStyle | undefined;
  /**
   * The blocks of one colour that are not filled yet, x, y, width and height by turns: together, for where they overlap
   * they would be darker.
   */
  #blocks: { color: string; boxes: number[] } | null = null;

  constructor(context: Context, view: PaintView) {
    this.#context = context;
    this.#view = view;
    this.#scale = tile_px * 2 ** view.zoom;
    const [right, bottom] = [view.width + clipMargin_px, view.height + clipMargin_px];
    this.#frame = { left: -clipMargin_px, top: -clipMargin_px, right, bottom };
  }

  meets({ left, top, right, bottom }: Painted, { weight }: ShapeStyle): boolean {
    const { x, y, width, height } = this.#view;
    const scale = this.#scale;
    return (
      right * scale - x >= -weight &&
      left * scale - x <= width + weight &&
      bottom * scale - y >= -weight &&
      top * scale - y <= height + weight
    );
  }

  draw(shape: Painted, style: ShapeStyle): void {
    const isNarrow = Math.min(shape.right - shape.left, shape.bottom - shape.top) * this.#scale < leastArea_px;
    if (shape.kind === shapeKinds.points) this.#drawPoints(shape, style);
    else if (shape.kind === shapeKinds.area && isNarrow) this.#drawBlock(shape, style);
    else this.#drawOutline(shape, style);
  }

  #drawPoints({ points, start, ends }: Painted, style: ShapeStyle): void {
    const end = ends.at(-1) ?? start;
    for (let at = start; at < end; at += 2) {
      const [x = 0, y = 0] = points.subarray(at, at + 2);
      this.#drawBlock({ left: x, top: y, right: x, bottom: y }, style);
    }
  }

  #drawBlock(
    { left, top, right, bottom }: Pick<Painted, 'left' | 'top' | 'right' | 'bottom'>,
    style: ShapeStyle,
  ): void {
    if (this.#blocks?.color !== style.block) this.lift();
    this.#blocks ??= { color: style.block, boxes: [] };
    this.#blocks.boxes.push(
      left * this.#scale - this.#view.x,
      top * this.#scale - this.#view.y,
      Math.max(leastBlock_px, (right - left) * this.#scale),
      Math.max(leastBlock_px, (bottom - top) * this.#scale),
    );
  }

  /** Fills the blocks. */
  lift(): void {
    if (this.#blocks === null) return;
    const { color, boxes } = this.#blocks;
    this.#context.fillStyle = color;
    if (boxes.length > mostTraced * 4) this.#cover(boxes);
    else this.#traceBlocks(boxes);
    this.#blocks = null;
    this.#style = undefined;
  }

  #traceBlocks(boxes: readonly number[]): void {
    this.#context.beginPath();
    for (let at = 0; at < boxes.length; at += 4) {
      const [x = 0, y = 0, width = 0, height = 0] = boxes.slice(at, at + 4);
      this.#context.rect(x, y, width, height);
    }
    this.#context.fill();
  }

  #cover(boxes: readonly number[]): void {
    const { width, height, ratio } = this.#view;
    const cover = new BlockCover(Math.round(width * ratio), Math.round(height * ratio));
    for (let at = 0; at < boxes.length; at += 4) {
      const place = (index: number): number => (boxes[at + index] ?? 0) * ratio;
      cover.take(place(0), place(1), place(2), place(3));
    }
    for (const run of cover.runs()) this.#context.fillRect(run.x / ratio, run.y / ratio, run.length / ratio, 1 / ratio);
  }

  #drawOutline(shape: Painted, style: ShapeStyle): void {
    const context = this.#context;
    this.lift();
    this.#take(style);
    context.beginPath();
    let from = shape.start;
    const isInside = this.#isInside(shape);
    for (const end of shape.ends) {
      if (isInside) this.#trace(shape, from, end);
      else this.#traceClipped(shape, from, end);
      from = end;
    }
    if (style.fill !== null && shape.kind === shapeKinds.area) context.fill('evenodd');
    context.stroke();
  }

  #take(style: ShapeStyle): void {
    if (style === this.#style) return;
    this.#style = style;
    this.#context.strokeStyle = style.stroke;
    this.#context.lineWidth = style.weight;
    this.#context.setLineDash([...style.dash]);
    if (style.fill !== null) this.#context.fillStyle = style.fill;
  }

  #isInside({ left, top, right, bottom }: Painted): boolean {
    const { x, y } = this.#view;
    const [scale, frame] = [this.#scale, this.#frame];
    return (
      left * scale - x >= frame.left &&
      right * scale - x <= frame.right &&
      top * scale - y >= frame.top &&
      bottom * scale - y <= frame.bottom
    );
  }

  #trace({ points, kind }: Painted, from: number, to: number): void {
    const context = this.#context;
    let [lastX, lastY] = [NaN, NaN];
    for (let at = from; at < to; at += 2) {
      const x = (points[at] ?? 0) * this.#scale - this.#view.x;
      const y = (points[at + 1] ?? 0) * this.#scale - this.#view.y;
      if (at === from) context.moveTo(x, y);
      else if (at === to - 2 || Math.abs(x - lastX) + Math.abs(y - lastY) > leastStep_px) context.lineTo(x, y);
      else continue;
      [lastX, lastY] = [x, y];
    }
    if (kind === shapeKinds.area) context.closePath();
  }

  #traceClipped({ points, kind }: Painted, from: number, to: number): void {
    const isArea = kind === shapeKinds.area;
    const placed = Array.from(points.subarray(from, to), (value, at) =>
      at % 2 === 0 ? value * this.#scale - this.#view.x : value * this.#scale - this.#view.y,
    );
    for (const piece of isArea ? [clipRing(placed, this.#frame)] : clipLine(placed, this.#frame)) {
      for (let at = 0; at < piece.length; at += 2) {
        const [x = 0, y = 0] = piece.slice(at, at + 2);
        if (at === 0) this.#context.moveTo(x, y);
        else this.#context.lineTo(x, y);
      }
      if (isArea) this.#context.closePath();
    }
  }
}

function boxOf(
  points: Float64Array,
  start: number,
  end: number,
): { left: number; top: number; right: number; bottom: number } {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let at = start; at < end; at += 2) {
    const [x, y] = [points[at] ?? 0, points[at + 1] ?? 0];
    if (x < box.left) box.left = x;
    if (x > box.right) box.right = x;
    if (y < box.top) box.top = y;
    if (y > box.bottom) box.bottom = y;
  }
  return box;
}
