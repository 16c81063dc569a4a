import type { Position } from './geometry.ts';
import { L } from './leaflet.ts';
import type { Pixel, Screen, SnapIndex } from './snap-index.ts';

/**
 * Draws the mouse and finger to corners and sides while a tool is in the hand. It stands where Leaflet turns an event
 * into a place, so that leaflet-draw's tools and those of our own follow alike.
 */
export class Snapping {
  readonly #map: L.Map;
  #index: SnapIndex | null = null;
  readonly #screen: Screen;

  /** `guide` has the word where it answers a place; without an index nothing else is met. */
  constructor(map: L.Map, guide: (place: L.LatLng) => L.LatLng | null = () => null) {
    this.#map = map;
    this.#screen = {
      toPixel: ([longitude = 0, latitude = 0]: Position) => this.#pixelOf(L.latLng(latitude, longitude)),
      toPosition: ({ x, y }: Pixel) => {
        const { lng, lat } = map.containerPointToLatLng([x, y]);
        return [lng, lat];
      },
    };
    map.mouseEventToContainerPoint = (event) => {
      const point = L.Map.prototype.mouseEventToContainerPoint.call(map, event);
      const guided = guide(map.containerPointToLatLng(point));
      if (guided !== null) return this.#pixelOf(guided);
      const near = this.#index?.nearest(point, this.#screen) ?? null;
      return near === null ? point : L.point(near.x, near.y);
    };
  }

  readonly setIndex = (index: SnapIndex | null): void => {
    this.#index = index;
  };

  stop(): void {
    Reflect.deleteProperty(this.#map, 'mouseEventToContainerPoint');
  }

  /** The position that this one snaps to; itself when nothing is near. */
  snapped(place: L.LatLng): L.LatLng {
    const near = this.#index?.nearest(this.#pixelOf(place), this.#screen) ?? null;
    return near === null ? place : this.#map.containerPointToLatLng([near.x, near.y]);
  }

  /** Leaflet itself rounds to whole pixels, which would miss a corner by up to a pixel's width on the ground. */
  #pixelOf(place: L.LatLng): L.Point {
    const layer = this.#map.project(place).subtract(this.#map.getPixelOrigin());
    return this.#map.layerPointToContainerPoint(layer);
  }
}
