import type { FeatureLayers } from './feature-layers.ts';
import { L } from './leaflet.ts';

const mostLabels = 150;
const labelMinZoom = 15;
const labelPane = 'labels';

/** Names of the outlines in view, while there are few enough to be read. */
export class NameLabels {
  readonly #map: L.Map;
  readonly #features: FeatureLayers;
  readonly #labels: L.LayerGroup;

  constructor(map: L.Map, features: FeatureLayers) {
    this.#map = map;
    this.#features = features;
    // Names lie above the outlines and beneath the marks of devices.
    map.createPane(labelPane).classList.add('map-labels');
    this.#labels = L.layerGroup().addTo(map);
  }

  refresh(): void {
    this.#labels.clearLayers();
    if (this.#map.getZoom() < labelMinZoom) return;
    const inView = this.#features.named(mostLabels);
    if (inView.length > mostLabels) return;
    for (const { feature, bounds } of inView) {
      const isWide = feature.properties.type === 'site' || feature.properties.type === 'zone';
      const place = isWide ? bounds.getNorthWest() : L.latLng(bounds.getNorth(), bounds.getCenter().lng);
      L.tooltip({
        permanent: true,
        pane: labelPane,
        direction: isWide ? 'right' : 'bottom',
        className: 'map-label',
        interactive: false,
      })
        .setLatLng(place)
        .setContent(textElement(feature.properties.name))
        .addTo(this.#labels);
    }
  }
}

/** Names are text that people typed, never markup. */
function textElement(text: string): HTMLElement {
  const element = document.createElement('span');
  element.textContent = text;
  return element;
}
