import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../../../server/contract/overlay.ts';
import { packShapes } from '../../../../../renderer/map/shapes/packed-shapes.ts';
import { ShapePainter, type PaintView, type ShapeStyle } from '../../../../../renderer/map/shapes/shape-painter.ts';

/** The whole world at zoom 0. */
const world: PaintView = { id: 1, zoom: 0, x: 0, y: 0, width: 256, height: 256, ratio: 1 };

const [red, blue] = ['#ff0000ff', '#0000ffff'].map((stroke): ShapeStyle => ({
  stroke,
  weight: 1,
  fill: stroke,
  block: `${stroke.slice(0, 7)}80`,
  dash: [],
})) as [ShapeStyle, ShapeStyle]; // of two colours

function square(west: number, size: number): Geometry {
  const [east, north] = [west + size, size];
  const ring = [
    [west, 0],
    [east, 0],
    [east, north],
    [west, north],
    [west, 0],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

/** What is drawn with which colour, where it begins. */
class Paper {
  readonly strokes: string[] = [];
  strokeStyle = '';
  fillStyle = '';
  #from: number[] = [];
  #rects: string[] = [];

  beginPath(): void {
    this.#from = [];
    this.#rects = [];
  }

  moveTo(x: number, y: number): void {
    if (this.#from.length === 0) this.#from = [x, y];
  }

  stroke(): void {
    this.strokes.push(`${this.strokeStyle} ${this.#from.map(Math.round).join(' ')}`);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#rects.push([x, y, width, height].map((value) => value.toFixed(1)).join(' '));
  }

  fill(): void {
    if (this.#rects.length > 0) this.strokes.push(`${this.fillStyle} blocks ${this.#rects.join(', ')}`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.strokes.push(`${this.fillStyle} ${[x, y, width, height].join(' ')}`);
  }

  setTransform(): void {}
  clearRect(): void {}
  setLineDash(): void {}
  lineTo(): void {}
  closePath(): void {}
}

function painted(painter: ShapePainter, view = world): string[] {
  const paper = new Paper();
  const context = paper as unknown as CanvasRenderingContext2D; // it has what the painter calls
  expect([...painter.paint(context, view)].length).toBeGreaterThanOrEqual(0);
  return paper.strokes;
}

function painterOf(shapes: readonly (readonly [geometry: Geometry, style: number, rank: number])[]): ShapePainter {
  const painter = new ShapePainter();
  painter.put(packShapes(shapes.map(([geometry], key) => ({ key, geometry }))));
  painter.setStyles([red, blue]);
  const keys = Uint32Array.from(shapes.keys());
  const styles = Int32Array.from(shapes, ([, style]) => style);
  const ranks = Uint32Array.from(shapes, ([, , rank]) => rank);
  painter.dress({ keys, styles, ranks });
  return painter;
}

describe('shapes are painted', () => {
  it('from the lowest rank to the highest, of one rank in the order of their coming, without what is hidden', () => {
    const painter = painterOf([
      [square(0, 45), 0, 2],
      [square(45, 45), 1, 1],
      [square(90, 45), 0, 1],
      [square(-90, 45), -1, 0],
    ]);
    expect(painted(painter)).toEqual([`${blue.stroke} 160 128`, `${red.stroke} 192 128`, `${red.stroke} 128 128`]);
  });

  it('where they are in the view, and not beside it', () => {
    const painter = painterOf([
      [square(0, 45), 0, 0],
      [square(90, 45), 1, 0],
    ]);
    const east = { ...world, zoom: 1, x: 370, y: 200, width: 100, height: 100 };
    expect(painted(painter, east)).toEqual([`${blue.stroke} 14 56`]);
  });

  it('as blocks of a size that is seen where they are too small for an outline, those of a colour together, and points so', () => {
    const painter = painterOf([
      [square(0, 1), 0, 0],
      [square(45, 1), 0, 0],
      [{ type: 'Point', coordinates: [90, 0] }, 1, 0],
    ]);
    expect(painted(painter)).toEqual([
      `${red.block} blocks 128.0 127.3 1.5 1.5, 160.0 127.3 1.5 1.5`,
      `${blue.block} blocks 192.0 128.0 1.5 1.5`,
    ]);
  });

  it('as the points of the canvas that they cover, each once, where blocks are very many', () => {
    const points = Array.from({ length: 5_000 }, (_, index): Geometry => ({
      type: 'Point',
      coordinates: [-180 + (index % 50) / 40, 0],
    }));
    const painter = painterOf(points.map((point) => [point, 0, 0]));
    expect(painted(painter, { ...world, ratio: 2 })).toEqual(
      [`${red.block} 0 128 2.5 0.5`].flatMap((row) => [
        row,
        row.replace(' 128 ', ' 128.5 '),
        row.replace(' 128 ', ' 129 '),
      ]),
    );
  });

  it('anew where they were put anew, with the style that they had, until they are taken away', () => {
    const painter = painterOf([[square(0, 45), 1, 0]]);
    painter.put(packShapes([{ key: 0, geometry: square(45, 45) }]));
    expect(painted(painter)).toEqual([`${blue.stroke} 160 128`]);
    painter.remove([0]);
    expect(painted(painter)).toEqual([]);
  });
});
