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
  /** By place and name: what stays as it is is not drawn anew, which would flicker. */
  #drawn = new Map<string, L.Tooltip>();

  constructor(map: L.Map, features: FeatureLayers) {
    this.#map = map;
    this.#features = features;
    // Names lie above the outlines and beneath the marks of devices.
    map.createPane(labelPane).classList.add('map-labels');
    this.#labels = L.layerGroup().addTo(map);
  }

  refresh(): void {
    const inView = this.#map.getZoom() < labelMinZoom ? [] : this.#features.named(mostLabels);
    const former = this.#drawn;
    this.#drawn = new Map();
    for (const { feature, bounds } of inView.length > mostLabels ? [] : inView) {
      const { type, name } = feature.properties;
      const isWide = type === 'site' || type === 'zone';
      const place = isWide ? bounds.getNorthWest() : L.latLng(bounds.getNorth(), bounds.getCenter().lng);
      const key = JSON.stringify([isWide, place, name]);
      const label = former.get(key) ?? this.#drawn.get(key) ?? labelAt(place, name, isWide);
      this.#drawn.set(key, label.addTo(this.#labels));
      former.delete(key);
    }
    for (const label of former.values()) this.#labels.removeLayer(label);
  }
}

function labelAt(place: L.LatLng, name: string, isWide: boolean): L.Tooltip {
  return L.tooltip({
    permanent: true,
    pane: labelPane,
    direction: isWide ? 'right' : 'bottom',
    className: 'map-label',
    interactive: false,
  })
    .setLatLng(place)
    .setContent(textElement(name));
}

/** Names are text that people typed, never markup. */
function textElement(text: string): HTMLElement {
  const element = document.createElement('span');
  element.textContent = text;
  return element;
}
