import { L } from './leaflet.ts';
import { vertexIcon } from './vertex-icon.ts';

/** A place that is not on the map yet and can be dragged; it can be set by numbers too. */
export interface PreviewHandle {
  lat: number;
  lng: number;
  label: string;
  moved: (place: { lat: number; lng: number }) => void;
}

/** Places that are chosen by dragging. */
export class PreviewHandles {
  readonly #layer: L.LayerGroup;

  constructor(map: L.Map) {
    this.#layer = L.layerGroup().addTo(map);
  }

  show(handles: readonly PreviewHandle[]): void {
    this.#layer.clearLayers();
    for (const { lat, lng, label, moved } of handles) {
      const icon = vertexIcon('place');
      const marker = L.marker([lat, lng], { draggable: true, keyboard: false, title: label, icon, zIndexOffset: 3000 });
      marker.on('dragend', () => moved(marker.getLatLng().wrap()));
      marker.addTo(this.#layer);
    }
  }
}
