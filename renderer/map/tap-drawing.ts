import { type Drawing, type DrawingOptions, type DrawingPort, type DrawTool, leastCorners } from './drawing-port.ts';
import { circle } from './geodesy.ts';
import { crossesItself, type Position } from './geometry.ts';
import { L } from './leaflet.ts';
import { line, outline, point, positionOf, rectangle } from './outline.ts';
import { isSlip } from './slip.ts';
import { vertexIcon } from './vertex-icon.ts';

/** The second tap of a double tap is no corner. */
const leastShape_px = 8;

/**
 * Drawing by touch: each tap sets a corner, Finish ends the shape, two taps make a rectangle or a circle, which the
 * keyboard draws this way too. A path being measured is so with the mouse, whose position is then its last corner.
 */
export class TapDrawing implements Drawing {
  readonly #map: L.Map;
  readonly #port: DrawingPort;
  readonly #tool: DrawTool;
  readonly #preview: L.Polyline | L.Polygon;
  readonly #dots: L.LayerGroup;
  #corners: Position[] = [];
  /** The measurement stays readable; the next tap starts a new one. */
  #isMeasured = false;

  constructor(map: L.Map, port: DrawingPort, { tool, look, isTouch }: DrawingOptions) {
    this.#map = map;
    this.#port = port;
    this.#tool = tool;
    const style = { color: look.accent, weight: 2, fillOpacity: 0.15, interactive: false };
    const isPath = tool === 'line' || tool === 'measure';
    this.#preview = (isPath ? L.polyline([], style) : L.polygon([], style)).addTo(map);
    this.#dots = L.layerGroup().addTo(map);
    map.on('click', this.#tapped);
    if (!isTouch) map.on('mousemove', this.#moved);
  }

  get corners(): readonly Position[] {
    return this.#isMeasured ? [] : this.#corners;
  }

  addCorner(here: Position): void {
    if (this.#tool !== 'rectangle' && this.#tool !== 'circle') this.#addCorner(here);
    else this.#addOpposite(here);
  }

  finish(): void {
    const { length } = this.#corners;
    if (length < leastCorners(this.#tool)) return;
    if (this.#tool === 'measure') {
      this.#isMeasured = true;
      this.#set(this.#corners);
    } else if (this.#tool === 'line') this.#port.finished(line(this.#corners));
    else if (crossesItself(this.#corners)) this.#port.refused();
    else this.#port.finished(outline(this.#corners));
  }

  removeLast(): void {
    this.#isMeasured = false;
    this.#set(this.#corners.slice(0, -1));
  }

  stop(): void {
    this.#map.off('click', this.#tapped);
    this.#map.off('mousemove', this.#moved);
    this.#preview.remove();
    this.#dots.remove();
  }

  readonly #tapped = (event: L.LeafletMouseEvent): void => {
    if (this.#tool === 'marker') this.#port.finished(point(event.latlng));
    else this.addCorner(positionOf(event.latlng));
  };

  #addOpposite(here: Position): void {
    const [first] = this.#corners;
    if (first === undefined) return this.#set([here]);
    const corners = this.#tool === 'circle' ? circle(first, here) : rectangle(first, here);
    if (!isSlip(this.#map, corners, leastShape_px)) this.#port.finished(outline(corners));
  }

  #addCorner(here: Position): void {
    const before = this.#isMeasured ? [] : this.#corners;
    this.#isMeasured = false;
    const [x, y] = before.at(-1) ?? [];
    if (x !== here[0] || y !== here[1]) this.#set([...before, here]);
  }

  readonly #moved = (event: L.LeafletMouseEvent): void => {
    if (this.#corners.length > 0 && !this.#isMeasured) this.#show([...this.#corners, positionOf(event.latlng)]);
  };

  #set(corners: Position[]): void {
    this.#corners = corners;
    this.#dots.clearLayers();
    const icon = vertexIcon('corner');
    for (const place of placesOf(corners))
      L.marker(place, { icon, interactive: false, keyboard: false }).addTo(this.#dots);
    this.#show(corners);
  }

  #show(positions: Position[]): void {
    this.#preview.setLatLngs(placesOf(positions));
    this.#port.progress(positions);
  }
}

function placesOf(positions: readonly Position[]): L.LatLng[] {
  return positions.map(([longitude = 0, latitude = 0]) => L.latLng(latitude, longitude));
}
