import type { Feature } from '../../server/contract/overlay.ts';
import { idOf } from './edit-buffer.ts';
import { meets, type GeoBox } from './geo-box.ts';
import { L } from './leaflet.ts';
import { pointIcon, type PlacedKind } from './point-icon.ts';
import type { Shown, ShownFeatures } from './shown-features.ts';

/** What the map shows of a placed device. */
export interface PlacedDevice {
  kind: PlacedKind;
  value: string;
  /** Why the value is out of date; empty or absent when it is not. */
  stale?: string;
}

export interface PointMarksOptions {
  clicked(id: string, event: L.LeafletMouseEvent): void;
  device(feature: Feature): PlacedDevice;
}

/** Each marker is an element of the page; with more points in view than this, they are dots on the canvas. */
const mostMarkers = 1_600;

/** Points in view as Leaflet's markers. */
export class PointMarks {
  readonly #map: L.Map;
  readonly #shown: ShownFeatures;
  readonly #options: PointMarksOptions;
  readonly #points = new Set<Shown>();
  readonly #layers = new Map<Shown, L.Layer>();

  constructor(map: L.Map, shown: ShownFeatures, options: PointMarksOptions) {
    this.#map = map;
    this.#shown = shown;
    this.#options = options;
  }

  add(point: Shown): void {
    this.#points.add(point);
  }

  remove(point: Shown): void {
    this.#drop(point);
    this.#points.delete(point);
  }

  clear(): void {
    for (const point of this.#points) this.remove(point);
  }

  has(point: Shown): boolean {
    return this.#layers.has(point);
  }

  /** Adds the markers that came into view and removes those that left it. Returns the points of both. */
  follow(view: GeoBox): Shown[] {
    const inView = [...this.#points].filter((one) => meets(one.box, view) && this.#shown.isVisible(one));
    const isCrowd = inView.length > mostMarkers;
    const wanted = new Set(isCrowd ? inView.filter((one) => this.#shown.isSelected(one)) : inView);
    const changed = [...this.#points].filter((one) => wanted.has(one) !== this.has(one));
    for (const one of changed) {
      if (wanted.has(one)) this.#draw(one);
      else this.#drop(one);
    }
    return changed;
  }

  /** Gives a marker its present icon and opacity. */
  renew(point: Shown): void {
    const { isSelected, opacity } = this.#shown.stateOf(point);
    const renew = (layer: L.Layer | undefined): void => {
      if (layer instanceof L.Marker) layer.setIcon(this.#icon(point)).setOpacity(isSelected ? 1 : opacity);
      else if (layer instanceof L.FeatureGroup) layer.eachLayer(renew);
    };
    renew(this.#layers.get(point));
  }

  renewAll(): void {
    for (const point of this.#layers.keys()) this.renew(point);
  }

  /** Shows the live values of devices. */
  renewDevices(): void {
    for (const point of this.#layers.keys()) if (point.feature.properties.type === 'device') this.renew(point);
  }

  /** The marker of a point, drawn even when it is out of view. */
  marker(point: Shown): L.Marker | undefined {
    if (point.feature.geometry.type !== 'Point') return undefined;
    if (!this.has(point)) this.#draw(point);
    const layer = this.#layers.get(point);
    return layer instanceof L.Marker ? layer : undefined;
  }

  /**
   * Single points that are drawn and meet a box, with their markers. Their order does not depend on the view: names
   * keep their places.
   */
  drawn(box: GeoBox): [Shown, L.Marker][] {
    return [...this.#points].flatMap((point): [Shown, L.Marker][] => {
      const layer = this.#layers.get(point);
      return layer instanceof L.Marker && meets(point.box, box) ? [[point, layer]] : [];
    });
  }

  #draw(point: Shown): void {
    const { feature } = point;
    const { name } = feature.properties;
    const layer = L.GeoJSON.geometryToLayer(feature, {
      // Without a name it says nothing to a user who tabs through the map; the list of shapes has it.
      pointToLayer: (_feature, place) =>
        L.marker(place, { icon: this.#icon(point), title: name, keyboard: name !== '' }),
    });
    this.#layers.set(point, layer);
    this.renew(point);
    layer.on('click', (event: L.LeafletMouseEvent) => {
      L.DomEvent.stopPropagation(event);
      this.#options.clicked(idOf(feature), event);
    });
    layer.addTo(this.#map);
  }

  #drop(point: Shown): void {
    this.#layers.get(point)?.remove();
    this.#layers.delete(point);
  }

  #icon(point: Shown): L.DivIcon {
    return pointIcon(point.feature, {
      ...this.#options.device(point.feature),
      isSelected: this.#shown.isSelected(point),
    });
  }
}
