import type { Position } from './geometry.ts';
import type { L } from './leaflet.ts';
import { positionOf } from './outline.ts';

export interface DragPort {
  moved: (from: Position, to: Position) => void;
  ended: (from: Position, to: Position) => void;
}

export type DragCursor = 'move' | 'crosshair';

/** One press that moves and ends, by mouse, finger or pen, while the map itself stands still. */
export class DragGesture {
  readonly #map: L.Map;
  readonly #port: DragPort;
  readonly #element: HTMLElement;
  readonly #cursor: string;
  #from: Position | undefined;

  constructor(map: L.Map, port: DragPort, cursor: DragCursor) {
    this.#map = map;
    this.#port = port;
    this.#element = map.getContainer();
    this.#cursor = `is-dragging-${cursor}`;
    map.dragging.disable();
    map.boxZoom.disable();
    this.#element.classList.add('is-drawing', this.#cursor);
    this.#element.addEventListener('pointerdown', this.#pressed);
    this.#element.addEventListener('pointermove', this.#moved);
    this.#element.addEventListener('pointerup', this.#released);
    this.#element.addEventListener('pointercancel', this.#cancelled);
  }

  stop(): void {
    this.#map.dragging.enable();
    this.#map.boxZoom.enable();
    this.#element.classList.remove('is-drawing', this.#cursor);
    this.#element.removeEventListener('pointerdown', this.#pressed);
    this.#element.removeEventListener('pointermove', this.#moved);
    this.#element.removeEventListener('pointerup', this.#released);
    this.#element.removeEventListener('pointercancel', this.#cancelled);
  }

  readonly #pressed = (event: PointerEvent): void => {
    if (!event.isPrimary || event.button !== 0) return;
    this.#element.setPointerCapture(event.pointerId);
    this.#from = this.#placeOf(event);
  };

  readonly #moved = (event: PointerEvent): void => {
    if (this.#from !== undefined && event.isPrimary) this.#port.moved(this.#from, this.#placeOf(event));
  };

  readonly #released = (event: PointerEvent): void => {
    if (this.#from === undefined || !event.isPrimary) return;
    const from = this.#from;
    this.#from = undefined;
    this.#port.ended(from, this.#placeOf(event));
  };

  readonly #cancelled = (): void => {
    this.#from = undefined;
  };

  #placeOf(event: PointerEvent): Position {
    return positionOf(this.#map.mouseEventToLatLng(event));
  }
}
