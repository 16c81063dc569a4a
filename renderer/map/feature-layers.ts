import type { Feature, Geometry } from '../../server/contract/overlay.ts';
import { idOf } from './edit-buffer.ts';
import { L } from './leaflet.ts';
import { pathStyle, rankOf, type HouseAlarm, type MapLook } from './look.ts';
import { pointIcon, type PlacedKind } from './point-icon.ts';

/** What the map is told about a placed device. */
export interface PlacedDevice {
  kind: PlacedKind;
  value: string;
}

export interface FeatureLayersOptions {
  look: MapLook;
  clicked(id: string, event: L.LeafletMouseEvent): void;
  device(feature: Feature): PlacedDevice;
}

interface Shown {
  feature: Feature;
  layer: L.Layer;
}

/** The features as Leaflet layers: outlines and lines on one canvas, points as elements. */
export class FeatureLayers {
  readonly #map: L.Map;
  readonly #options: FeatureLayersOptions;
  readonly #shown = new Map<string, Shown>();
  #look: MapLook;
  #selected: ReadonlySet<string> = new Set();
  #alarms: ReadonlyMap<string, HouseAlarm> = new Map();

  constructor(map: L.Map, options: FeatureLayersOptions) {
    this.#map = map;
    this.#options = options;
    this.#look = options.look;
  }

  /** Shows these features and nothing else. */
  showAll(features: readonly Feature[]): void {
    for (const { layer } of this.#shown.values()) layer.remove();
    this.#shown.clear();
    const ordered = features.toSorted((a, b) => rankOf(a.properties.type) - rankOf(b.properties.type));
    for (const feature of ordered) this.#add(feature);
  }

  /** Brings one feature up to date, or takes it away. */
  show(id: string, feature: Feature | undefined): void {
    this.#shown.get(id)?.layer.remove();
    this.#shown.delete(id);
    if (feature === undefined) return;
    this.#add(feature);
    this.#order(feature);
  }

  select(ids: readonly string[]): void {
    const before = this.#selected;
    this.#selected = new Set(ids);
    for (const id of new Set([...before, ...ids])) if (before.has(id) !== this.#selected.has(id)) this.#restyle(id);
  }

  setLook(look: MapLook): void {
    this.#look = look;
    for (const id of this.#shown.keys()) this.#restyle(id);
  }

  /** The worst that stands at each house, by its shape's id. */
  setAlarms(alarms: ReadonlyMap<string, HouseAlarm>): void {
    const changed = new Set([...this.#alarms.keys(), ...alarms.keys()]);
    this.#alarms = alarms;
    for (const id of changed) this.#restyle(id);
  }

  /** Shows the devices' live values again. */
  refreshDevices(): void {
    for (const [id, { feature }] of this.#shown) if (feature.properties.type === 'device') this.#restyle(id);
  }

  /** Moves a shape's outline without making a new layer, while a corner is dragged. */
  preview(id: string, geometry: Geometry): void {
    const layer = this.#shown.get(id)?.layer;
    if (!(layer instanceof L.Polyline) || geometry.type === 'Point' || geometry.type === 'MultiPoint') return;
    const depth = { LineString: 0, MultiLineString: 1, Polygon: 1, MultiPolygon: 2 }[geometry.type];
    layer.setLatLngs(L.GeoJSON.coordsToLatLngs(geometry.coordinates, depth) as L.LatLng[]); // Leaflet types nesting loosely
  }

  features(): Feature[] {
    return [...this.#shown.values()].map(({ feature }) => feature);
  }

  layer(id: string): L.Layer | undefined {
    return this.#shown.get(id)?.layer;
  }

  boundsOf(id: string): L.LatLngBounds | undefined {
    const layer = this.#shown.get(id)?.layer;
    if (layer instanceof L.Marker) return layer.getLatLng().toBounds(20);
    return layer instanceof L.Polyline || layer instanceof L.FeatureGroup ? layer.getBounds() : undefined;
  }

  bounds(): L.LatLngBounds | undefined {
    const all = L.latLngBounds([]);
    for (const id of this.#shown.keys()) {
      const one = this.boundsOf(id);
      if (one !== undefined) all.extend(one);
    }
    return all.isValid() ? all : undefined;
  }

  /** Features that lie wholly within bounds. */
  idsWithin(bounds: L.LatLngBounds): string[] {
    return [...this.#shown.keys()].filter((id) => {
      const layer = this.#shown.get(id)?.layer;
      if (layer instanceof L.Marker) return bounds.contains(layer.getLatLng());
      const own = this.boundsOf(id);
      return own !== undefined && bounds.contains(own);
    });
  }

  /** Outlines whose bounds meet those given, at most `most` and one more. */
  within(bounds: L.LatLngBounds, most: number): { feature: Feature; bounds: L.LatLngBounds }[] {
    const found: { feature: Feature; bounds: L.LatLngBounds }[] = [];
    for (const { feature, layer } of this.#shown.values()) {
      if (!(layer instanceof L.Polygon) || feature.properties.name === '') continue;
      if (layer.getBounds().intersects(bounds)) found.push({ feature, bounds: layer.getBounds() });
      if (found.length > most) break;
    }
    return found;
  }

  #add(feature: Feature): void {
    const id = idOf(feature);
    const layer = L.GeoJSON.geometryToLayer(feature, {
      pointToLayer: (_feature, place) => L.marker(place, { icon: this.#icon(feature), title: feature.properties.name }),
    });
    this.#style(feature, layer);
    layer.on('click', (event: L.LeafletMouseEvent) => {
      L.DomEvent.stopPropagation(event);
      this.#options.clicked(id, event);
    });
    layer.addTo(this.#map);
    this.#shown.set(id, { feature, layer });
  }

  /** A new layer lies on top: the wide outlines go back beneath the narrow ones. */
  #order(feature: Feature): void {
    const mine = rankOf(feature.properties.type);
    if (mine > 1) return;
    const behind = [...this.#shown.values()].filter((one) => rankOf(one.feature.properties.type) < mine);
    for (const { layer } of [...this.#shown.values()].filter((one) => one.feature === feature).concat(behind)) {
      if (layer instanceof L.Path) layer.bringToBack();
    }
  }

  #restyle(id: string): void {
    const shown = this.#shown.get(id);
    if (shown !== undefined) this.#style(shown.feature, shown.layer);
  }

  #style(feature: Feature, layer: L.Layer): void {
    const id = idOf(feature);
    const state = { isSelected: this.#selected.has(id), alarm: this.#alarms.get(id) };
    if (layer instanceof L.Marker) layer.setIcon(this.#icon(feature));
    else if (layer instanceof L.Path) layer.setStyle(pathStyle(feature.properties.type, this.#look, state));
    else if (layer instanceof L.FeatureGroup) layer.eachLayer((one) => this.#style(feature, one));
  }

  #icon(feature: Feature): L.DivIcon {
    const isSelected = this.#selected.has(idOf(feature));
    return pointIcon(feature, { ...this.#options.device(feature), isSelected });
  }
}
