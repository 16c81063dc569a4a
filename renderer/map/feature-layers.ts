import type { Feature, FeatureType, Geometry } from '../../server/contract/overlay.ts';
import { idOf } from './edit-buffer.ts';
import { boxOf, holds, meets, type GeoBox } from './geo-box.ts';
import { typeLayersOf, type TypeLayer } from './layer-settings.ts';
import { L } from './leaflet.ts';
import { outlineStyle, type HouseAlarm, type MapLook, type OutlineState } from './look.ts';
import { pointIcon, type PlacedKind } from './point-icon.ts';
import { isHit } from './shapes/hit.ts';
import { packShapes } from './shapes/packed-shapes.ts';
import { ShapeCanvas } from './shapes/shape-canvas.ts';
import { ShapeStyles } from './shapes/shape-styles.ts';

/** What the map is told about a placed device. */
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
  /** Of its outline on the canvas. */
  key: number;
  box: GeoBox;
  /** Of a point, while it is an element of the page. */
  layer: L.Layer | undefined;
}

/** Of points in view: each is an element of the page. More are dots on the canvas. */
const mostPoints = 1_600;
/** What is smaller than this on the screen is told by no name and draws no tool to itself where there are many. */
const leastNamed_px = 6;
const mostNamedSmall = 8_000;
/** So much of the view around it is ready to be moved into. */
const margin = 0.5;
/** So near to an outline or line is on it. */
const reach_px = 5;
const hoverEveryMs = 32;

/** The features on the map: outlines and lines on one canvas, points in view as Leaflet's marks. */
export class FeatureLayers {
  readonly #map: L.Map;
  readonly #options: FeatureLayersOptions;
  readonly #shown = new Map<string, Shown>();
  readonly #points = new Set<Shown>();
  readonly #canvas: ShapeCanvas;
  readonly #styles: ShapeStyles;
  #lastKey = 0;
  #look: MapLook;
  #selected: ReadonlySet<string> = new Set();
  #alarms: ReadonlyMap<string, HouseAlarm> = new Map();
  #layers = new Map(typeLayersOf().map((layer, rank) => [layer.type, { ...layer, rank }]));
  /** Ids of what is shown alone; null for everything. */
  #only: ReadonlySet<string> | null = null;
  /** Ids of what was drawn since: it does not vanish under the hand. */
  readonly #kept = new Set<string>();
  /** The shape whose corner is being dragged. */
  #inHand: { id: string; outline: L.Polyline | L.Polygon } | null = null;
  /** Where the pointer is that was not looked at yet. */
  #pointer: L.LatLng | null = null;

  constructor(map: L.Map, options: FeatureLayersOptions) {
    this.#map = map;
    this.#options = options;
    this.#look = options.look;
    this.#canvas = new ShapeCanvas().addTo(map);
    this.#styles = new ShapeStyles(options.look);
    map.on('mousemove', (event: L.LeafletMouseEvent) => this.#hover(event));
  }

  /** Takes these features in place of all before; points in view are drawn by `follow`. */
  replaceAll(features: readonly Feature[]): void {
    for (const one of this.#points) this.#drop(one);
    this.#shown.clear();
    this.#points.clear();
    this.#dropInHand();
    this.#canvas.tell({ kind: 'clear' });
    this.#put(features);
  }

  /** Brings the features of these ids up to date, and takes away those that are no more. */
  show(ids: readonly string[], find: (id: string) => Feature | undefined): void {
    const put: Feature[] = [];
    for (const id of ids) {
      const feature = find(id);
      if (feature === undefined) this.#remove(id);
      else put.push(feature);
      if (this.#inHand?.id === id) this.#dropInHand();
    }
    this.#put(put);
    this.follow();
  }

  /** Draws the points that came into view, and takes away those that left it. */
  follow(): void {
    const view = this.#boxInView(margin);
    const inView = [...this.#points].filter((one) => meets(one.box, view) && this.#isVisible(one));
    const wanted = new Set(inView.length > mostPoints ? inView.filter((one) => this.#isSelected(one)) : inView);
    const changed: Shown[] = [];
    for (const one of this.#points) {
      if (wanted.has(one) === (one.layer !== undefined)) continue;
      if (wanted.has(one)) this.#draw(one);
      else this.#drop(one);
      changed.push(one);
    }
    this.#dress(changed);
  }

  select(ids: readonly string[]): void {
    const before = this.#selected;
    this.#selected = new Set(ids);
    this.#restyle([...new Set([...before, ...ids])].filter((id) => before.has(id) !== this.#selected.has(id)));
  }

  setLook(look: MapLook): void {
    this.#look = look;
    this.#styles.setLook(look);
    this.#restyleAll();
  }

  /** From the lowest to the highest. */
  setLayers(layers: readonly TypeLayer[]): void {
    this.#layers = new Map(layers.map((layer, rank) => [layer.type, { ...layer, rank }]));
    this.#kept.clear();
    this.#restyleAll();
  }

  /** Shows these alone; null shows everything. What is selected is always shown. */
  showOnly(ids: ReadonlySet<string> | null): void {
    if (ids === null && this.#only === null) return;
    this.#only = ids;
    if (ids === null) this.#kept.clear();
    this.#restyleAll();
  }

  /** Shows this one in spite of what is hidden, until layers are changed or the filter is lifted. */
  keepShown(id: string): void {
    this.#kept.add(id);
    this.#restyle([id]);
  }

  /** The worst that stands at each house, by its shape's id. */
  setAlarms(alarms: ReadonlyMap<string, HouseAlarm>): void {
    const changed = new Set([...this.#alarms.keys(), ...alarms.keys()]);
    this.#alarms = alarms;
    this.#restyle(changed);
  }

  /** Shows the devices' live values again. */
  refreshDevices(): void {
    for (const one of this.#points) if (one.feature.properties.type === 'device') this.#mark(one);
  }

  /** Moves a shape's outline without waiting for the canvas, while a corner is dragged. */
  preview(id: string, geometry: Geometry): void {
    const shown = this.#shown.get(id);
    if (shown === undefined || geometry.type === 'Point' || geometry.type === 'MultiPoint') return;
    if (this.#inHand?.id !== id) this.#takeInHand(shown);
    const depth = { LineString: 0, MultiLineString: 1, Polygon: 1, MultiPolygon: 2 }[geometry.type];
    this.#inHand?.outline.setLatLngs(L.GeoJSON.coordsToLatLngs(geometry.coordinates, depth) as L.LatLng[]); // Leaflet types nesting loosely
  }

  /** Has the canvas draw again what was moved by `preview`. */
  endPreview(): void {
    this.#dropInHand();
  }

  /** What is in view and near it, and not too small to be aimed at. */
  drawn(): Feature[] {
    const isSmall = this.#smallness();
    const near = this.#within(this.#boxInView(margin));
    const isCrowd = near.length > mostNamedSmall;
    return near.filter((one) => !isCrowd || !isSmall(one)).map(({ feature }) => feature);
  }

  /** The shape at a place, the uppermost; points are elements of their own. */
  at({ lng, lat }: L.LatLng): string | null {
    const scale = 256 * 2 ** this.#map.getZoom();
    const reach_deg = (360 / scale) * reach_px;
    const near = { west: lng - reach_deg, east: lng + reach_deg, south: lat - reach_deg, north: lat + reach_deg };
    let found: { id: string; rank: number } | null = null;
    for (const [id, one] of this.#shown) {
      if (!meets(one.box, near) || !this.#isVisible(one)) continue;
      const rank = this.#rankOf(one.feature);
      if (rank < (found?.rank ?? 0) || !isHit(one.feature.geometry, { lng, lat }, { scale, reach_px })) continue;
      found = { id, rank };
    }
    return found?.id ?? null;
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
    const all: GeoBox = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
    for (const one of this.#shown.values()) if (this.#isVisible(one)) widen(all, one.box);
    return all.west <= all.east ? boundsOfBox(all) : undefined;
  }

  /** Features that are shown and lie wholly within bounds. */
  idsWithin(bounds: L.LatLngBounds): string[] {
    const wanted = boxOfBounds(bounds);
    return [...this.#shown].filter(([, one]) => holds(wanted, one.box) && this.#isVisible(one)).map(([id]) => id);
  }

  /** With the opacity of each. */
  typesInView(): Map<FeatureType, number> {
    const types = new Set(this.#within(this.#boxInView(0)).map(({ feature }) => feature.properties.type));
    return new Map([...types].map((type) => [type, this.#layers.get(type)?.opacity ?? 1]));
  }

  /** Outlines with a name that meet the view, at most `most` and one more. */
  named(most: number): NamedOutline[] {
    const found: NamedOutline[] = [];
    const view = this.#boxInView(0);
    for (const one of this.#shown.values()) {
      const { feature, box } = one;
      if (!meets(box, view) || !isArea(feature) || feature.properties.name === '' || !this.#isVisible(one)) continue;
      const hasAlarm = this.#alarms.has(idOf(feature));
      found.push({ feature, bounds: boundsOfBox(box), isSelected: this.#isSelected(one), hasAlarm });
      if (found.length > most) break;
    }
    return found;
  }

  /** Points that are drawn and meet the view. */
  points(): DrawnPoint[] {
    const view = this.#boxInView(0);
    return [...this.#points].flatMap((one): DrawnPoint[] => {
      const { feature, box, layer } = one;
      if (!(layer instanceof L.Marker) || !meets(box, view)) return [];
      const value = feature.properties.type === 'device' ? this.#options.device(feature).value : '';
      const isSelected = this.#isSelected(one);
      return [{ feature, place: layer.getLatLng(), element: layer.getElement(), value, isSelected }];
    });
  }

  /** Resolves once the canvas shows all of this. */
  seen(): Promise<void> {
    return this.#canvas.seen();
  }

  #within(box: GeoBox): Shown[] {
    return [...this.#shown.values()].filter((one) => meets(one.box, box) && this.#isVisible(one));
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
    const least = leastNamed_px * degrees_px;
    return ({ box }) => box.east - box.west < least && box.north - box.south < least;
  }

  #rankOf({ properties }: Feature): number {
    return this.#layers.get(properties.type)?.rank ?? 0;
  }

  #put(features: readonly Feature[]): void {
    const put: Shown[] = [];
    for (const feature of features) {
      const id = idOf(feature);
      const before = this.#shown.get(id);
      if (before !== undefined) this.#forget(before);
      const key = before?.key ?? (this.#lastKey += 1);
      const shown: Shown = { feature, key, box: boxOf(feature), layer: undefined };
      this.#shown.set(id, shown);
      if (isPoint(feature)) this.#points.add(shown);
      put.push(shown);
    }
    if (put.length === 0) return;
    const shapes = packShapes(put.map(({ key, feature: { geometry } }) => ({ key, geometry })));
    const { keys, kinds, shapeEnds, ringEnds, points } = shapes;
    const buffers = [keys, kinds, shapeEnds, ringEnds, points].map(({ buffer }) => buffer);
    this.#canvas.tell({ kind: 'put', shapes }, buffers);
    this.#dress(put);
  }

  #remove(id: string): void {
    const shown = this.#shown.get(id);
    if (shown === undefined) return;
    this.#forget(shown);
    this.#shown.delete(id);
    this.#canvas.tell({ kind: 'remove', keys: Uint32Array.of(shown.key) });
  }

  #forget(shown: Shown): void {
    this.#drop(shown);
    this.#points.delete(shown);
  }

  #draw(shown: Shown): void {
    const { feature } = shown;
    const layer = L.GeoJSON.geometryToLayer(feature, {
      pointToLayer: (_feature, place) => {
        const { name } = feature.properties;
        // Without a name it says nothing to who tabs through the map; the list of shapes has it.
        return L.marker(place, { icon: this.#icon(feature), title: name, keyboard: name !== '' });
      },
    });
    shown.layer = layer;
    this.#mark(shown);
    layer.on('click', (event: L.LeafletMouseEvent) => {
      L.DomEvent.stopPropagation(event);
      this.#options.clicked(idOf(feature), event);
    });
    layer.addTo(this.#map);
  }

  #drop(shown: Shown): void {
    shown.layer?.remove();
    shown.layer = undefined;
  }

  #takeInHand(shown: Shown): void {
    this.#dropInHand();
    const style = outlineStyle(shown.feature.properties.type, this.#look, this.#stateOf(shown.feature));
    const options = { ...style, dashArray: style.dash.join(' '), interactive: false };
    const outline = isArea(shown.feature) ? L.polygon([], options) : L.polyline([], options);
    this.#inHand = { id: idOf(shown.feature), outline: outline.addTo(this.#map) };
    this.#dress([shown]);
  }

  /** It stays until the canvas has the shape. */
  #dropInHand(): void {
    const held = this.#inHand;
    if (held === null) return;
    this.#inHand = null;
    const shown = this.#shown.get(held.id);
    if (shown !== undefined) this.#dress([shown]);
    void this.#canvas.seen().then(() => held.outline.remove());
  }

  /** Shows whether something can be chosen where the pointer is, but not while it drags. */
  #hover({ latlng, originalEvent }: L.LeafletMouseEvent): void {
    if (originalEvent.buttons !== 0) return;
    if (this.#pointer === null) setTimeout(() => this.#lookBelow(), hoverEveryMs);
    this.#pointer = latlng;
  }

  #lookBelow(): void {
    const isOver = this.#pointer !== null && this.at(this.#pointer) !== null;
    this.#pointer = null;
    this.#map.getContainer().classList.toggle('is-over-shape', isOver);
  }

  #restyle(ids: Iterable<string>): void {
    const changed = [...ids].flatMap((id) => this.#shown.get(id) ?? []);
    if (changed.length === 0) return;
    for (const one of changed) this.#mark(one);
    this.#dress(changed);
    if (changed.some(({ feature }) => isPoint(feature))) this.follow();
  }

  #restyleAll(): void {
    for (const one of this.#points) this.#mark(one);
    this.#dress([...this.#shown.values()]);
    this.follow();
  }

  /** Tells the canvas how these look, and what lies above what. */
  #dress(changed: readonly Shown[]): void {
    if (changed.length === 0) return;
    const keys = Uint32Array.from(changed, ({ key }) => key);
    const styles = Int32Array.from(changed, (one) => this.#styleOf(one));
    const ranks = Uint32Array.from(changed, ({ feature }) => this.#rankOf(feature));
    if (this.#styles.areNew) this.#canvas.tell({ kind: 'styles', styles: this.#styles.taken() });
    this.#canvas.tell({ kind: 'dress', dress: { keys, styles, ranks } }, [keys.buffer, styles.buffer, ranks.buffer]);
  }

  /** -1 for what the canvas does not draw. */
  #styleOf(shown: Shown): number {
    const isElsewhere = shown.layer !== undefined || this.#inHand?.id === idOf(shown.feature);
    return isElsewhere || !this.#isVisible(shown)
      ? -1
      : this.#styles.of(shown.feature.properties.type, this.#stateOf(shown.feature));
  }

  #stateOf(feature: Feature): Required<OutlineState> {
    const id = idOf(feature);
    const opacity = this.#layers.get(feature.properties.type)?.opacity ?? 1;
    return { isSelected: this.#selected.has(id), alarm: this.#alarms.get(id), opacity };
  }

  /** Shows what a point is by now. */
  #mark({ feature, layer }: Shown): void {
    const { isSelected, opacity } = this.#stateOf(feature);
    const mark = (one: L.Layer | undefined): void => {
      if (one instanceof L.Marker) one.setIcon(this.#icon(feature)).setOpacity(isSelected ? 1 : opacity);
      else if (one instanceof L.FeatureGroup) one.eachLayer(mark);
    };
    mark(layer);
  }

  #icon(feature: Feature): L.DivIcon {
    const isSelected = this.#selected.has(idOf(feature));
    return pointIcon(feature, { ...this.#options.device(feature), isSelected });
  }
}

function isPoint({ geometry }: Feature): boolean {
  return geometry.type === 'Point' || geometry.type === 'MultiPoint';
}

function isArea({ geometry }: Feature): boolean {
  return geometry.type === 'Polygon' || geometry.type === 'MultiPolygon';
}

function widen(all: GeoBox, { west, south, east, north }: GeoBox): void {
  if (west < all.west) all.west = west;
  if (south < all.south) all.south = south;
  if (east > all.east) all.east = east;
  if (north > all.north) all.north = north;
}

function boundsOfBox({ west, south, east, north }: GeoBox): L.LatLngBounds {
  return L.latLngBounds([south, west], [north, east]);
}

function boxOfBounds(bounds: L.LatLngBounds): GeoBox {
  return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() };
}
