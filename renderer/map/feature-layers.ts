import type { Feature, FeatureType, Geometry } from '../../server/contract/overlay.ts';
import { idOf } from './edit-buffer.ts';
import type { GeoBox } from './geo-box.ts';
import type { TypeLayer } from './layer-settings.ts';
import { L } from './leaflet.ts';
import { outlineStyle, type HouseAlarm, type MapLook } from './look.ts';
import { PointMarks, type PointMarksOptions } from './point-marks.ts';
import { packShapes, type PackedShapes } from './shapes/packed-shapes.ts';
import { ShapeCanvas } from './shapes/shape-canvas.ts';
import type { Dress } from './shapes/shape-painter.ts';
import { ShapeStyles } from './shapes/shape-styles.ts';
import { ShownFeatures, type Shown } from './shown-features.ts';
import type { SketchPiece } from './sketch.ts';
import { runInSlices, type SlicedWork } from './slices.ts';

export interface FeatureLayersOptions extends PointMarksOptions {
  look: MapLook;
  painter: Worker;
}

/** A visible outline with a name. */
export interface NamedOutline {
  feature: Feature;
  name: string;
  bounds: L.LatLngBounds;
  isSelected: boolean;
  hasAlarm: boolean;
}

/** A point that is drawn as a marker or text. */
export interface DrawnPoint {
  feature: Feature;
  place: L.LatLng;
  element: HTMLElement | undefined;
  /** Shown beside it; empty for none. */
  value: string;
  isSelected: boolean;
}

/** The number of the first piece of a sketch on the canvas: features count upwards from 1. */
const sketchKeys = 2 ** 31;
/** When many shapes are in view, tools do not snap to those smaller than this. */
const leastSnapped_px = 6;
const mostSnappedSmall = 8_000;
/** Share of the view that is ready beyond each edge, for panning. */
const margin = 0.5;
/** The pointer is on an outline or line from this near. */
const reach_px = 5;
const hoverEveryMs = 32;
/** More features than this are taken in between frames, a portion at a time. */
const mostAtOnce = 5_000;
const portion = 500;

/** The features on the map: outlines and lines on one canvas, points in view as Leaflet's markers. */
export class FeatureLayers {
  readonly #map: L.Map;
  readonly #options: FeatureLayersOptions;
  /** Those that are taken in so far. */
  readonly #shown = new ShownFeatures();
  #filling: SlicedWork | undefined;
  #sketchKeys = new Uint32Array();
  readonly #marks: PointMarks;
  readonly #canvas: ShapeCanvas;
  readonly #styles: ShapeStyles;
  #look: MapLook;
  /** The shape whose corner is being dragged, drawn by Leaflet meanwhile. */
  #inHand: { id: string; outline: L.Polyline | L.Polygon } | null = null;
  /** The last place of the pointer, until it is looked at. */
  #pointer: L.LatLng | null = null;

  constructor(map: L.Map, options: FeatureLayersOptions) {
    this.#map = map;
    this.#options = options;
    this.#look = options.look;
    this.#marks = new PointMarks(map, this.#shown, options);
    this.#canvas = new ShapeCanvas(options.painter).addTo(map);
    this.#styles = new ShapeStyles(options.look);
    map.on('mousemove', (event: L.LeafletMouseEvent) => this.#hover(event));
    map.on('unload', () => this.#filling?.stop());
  }

  /**
   * Replaces all features, between frames where they are many: until `ready` a sketch stays. `follow` draws the points.
   */
  replaceAll(features: readonly Feature[], ready: () => void): void {
    this.#filling?.stop();
    const before = Uint32Array.from(this.#shown.all(), ({ key }) => key);
    this.#marks.clear();
    this.#shown.clear();
    this.#dropInHand();
    this.#canvas.hold();
    if (this.#sketchKeys.length === 0) this.#canvas.tell({ kind: 'clear' });
    else if (before.length > 0) this.#canvas.tell({ kind: 'remove', keys: before });
    this.#filling = runInSlices(this.#fill(features), () => {
      this.#canvas.tell({ kind: 'remove', keys: this.#sketchKeys });
      this.#sketchKeys = new Uint32Array();
      ready();
      this.#canvas.release();
    });
    if (features.length <= mostAtOnce) this.#filling.finish();
  }

  /** Draws what stands for the features until `replaceAll` has them: it has no names, and nothing finds it. */
  showSketch(pieces: readonly SketchPiece[]): void {
    this.#canvas.tell({ kind: 'clear' });
    this.#tellShapes(packShapes(pieces.map(({ geometry }, at) => ({ key: sketchKeys + at, geometry }))));
    const styles = pieces.map(({ layer: { type, opacity } }) =>
      this.#styles.of(type, { isSelected: false, alarm: undefined, opacity }),
    );
    this.#sketchKeys = Uint32Array.from(pieces, (_piece, at) => sketchKeys + at);
    this.#tellDress({
      keys: this.#sketchKeys.slice(),
      styles: Int32Array.from(styles),
      ranks: Uint32Array.from(pieces, ({ rank }) => rank),
    });
  }

  /** Updates the features of these ids and removes those that `find` does not return. */
  show(ids: readonly string[], find: (id: string) => Feature | undefined): void {
    this.#filling?.finish(); // else what it has of these would come later
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

  /** Draws the points that came into view, and removes those that left it. */
  follow(): void {
    this.#dress(this.#marks.follow(this.#boxInView(margin)));
  }

  select(ids: readonly string[]): void {
    this.#restyle(this.#shown.select(ids));
  }

  setLook(look: MapLook): void {
    this.#look = look;
    this.#styles.setLook(look);
    this.#restyleAll();
  }

  /** From the lowest to the highest. */
  setLayers(layers: readonly TypeLayer[]): void {
    this.#shown.setLayers(layers);
    this.#restyleAll();
  }

  /** Shows only these and the selection; null shows everything. */
  showOnly(ids: ReadonlySet<string> | null): void {
    if (this.#shown.showOnly(ids)) this.#restyleAll();
  }

  /** Shows this one, even if filtered or hidden, until the layers change or the filter ends. */
  keepShown(id: string): void {
    this.#shown.keepShown(id);
    this.#restyle([id]);
  }

  /** The worst alarm of each house, by the id of its shape. */
  setAlarms(alarms: ReadonlyMap<string, HouseAlarm>): void {
    this.#restyle(this.#shown.setAlarms(alarms));
  }

  /** Shows the live values of devices. */
  refreshDevices(): void {
    this.#marks.renewDevices();
  }

  /** Moves the outline of a shape at once, without the canvas, while a corner is dragged. */
  preview(id: string, geometry: Geometry): void {
    const shown = this.#shown.get(id);
    if (shown === undefined || geometry.type === 'Point' || geometry.type === 'MultiPoint') return;
    if (this.#inHand?.id !== id) this.#takeInHand(shown);
    const depth = { LineString: 0, MultiLineString: 1, Polygon: 1, MultiPolygon: 2 }[geometry.type];
    this.#inHand?.outline.setLatLngs(L.GeoJSON.coordsToLatLngs(geometry.coordinates, depth) as L.LatLng[]); // Leaflet types nesting loosely
  }

  /** Leaves the shape moved by `preview` to the canvas again. */
  endPreview(): void {
    this.#dropInHand();
  }

  /** What tools snap to: visible, in or near the view, and not too small to aim at. */
  drawn(): Feature[] {
    const near = [...this.#all().meeting(this.#boxInView(margin))];
    const isCrowd = near.length > mostSnappedSmall;
    const least_deg = (leastSnapped_px * 360) / this.#scale();
    const isSmall = ({ box }: Shown): boolean => box.east - box.west < least_deg && box.north - box.south < least_deg;
    return near.filter((one) => !isCrowd || !isSmall(one)).map(({ feature }) => feature);
  }

  /** The uppermost shape at a place; a click on the marker of a point does not ask for it. */
  at(place: L.LatLng): string | null {
    return this.#shown.at(place, { scale: this.#scale(), reach_px });
  }

  marker(id: string): L.Marker | undefined {
    const shown = this.#all().get(id);
    return shown === undefined ? undefined : this.#marks.marker(shown);
  }

  boundsOf(id: string): L.LatLngBounds | undefined {
    const shown = this.#all().get(id);
    if (shown === undefined) return undefined;
    const bounds = boundsOfBox(shown.box);
    return isPoint(shown.feature) ? bounds.getCenter().toBounds(20) : bounds;
  }

  /** Around all visible features. */
  bounds(): L.LatLngBounds | undefined {
    const extent = this.#all().extent();
    return extent === null ? undefined : boundsOfBox(extent);
  }

  idsVisible(): string[] {
    return this.#all().idsVisible();
  }

  /** Visible features that lie wholly within bounds. */
  idsWithin(bounds: L.LatLngBounds): string[] {
    return this.#all().idsWithin(boxOfBounds(bounds));
  }

  /** With the opacity of each. */
  typesInView(): Map<FeatureType, number> {
    const types = new Set<FeatureType>();
    for (const { feature } of this.#all().meeting(this.#boxInView(0))) types.add(feature.properties.type);
    return new Map([...types].map((type) => [type, this.#shown.opacityOf(type)]));
  }

  areasInView(): Feature[] {
    return [...this.#all().meeting(this.#boxInView(0))].map(({ feature }) => feature).filter(isArea);
  }

  /** Outlines in view that have a name; one more than `most` when there are too many. */
  named(most: number, nameOf: (feature: Feature) => string): NamedOutline[] {
    const found: NamedOutline[] = [];
    for (const one of this.#shown.meeting(this.#boxInView(0))) {
      const { feature, box } = one;
      const name = isArea(feature) ? nameOf(feature) : '';
      if (name === '') continue;
      const { isSelected, alarm } = this.#shown.stateOf(one);
      found.push({ feature, name, bounds: boundsOfBox(box), isSelected, hasAlarm: alarm !== undefined });
      if (found.length > most) break;
    }
    return found;
  }

  /** Points in view that are drawn. */
  points(): DrawnPoint[] {
    return this.#marks.drawn(this.#boxInView(0)).map(([point, marker]) => {
      const { feature } = point;
      const value = feature.properties.type === 'device' ? this.#options.device(feature).value : '';
      const isSelected = this.#shown.isSelected(point);
      return { feature, place: marker.getLatLng(), element: marker.getElement(), value, isSelected };
    });
  }

  /** Resolves once the canvas shows everything. */
  seen(): Promise<void> {
    this.#filling?.finish();
    return this.#canvas.seen();
  }

  #boxInView(pad: number): GeoBox {
    return boxOfBounds(this.#map.getBounds().pad(pad));
  }

  /** Width of the world, px. */
  #scale(): number {
    return 256 * 2 ** this.#map.getZoom();
  }

  *#fill(features: readonly Feature[]): Generator<void, void> {
    for (let at = 0; at < features.length; at += portion) {
      this.#put(features.slice(at, at + portion));
      yield;
    }
  }

  /** For what must not miss one that would be taken in between the next frames. */
  #all(): ShownFeatures {
    this.#filling?.finish();
    return this.#shown;
  }

  #put(features: readonly Feature[]): void {
    const put = features.map((feature) => {
      const before = this.#shown.get(idOf(feature));
      if (before !== undefined) this.#marks.remove(before);
      const shown = this.#shown.put(feature);
      if (isPoint(feature)) this.#marks.add(shown);
      return shown;
    });
    if (put.length === 0) return;
    this.#tellShapes(packShapes(put.map(({ key, feature: { geometry } }) => ({ key, geometry }))));
    this.#dress(put);
  }

  #remove(id: string): void {
    const shown = this.#shown.get(id);
    if (shown === undefined) return;
    this.#marks.remove(shown);
    this.#shown.remove(id);
    this.#canvas.tell({ kind: 'remove', keys: Uint32Array.of(shown.key) });
  }

  #takeInHand(shown: Shown): void {
    this.#dropInHand();
    const style = outlineStyle(shown.feature.properties.type, this.#look, this.#shown.stateOf(shown));
    const options = { ...style, dashArray: style.dash.join(' '), interactive: false };
    const outline = isArea(shown.feature) ? L.polygon([], options) : L.polyline([], options);
    this.#inHand = { id: idOf(shown.feature), outline: outline.addTo(this.#map) };
    this.#dress([shown]);
  }

  /** Leaflet's outline stays until the canvas has drawn the shape. */
  #dropInHand(): void {
    const held = this.#inHand;
    if (held === null) return;
    this.#inHand = null;
    const shown = this.#shown.get(held.id);
    if (shown !== undefined) this.#dress([shown]);
    void this.#canvas.seen().then(() => held.outline.remove());
  }

  /** Shows by the cursor whether a click would select something, except during a drag. */
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
    for (const one of changed) this.#marks.renew(one);
    this.#dress(changed);
    if (changed.some(({ feature }) => isPoint(feature))) this.follow();
  }

  #restyleAll(): void {
    this.#marks.renewAll();
    this.#dress([...this.#shown.all()]);
    this.follow();
  }

  /** Passes style and order of these to the canvas. */
  #dress(changed: readonly Shown[]): void {
    if (changed.length === 0) return;
    const [keys, styles] = [new Uint32Array(changed.length), new Int32Array(changed.length)];
    const ranks = new Uint32Array(changed.length);
    // With `from` 100,000 take three times as long.
    for (const [at, one] of changed.entries()) {
      keys[at] = one.key;
      styles[at] = this.#styleOf(one);
      ranks[at] = this.#shown.rankOf(one);
    }
    this.#tellDress({ keys, styles, ranks });
  }

  #tellShapes(shapes: PackedShapes): void {
    const { keys, kinds, shapeEnds, ringEnds, points } = shapes;
    const buffers = [keys, kinds, shapeEnds, ringEnds, points].map(({ buffer }) => buffer);
    this.#canvas.tell({ kind: 'put', shapes }, buffers);
  }

  #tellDress(dress: Dress): void {
    if (this.#styles.areNew) this.#canvas.tell({ kind: 'styles', styles: this.#styles.taken() });
    this.#canvas.tell({ kind: 'dress', dress }, [dress.keys.buffer, dress.styles.buffer, dress.ranks.buffer]);
  }

  /** -1 for what the canvas does not draw. */
  #styleOf(shown: Shown): number {
    const isElsewhere = this.#marks.has(shown) || this.#inHand?.id === idOf(shown.feature);
    return isElsewhere || !this.#shown.isVisible(shown)
      ? -1
      : this.#styles.of(shown.feature.properties.type, this.#shown.stateOf(shown));
  }
}

function isPoint({ geometry }: Feature): boolean {
  return geometry.type === 'Point' || geometry.type === 'MultiPoint';
}

function isArea({ geometry }: Feature): boolean {
  return geometry.type === 'Polygon' || geometry.type === 'MultiPolygon';
}

export function boundsOfBox({ west, south, east, north }: GeoBox): L.LatLngBounds {
  return L.latLngBounds([south, west], [north, east]);
}

function boxOfBounds(bounds: L.LatLngBounds): GeoBox {
  return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() };
}
