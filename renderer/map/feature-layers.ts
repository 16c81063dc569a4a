import type { Feature, FeatureType, Geometry } from '../../server/contract/overlay.ts';
import { idOf } from './edit-buffer.ts';
import { boxOf, holds, meets, type GeoBox } from './geo-box.ts';
import { typeLayersOf, type TypeLayer } from './layer-settings.ts';
import { L } from './leaflet.ts';
import { pathStyle, type HouseAlarm, type MapLook } from './look.ts';
import { OverviewLayer } from './overview-layer.ts';
import { pointIcon, type PlacedKind } from './point-icon.ts';

/** What the map needs to know about a placed device. */
export interface PlacedDevice {
  kind: PlacedKind;
  value: string;
  /** Why the value is not to be relied on: it is old, or the connection is lost; empty while it is. */
  stale?: string;
}

export interface FeatureLayersOptions {
  look: MapLook;
  clicked(id: string, event: L.LeafletMouseEvent): void;
  device(feature: Feature): PlacedDevice;
}

/** An outline that is drawn and has a name. */
export interface NamedOutline {
  feature: Feature;
  bounds: L.LatLngBounds;
  isSelected: boolean;
  hasAlarm: boolean;
}

/** A point that is drawn, a mark or a text. */
export interface DrawnPoint {
  feature: Feature;
  place: L.LatLng;
  element: HTMLElement | undefined;
  /** Shown beside it; empty for none. */
  value: string;
  isSelected: boolean;
}

interface Shown {
  feature: Feature;
  box: GeoBox;
  /** Made when it comes into view. */
  layer: L.Layer | undefined;
}

/** Limits for drawing individually; a point is an element of the page and costs as much as several outlines. */
const mostDrawn = 8_000;
const pointWeight = 5;
/** Shapes smaller than this on screen may become blocks of the overview. */
const leastDrawn_px = 6;
/** So much of the view around it is ready to be moved into. */
const margin = 0.5;

/** The features as Leaflet layers, those in view: outlines and lines on one canvas, points as elements. */
export class FeatureLayers {
  readonly #map: L.Map;
  readonly #options: FeatureLayersOptions;
  readonly #shown = new Map<string, Shown>();
  /** Those of them that have a layer. */
  readonly #drawn = new Set<Shown>();
  readonly #overview: OverviewLayer;
  #look: MapLook;
  #selected: ReadonlySet<string> = new Set();
  #alarms: ReadonlyMap<string, HouseAlarm> = new Map();
  #layers = new Map(typeLayersOf().map((layer, rank) => [layer.type, { ...layer, rank }]));
  /** Ids of the only features shown; null for all. */
  #only: ReadonlySet<string> | null = null;
  /** Ids of what was drawn since: it does not vanish under the hand. */
  readonly #kept = new Set<string>();
  #version = 0;
  /** Of which zoom and version the overview shows the blocks. */
  #blocks = '';

  constructor(map: L.Map, options: FeatureLayersOptions) {
    this.#map = map;
    this.#options = options;
    this.#look = options.look;
    this.#overview = new OverviewLayer(options.look.ink).addTo(map);
  }

  /** Takes these features in place of all before; what of them is in view is drawn by `follow`. */
  replaceAll(features: readonly Feature[]): void {
    for (const one of this.#drawn) this.#drop(one);
    this.#shown.clear();
    for (const feature of features) this.#put(idOf(feature), feature);
    this.#version += 1;
  }

  /** Brings the features of these ids up to date, and takes away those that are no more. */
  show(ids: readonly string[], find: (id: string) => Feature | undefined): void {
    for (const id of ids) {
      const before = this.#shown.get(id);
      if (before !== undefined) this.#drop(before);
      this.#put(id, find(id));
    }
    this.#changed();
  }

  /** Draws what came into view, and takes away what left it. */
  follow(): void {
    const view = this.#boxInView(margin);
    const inView: Shown[] = [];
    let weight = 0;
    for (const one of this.#shown.values()) {
      if (!meets(one.box, view) || !this.#isVisible(one)) continue;
      inView.push(one);
      weight += isPoint(one.feature) ? pointWeight : 1;
    }
    const isCrowd = weight > mostDrawn;
    const isBlock = isCrowd ? this.#smallness() : () => false;
    const wanted = new Set(inView.filter((one) => this.#isSelected(one) || !isBlock(one)));
    for (const one of this.#drawn) if (!wanted.has(one)) this.#drop(one);
    this.#drawAll([...wanted].filter(({ layer }) => layer === undefined));
    const blocks = `${isCrowd ? this.#map.getZoom() : ''} ${this.#version}`;
    if (blocks === this.#blocks) return;
    this.#blocks = blocks;
    this.#overview.show(isCrowd ? this.#blocksBut(wanted, isBlock) : [], this.#look.ink);
  }

  /** Of the whole map, for the overview is moved without being made anew. */
  #blocksBut(wanted: ReadonlySet<Shown>, isBlock: (one: Shown) => boolean): GeoBox[] {
    const boxes: GeoBox[] = [];
    for (const one of this.#shown.values()) {
      if (isBlock(one) && !wanted.has(one) && this.#isVisible(one)) boxes.push(one.box);
    }
    return boxes;
  }

  select(ids: readonly string[]): void {
    const before = this.#selected;
    this.#selected = new Set(ids);
    for (const id of new Set([...before, ...ids])) {
      const shown = this.#shown.get(id);
      if (shown === undefined || before.has(id) === this.#selected.has(id)) continue;
      if (shown.layer !== undefined && !this.#isVisible(shown)) this.#drop(shown);
      else if (shown.layer === undefined && this.#selected.has(id)) this.#draw(shown);
      else this.#restyle(id);
    }
  }

  setLook(look: MapLook): void {
    this.#look = look;
    for (const { feature } of this.#drawn) this.#restyle(idOf(feature));
    this.#changed();
  }

  /** From the lowest to the highest. */
  setLayers(layers: readonly TypeLayer[]): void {
    this.#layers = new Map(layers.map((layer, rank) => [layer.type, { ...layer, rank }]));
    this.#kept.clear();
    for (const { feature } of this.#drawn) this.#restyle(idOf(feature));
    this.#changed();
    this.#raise(0);
  }

  /** Shows only these; null shows all. The selection is always shown. */
  showOnly(ids: ReadonlySet<string> | null): void {
    if (ids === null && this.#only === null) return;
    this.#only = ids;
    if (ids === null) this.#kept.clear();
    this.#changed();
  }

  /** Shows this one even if hidden, until layers change or the filter is lifted. */
  keepShown(id: string): void {
    this.#kept.add(id);
    this.#changed();
  }

  /** The worst alarm of each house, by shape id. */
  setAlarms(alarms: ReadonlyMap<string, HouseAlarm>): void {
    const changed = new Set([...this.#alarms.keys(), ...alarms.keys()]);
    this.#alarms = alarms;
    for (const id of changed) this.#restyle(id);
  }

  /** Shows the devices' live values again. */
  refreshDevices(): void {
    for (const { feature } of this.#drawn) if (feature.properties.type === 'device') this.#restyle(idOf(feature));
  }

  /** Moves a shape's outline without making a new layer, while a corner is dragged. */
  preview(id: string, geometry: Geometry): void {
    const layer = this.#shown.get(id)?.layer;
    if (!(layer instanceof L.Polyline) || geometry.type === 'Point' || geometry.type === 'MultiPoint') return;
    const depth = { LineString: 0, MultiLineString: 1, Polygon: 1, MultiPolygon: 2 }[geometry.type];
    layer.setLatLngs(L.GeoJSON.coordsToLatLngs(geometry.coordinates, depth) as L.LatLng[]); // Leaflet types nesting loosely
  }

  /** The features drawn individually, in view and near it. */
  drawn(): Feature[] {
    return Array.from(this.#drawn, ({ feature }) => feature);
  }

  /** The layer of a point. */
  marker(id: string): L.Marker | undefined {
    const shown = this.#shown.get(id);
    if (shown?.feature.geometry.type !== 'Point') return undefined;
    if (shown.layer === undefined) this.#draw(shown);
    return shown.layer instanceof L.Marker ? shown.layer : undefined;
  }

  boundsOf(id: string): L.LatLngBounds | undefined {
    const shown = this.#shown.get(id);
    if (shown === undefined) return undefined;
    const bounds = boundsOfBox(shown.box);
    return isPoint(shown.feature) ? bounds.getCenter().toBounds(20) : bounds;
  }

  /** Of everything that is not hidden. */
  bounds(): L.LatLngBounds | undefined {
    const all = L.latLngBounds([]);
    for (const one of this.#shown.values()) if (this.#isVisible(one)) all.extend(boundsOfBox(one.box));
    return all.isValid() ? all : undefined;
  }

  /** Features that are shown and lie wholly within bounds. */
  idsWithin(bounds: L.LatLngBounds): string[] {
    const wanted = boxOfBounds(bounds);
    return [...this.#shown].filter(([, one]) => holds(wanted, one.box) && this.#isVisible(one)).map(([id]) => id);
  }

  /** With the opacity of each. */
  typesInView(): Map<FeatureType, number> {
    const view = this.#boxInView(0);
    const seen = [...this.#shown.values()].filter((one) => meets(one.box, view) && this.#isVisible(one));
    const types = new Set(seen.map(({ feature }) => feature.properties.type));
    return new Map([...types].map((type) => [type, this.#layers.get(type)?.opacity ?? 1]));
  }

  /** Outlines with a name that are drawn and meet the view, at most `most` and one more. */
  named(most: number): NamedOutline[] {
    const found: NamedOutline[] = [];
    const view = this.#boxInView(0);
    for (const one of this.#drawn) {
      const { feature, box, layer } = one;
      if (!(layer instanceof L.Polygon) || feature.properties.name === '' || !meets(box, view)) continue;
      const hasAlarm = this.#alarms.has(idOf(feature));
      found.push({ feature, bounds: boundsOfBox(box), isSelected: this.#isSelected(one), hasAlarm });
      if (found.length > most) break;
    }
    return found;
  }

  /** Points that are drawn and meet the view. */
  points(): DrawnPoint[] {
    const view = this.#boxInView(0);
    return [...this.#drawn].flatMap((one): DrawnPoint[] => {
      const { feature, box, layer } = one;
      if (!(layer instanceof L.Marker) || !meets(box, view)) return [];
      const value = feature.properties.type === 'device' ? this.#options.device(feature).value : '';
      const isSelected = this.#isSelected(one);
      return [{ feature, place: layer.getLatLng(), element: layer.getElement(), value, isSelected }];
    });
  }

  #boxInView(pad: number): GeoBox {
    return boxOfBounds(this.#map.getBounds().pad(pad));
  }

  #isSelected({ feature }: Shown): boolean {
    return this.#selected.has(idOf(feature));
  }

  #isVisible(shown: Shown): boolean {
    if (this.#isSelected(shown) || this.#kept.has(idOf(shown.feature))) return true;
    const layer = this.#layers.get(shown.feature.properties.type);
    if (layer?.isVisible !== true || layer.opacity === 0) return false;
    return this.#only?.has(idOf(shown.feature)) ?? true;
  }

  #smallness(): ({ box }: Shown) => boolean {
    const degrees_px = 360 / (256 * 2 ** this.#map.getZoom());
    const least = leastDrawn_px * degrees_px;
    return ({ box }) => box.east - box.west < least && box.north - box.south < least;
  }

  #rankOf({ properties }: Feature): number {
    return this.#layers.get(properties.type)?.rank ?? 0;
  }

  #put(id: string, feature: Feature | undefined): void {
    if (feature === undefined) this.#shown.delete(id);
    else this.#shown.set(id, { feature, box: boxOf(feature), layer: undefined });
  }

  #changed(): void {
    this.#version += 1;
    this.follow();
  }

  #drawAll(added: Shown[]): void {
    if (added.length === 0) return;
    const ranks = added.map(({ feature }) => this.#rankOf(feature));
    const lowest = ranks.reduce((least, rank) => Math.min(least, rank));
    for (const one of added) this.#draw(one);
    this.#raise(ranks.every((rank) => rank === lowest) ? lowest + 1 : lowest);
  }

  #draw(shown: Shown): void {
    const { feature } = shown;
    const layer = L.GeoJSON.geometryToLayer(feature, {
      pointToLayer: (_feature, place) => {
        const { name } = feature.properties;
        // Without a name it says nothing to a user tabbing through the map; the list of shapes has it.
        return L.marker(place, { icon: this.#icon(feature), title: name, keyboard: name !== '' });
      },
    });
    shown.layer = layer;
    this.#drawn.add(shown);
    this.#style(feature, layer);
    layer.on('click', (event: L.LeafletMouseEvent) => {
      L.DomEvent.stopPropagation(event);
      this.#options.clicked(idOf(feature), event);
    });
    layer.addTo(this.#map);
  }

  #drop(shown: Shown): void {
    shown.layer?.remove();
    shown.layer = undefined;
    this.#drawn.delete(shown);
  }

  /** A new layer lies on top: what belongs above it is brought to the front again. */
  #raise(fromRank: number): void {
    const above = [...this.#drawn]
      .filter(({ layer }) => layer instanceof L.Path)
      .map(({ feature, layer }) => ({ rank: this.#rankOf(feature), layer: layer as L.Path })) // by the filter
      .filter(({ rank }) => rank >= fromRank)
      .sort((a, b) => a.rank - b.rank);
    for (const { layer } of above) layer.bringToFront();
  }

  #restyle(id: string): void {
    const shown = this.#shown.get(id);
    if (shown?.layer !== undefined) this.#style(shown.feature, shown.layer);
  }

  #style(feature: Feature, layer: L.Layer): void {
    const id = idOf(feature);
    const opacity = this.#layers.get(feature.properties.type)?.opacity ?? 1;
    const state = { isSelected: this.#selected.has(id), alarm: this.#alarms.get(id), opacity };
    if (layer instanceof L.Marker) layer.setIcon(this.#icon(feature)).setOpacity(state.isSelected ? 1 : opacity);
    else if (layer instanceof L.Path) layer.setStyle(pathStyle(feature.properties.type, this.#look, state));
    else if (layer instanceof L.FeatureGroup) layer.eachLayer((one) => this.#style(feature, one));
  }

  #icon(feature: Feature): L.DivIcon {
    const isSelected = this.#selected.has(idOf(feature));
    return pointIcon(feature, { ...this.#options.device(feature), isSelected });
  }
}

function isPoint({ geometry }: Feature): boolean {
  return geometry.type === 'Point' || geometry.type === 'MultiPoint';
}

function boundsOfBox({ west, south, east, north }: GeoBox): L.LatLngBounds {
  return L.latLngBounds([south, west], [north, east]);
}

function boxOfBounds(bounds: L.LatLngBounds): GeoBox {
  return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() };
}
