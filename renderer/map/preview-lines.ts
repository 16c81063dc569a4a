import { L } from './leaflet.ts';
import type { MapLook } from './look.ts';

/** A line that is not on the map yet. */
export interface PreviewLine {
  /** Longitude and latitude, as GeoJSON has them. */
  positions: readonly (readonly number[])[];
  isMain: boolean;
  /** One of many beside one another, under which the ground is to be seen. */
  isFine?: boolean;
  /** The accent when absent; such a line gets an edge, for bright colours are lost on a bright map. */
  color?: string;
  /** Whether the positions are the corners of an area that is filled. */
  isArea?: boolean;
  /** Whether it lies there already. */
  isExisting?: boolean;
  /** Whether it is one place where something is wrong: seen at every scale. */
  isFault?: boolean;
}

/** Lines shown for a look, which take no clicks. */
export class PreviewLines {
  readonly #layer: L.LayerGroup;
  #lines: readonly PreviewLine[] = [];

  constructor(map: L.Map) {
    this.#layer = L.layerGroup().addTo(map);
  }

  get lines(): readonly PreviewLine[] {
    return this.#lines;
  }

  show(lines: readonly PreviewLine[], { accent, ink, alarm }: MapLook): void {
    this.#lines = lines;
    this.#layer.clearLayers();
    for (const one of lines) {
      const { positions, isMain, isArea = false, isExisting = false, isFine = false, isFault = false, color } = one;
      const path = positions.map(([lng = 0, lat = 0]): [number, number] => [lat, lng]);
      if (isFault) {
        const ring = { radius: 9, weight: 3, dashArray: '4 4', color: alarm.warning, fillOpacity: 0.25 };
        for (const at of path) L.circleMarker(at, { ...ring, interactive: false }).addTo(this.#layer);
        continue;
      }
      if (isArea) {
        L.polygon(path, { color: color ?? accent, stroke: false, fillOpacity: 0.75, interactive: false }).addTo(
          this.#layer,
        );
        continue;
      }
      const weight = isMain ? 5 : isFine ? 1 : 2.5;
      const dashes = isExisting ? { dashArray: '2 7' } : {};
      const add = (options: L.PolylineOptions): void => {
        L.polyline(path, { ...dashes, opacity: 0.9, interactive: false, ...options }).addTo(this.#layer);
      };
      if (color !== undefined) add({ color: ink, weight: weight + 2.5 });
      add({ color: color ?? accent, weight });
    }
  }
}
