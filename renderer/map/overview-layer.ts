import { L } from './leaflet.ts';
import type { GeoBox } from './geo-box.ts';

/** Shapes too small on screen to distinguish, and too many to draw individually: a block each, on canvas tiles. */
export class OverviewLayer extends L.GridLayer {
  #color: string;
  /** Four numbers a box, in parts of the Web Mercator square: left, top, right and bottom. */
  #boxes = new Float64Array();

  constructor(color: string) {
    super({ pane: 'overlayPane', keepBuffer: 1, className: 'map-overview', updateWhenZooming: false });
    this.#color = color;
  }

  show(boxes: readonly GeoBox[], color: string): void {
    if (boxes.length === 0 && this.#boxes.length === 0) return;
    this.#boxes = new Float64Array(boxes.length * 4);
    for (const [at, { west, south, east, north }] of boxes.entries()) {
      this.#boxes.set([west / 360 + 0.5, mercator(north), east / 360 + 0.5, mercator(south)], at * 4);
    }
    this.#color = color;
    this.redraw();
  }

  protected override createTile(coords: L.Coords): HTMLElement {
    const canvas = document.createElement('canvas');
    const size = this.getTileSize();
    canvas.width = size.x * devicePixelRatio;
    canvas.height = size.y * devicePixelRatio;
    const context = canvas.getContext('2d');
    if (context === null || this.#boxes.length === 0) return canvas;
    context.scale(devicePixelRatio, devicePixelRatio);
    context.fillStyle = this.#color;
    context.globalAlpha = 0.55;
    const world = size.x * 2 ** coords.z;
    const least_px = 1.5;
    context.beginPath();
    const [left, top] = [coords.x * size.x, coords.y * size.y];
    const boxes = this.#boxes;
    for (let at = 0; at < boxes.length; at += 4) {
      const x = (boxes[at] ?? 0) * world - left;
      const y = (boxes[at + 1] ?? 0) * world - top;
      if (x > size.x || y > size.y) continue;
      const width = Math.max(least_px, (boxes[at + 2] ?? 0) * world - left - x);
      const height = Math.max(least_px, (boxes[at + 3] ?? 0) * world - top - y);
      if (x + width >= 0 && y + height >= 0) context.rect(x, y, width, height);
    }
    context.fill();
    return canvas;
  }
}

/** 0 at the northern edge of the Web Mercator square, 1 at the southern. */
function mercator(latitude: number): number {
  const sine = Math.sin((Math.max(-85.0511, Math.min(85.0511, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}
