import type { Drawing, DrawingOptions, DrawingPort, DrawTool } from './drawing-port.ts';
import { crossesItself } from './geometry.ts';
import type { Position } from './geometry.ts';
import { L } from './leaflet.ts';
import { outline, point, positionOf, rectangle } from './outline.ts';
import { isSlip } from './slip.ts';

/** The second tap of a double tap is no corner. */
const leastRectangle_px = 8;

/** Drawing with a finger: each tap sets a corner, Finish closes the outline, two taps make a rectangle. */
export class TapDrawing implements Drawing {
  readonly #map: L.Map;
  readonly #port: DrawingPort;
  readonly #tool: DrawTool;
  readonly #preview: L.Polygon;
  readonly #dots: L.LayerGroup;
  #corners: Position[] = [];

  constructor(map: L.Map, port: DrawingPort, { tool, look }: DrawingOptions) {
    this.#map = map;
    this.#port = port;
    this.#tool = tool;
    this.#preview = L.polygon([], { color: look.accent, weight: 2, fillOpacity: 0.15, interactive: false }).addTo(map);
    this.#dots = L.layerGroup().addTo(map);
    map.on('click', this.#tapped);
  }

  finish(): void {
    if (this.#corners.length < 3) return;
    if (crossesItself(this.#corners)) this.#port.refused();
    else this.#port.finished(outline(this.#corners));
  }

  removeLast(): void {
    this.#set(this.#corners.slice(0, -1));
  }

  stop(): void {
    this.#map.off('click', this.#tapped);
    this.#preview.remove();
    this.#dots.remove();
  }

  readonly #tapped = (event: L.LeafletMouseEvent): void => {
    if (this.#tool === 'marker') {
      this.#port.finished(point(event.latlng));
      return;
    }
    const [first] = this.#corners;
    const here = positionOf(event.latlng);
    if (this.#tool !== 'rectangle' || first === undefined) {
      this.#set([...this.#corners, here]);
      return;
    }
    const corners = rectangle(first, here);
    if (!isSlip(this.#map, corners, leastRectangle_px)) this.#port.finished(outline(corners));
  };

  #set(corners: Position[]): void {
    this.#corners = corners;
    const places = corners.map(([longitude = 0, latitude = 0]) => L.latLng(latitude, longitude));
    this.#preview.setLatLngs(places);
    this.#dots.clearLayers();
    const icon = L.divIcon({ className: 'map-vertex', iconSize: [16, 16] });
    for (const place of places) L.marker(place, { icon, interactive: false }).addTo(this.#dots);
    this.#port.progress(corners);
  }
}
