import type { Geometry } from '../../server/contract/overlay.ts';
import { leastVertices, middle, nextVertex, pathsOf, withPath, type Path, type Position } from './geometry.ts';
import { L } from './leaflet.ts';
import { positionOf } from './outline.ts';
import { handleSize_px, vertexIcon } from './vertex-icon.ts';

export interface VertexEditingPort {
  /** Where a handle that is dragged to a place shall be. */
  snapped(place: L.LatLng): L.LatLng;
  /** While a handle is dragged. */
  moving(geometry: Geometry): void;
  /** After it; false when the new outline is refused and the old one stays. */
  changed(geometry: Geometry): boolean;
  /** From now on none has a handle, as too many corners are in view. */
  crowded(): void;
}

/** More corners in view lie upon each other, and no hand can tell them apart; the table of corners does all of them. */
const mostCorners = 1_000;

/**
 * Handles on every corner and in the middle of every side that is in view, for all rings and parts, by mouse and
 * finger. leaflet-draw's own handles reach the first ring only.
 */
export class VertexEditing {
  readonly #map: L.Map;
  readonly #handles: L.LayerGroup;
  readonly #port: VertexEditingPort;
  #geometry: Geometry;
  #isCrowded = false;
  #isDragged = false;

  constructor(map: L.Map, geometry: Geometry, port: VertexEditingPort) {
    this.#map = map;
    this.#handles = L.layerGroup().addTo(map);
    this.#geometry = geometry;
    this.#port = port;
    this.#draw();
    map.on('moveend', this.#follow);
  }

  /** Follows a geometry that was changed elsewhere (table, undo). */
  setGeometry(geometry: Geometry): void {
    this.#geometry = geometry;
    this.#isDragged = false; // its end would bring back what was changed
    this.#draw();
  }

  stop(): void {
    this.#map.off('moveend', this.#follow);
    this.#handles.remove();
  }

  /** A map that still glides comes to rest also during a drag, which does not survive the removal of its handle. */
  readonly #follow = (): void => {
    if (!this.#isDragged) this.#draw();
  };

  #draw(): void {
    this.#handles.clearLayers();
    // Those just outside come in while the map is being moved.
    const view = this.#map.getBounds().pad(0.25);
    const isSeen = ([longitude = 0, latitude = 0]: Position): boolean => view.contains([latitude, longitude]);
    const paths = pathsOf(this.#geometry);
    const wasCrowded = this.#isCrowded;
    this.#isCrowded = paths.flatMap(({ positions }) => positions.filter(isSeen)).length > mostCorners;
    if (this.#isCrowded && !wasCrowded) this.#port.crowded();
    if (!this.#isCrowded) paths.forEach((path, index) => this.#drawPath(path, index, isSeen));
  }

  #drawPath(path: Path, index: number, isSeen: (position: Position) => boolean): void {
    path.positions.forEach((position, at) => {
      const altitude = position.slice(2); // a drag is level
      if (isSeen(position))
        this.#handle(position, false, (moved) =>
          withPath(this.#geometry, index, path.positions.with(at, [...moved, ...altitude])),
        ).on('click', () => this.#removeVertex(path, index, at));
      const next = nextVertex(path, at);
      if (next === undefined || path.positions.length < 2) return;
      const between = middle(position, next);
      if (!isSeen(between) || this.#isShort(position, next)) return;
      this.#handle(between, true, (moved) =>
        withPath(this.#geometry, index, path.positions.toSpliced(at + 1, 0, [...moved, ...between.slice(2)])),
      );
    });
  }

  /** Whether the handle in the middle of a side would lie beneath those of its ends. */
  #isShort(a: Position, b: Position): boolean {
    return this.#pixelOf(a).distanceTo(this.#pixelOf(b)) < 2 * handleSize_px();
  }

  #pixelOf([longitude = 0, latitude = 0]: Position): L.Point {
    return this.#map.latLngToLayerPoint([latitude, longitude]);
  }

  #removeVertex(path: Path, index: number, at: number): void {
    if (path.positions.length > leastVertices(path))
      this.#finish(withPath(this.#geometry, index, path.positions.toSpliced(at, 1)));
  }

  #handle([longitude = 0, latitude = 0]: Position, isMiddle: boolean, moved: (to: Position) => Geometry): L.Marker {
    const marker = L.marker([latitude, longitude], {
      draggable: true,
      keyboard: false,
      zIndexOffset: isMiddle ? 1_000 : 2_000,
      icon: vertexIcon(isMiddle ? 'middle' : 'corner'),
    });
    const place = (): Position => positionOf(marker.getLatLng());
    marker.on('dragstart', () => {
      this.#isDragged = true;
      this.#map.stop(); // else the handle glides on away from the pointer
    });
    marker.on('drag', () => {
      marker.setLatLng(this.#port.snapped(marker.getLatLng()));
      this.#port.moving(moved(place()));
    });
    marker.on('dragend', () => {
      this.#isDragged = false;
      this.#finish(moved(place()));
    });
    return marker.addTo(this.#handles);
  }

  #finish(geometry: Geometry): void {
    if (this.#port.changed(geometry)) this.#geometry = geometry;
    else this.#port.moving(this.#geometry);
    this.#draw();
  }
}
