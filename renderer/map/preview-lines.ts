import { L } from './leaflet.ts';
import type { MapLook } from './look.ts';

/** A line that is not on the map yet. */
export interface PreviewLine {
  /** Longitude and latitude, as GeoJSON has them. */
  positions: readonly (readonly number[])[];
  isMain: boolean;
  /** The accent when absent. */
  color?: string;
  /** Whether the positions are the corners of an area that is filled. */
  isArea?: boolean;
  /** Whether it lies there already. */
  isExisting?: boolean;
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

  show(lines: readonly PreviewLine[], { accent }: MapLook): void {
    this.#lines = lines;
    this.#layer.clearLayers();
    for (const { positions, isMain, isArea = false, isExisting = false, color = accent } of lines) {
      const path = positions.map(([lng = 0, lat = 0]): [number, number] => [lat, lng]);
      if (isArea) {
        L.polygon(path, { color, stroke: false, fillOpacity: 0.75, interactive: false }).addTo(this.#layer);
        continue;
      }
      const weight = isMain ? 5 : 2.5;
      const dashes = isExisting ? { dashArray: '2 7' } : {};
      L.polyline(path, { color, weight, ...dashes, opacity: 0.9, interactive: false }).addTo(this.#layer);
    }
  }
}
