import { type Drawing, type DrawingOptions, type DrawingPort, type DrawTool, leastCorners } from './drawing-port.ts';
import { circle } from './geodesy.ts';
import { crossesItself, type Position } from './geometry.ts';
import { L } from './leaflet.ts';
import { line, outline, point, positionOf, rectangle } from './outline.ts';
import { isSlip } from './slip.ts';
import { TapDrawing } from './tap-drawing.ts';
import { vertexIcon } from './vertex-icon.ts';

const leastShape_px = 4;

export function startDrawing(map: L.Map, port: DrawingPort, options: DrawingOptions): Drawing {
  if (options.isTouch || options.tool === 'measure') return new TapDrawing(map, port, options);
  return new MouseDrawing(map, port, options);
}

function handlerFor(map: L.DrawMap, { tool, look, crossesText }: DrawingOptions): L.Draw.Feature {
  const shapeOptions = { color: look.accent, weight: 2, fillOpacity: 0.15 };
  const icon = vertexIcon('drawn');
  if (tool === 'rectangle') return new L.Draw.Rectangle(map, { shapeOptions, showArea: false });
  if (tool === 'circle') return new L.Draw.Circle(map, { shapeOptions, showRadius: false });
  if (tool === 'line') return new L.Draw.Polyline(map, { shapeOptions, icon, showLength: false });
  if (tool === 'marker') return new L.Draw.Marker(map, { icon: vertexIcon('corner') });
  return new L.Draw.Polygon(map, {
    allowIntersection: false,
    drawError: { color: look.accent, message: crossesText, timeout: 2_500 },
    shapeOptions,
    icon,
    showArea: false,
    showLength: false,
  });
}

/** Drawing by leaflet-draw. */
class MouseDrawing implements Drawing {
  readonly #map: L.Map;
  readonly #port: DrawingPort;
  readonly #tool: DrawTool;
  readonly #handler: L.Draw.Feature;
  #corners: Position[] = [];
  #anchor: Position | undefined;
  /** The circle about the anchor, through the mouse. */
  #ring: Position[] = [];
  #isStopped = false;

  constructor(map: L.Map, port: DrawingPort, options: DrawingOptions) {
    this.#map = map;
    this.#port = port;
    this.#tool = options.tool;
    this.#handler = handlerFor(map as L.DrawMap, options); // leaflet-draw's type of the same map
    map.on('draw:created', this.#created);
    map.on('draw:drawvertex', this.#vertex);
    map.on('mousedown', this.#pressed);
    map.on('mousemove', this.#moved);
    map.on('layeradd', this.#muted);
    this.#handler.enable();
  }

  get corners(): readonly Position[] {
    return this.#corners;
  }

  addCorner([lng = 0, lat = 0]: Position): void {
    if (this.#handler instanceof L.Draw.Polyline) this.#handler.addVertex(L.latLng(lat, lng));
  }

  finish(): void {
    if (!(this.#handler instanceof L.Draw.Polyline) || this.#corners.length < leastCorners(this.#tool)) return;
    // Asked before leaflet-draw ends the outline, so that its corners stay and can be taken back.
    if (this.#tool === 'polygon' && crossesItself(this.#corners)) this.#port.refused();
    else this.#handler.completeShape();
  }

  removeLast(): void {
    if (!(this.#handler instanceof L.Draw.Polyline)) return;
    if (this.#corners.length > 1) return void this.#handler.deleteLastVertex();
    // leaflet-draw keeps the first corner.
    this.#handler.disable();
    this.#beginAgain();
  }

  stop(): void {
    this.#isStopped = true;
    this.#map.off('draw:created', this.#created);
    this.#map.off('draw:drawvertex', this.#vertex);
    this.#map.off('mousedown', this.#pressed);
    this.#map.off('mousemove', this.#moved);
    this.#handler.disable();
    this.#map.off('layeradd', this.#muted);
  }

  /** The marks of leaflet-draw are no buttons: the keyboard sets corners by numbers. */
  readonly #muted = ({ layer }: L.LayerEvent): void => {
    const element = layer instanceof L.Marker ? layer.getElement() : undefined;
    for (const attribute of ['role', 'tabindex']) element?.removeAttribute(attribute);
  };

  readonly #created = (event: L.LeafletEvent): void => {
    const { layer } = event as L.DrawEvents.Created; // what leaflet-draw sends with draw:created
    if (layer instanceof L.Marker) this.#port.finished(point(layer.getLatLng()));
    else if (layer instanceof L.Circle) this.#finishOutline(this.#ring);
    else if (layer instanceof L.Polygon) this.#finishOutline(layer.getLatLngs().flat(2).map(positionOf));
    else if (layer instanceof L.Polyline) this.#port.finished(line(layer.getLatLngs().flat(2).map(positionOf)));
  };

  #finishOutline(corners: Position[]): void {
    // leaflet-draw sees each new side, not the one that closes the outline.
    const isCrossing = this.#tool !== 'circle' && crossesItself(corners);
    const isTooLittle = corners.length < 3 || (this.#tool !== 'polygon' && isSlip(this.#map, corners, leastShape_px));
    if (isCrossing || isTooLittle) this.#beginAgain();
    else this.#port.finished(outline(corners));
    if (isCrossing && !isTooLittle) this.#port.refused();
  }

  /** leaflet-draw ends its tool after reporting a shape; after a refusal the tool stays active. */
  #beginAgain(): void {
    this.#corners = [];
    this.#anchor = undefined;
    this.#ring = [];
    this.#port.progress([]);
    queueMicrotask(() => {
      if (!this.#isStopped) this.#handler.enable();
    });
  }

  readonly #vertex = (event: L.LeafletEvent): void => {
    const { layers } = event as L.DrawEvents.DrawVertex; // what leaflet-draw sends with draw:drawvertex
    this.#corners = layers.getLayers().flatMap((one) => (one instanceof L.Marker ? [positionOf(one.getLatLng())] : []));
    this.#port.progress(this.#corners);
  };

  readonly #pressed = (event: L.LeafletMouseEvent): void => {
    this.#anchor = positionOf(event.latlng);
  };

  readonly #moved = (event: L.LeafletMouseEvent): void => {
    const here = positionOf(event.latlng);
    if ((this.#tool === 'polygon' || this.#tool === 'line') && this.#corners.length > 0)
      this.#port.progress([...this.#corners, here]);
    if (this.#anchor === undefined || event.originalEvent.buttons !== 1) return;
    if (this.#tool === 'rectangle') this.#port.progress(rectangle(this.#anchor, here));
    if (this.#tool === 'circle') this.#port.progress((this.#ring = circle(this.#anchor, here)));
  };
}
