import type { Feature } from '../../server/contract/overlay.ts';
import type { Position } from './geometry.ts';
import { L } from './leaflet.ts';
import { runInSlices, type SlicedWork } from './slices.ts';
import { snapIndexOf } from './snap-index.ts';
import { Snapping } from './snapping.ts';
import { Plane } from './topology/plane.ts';
import { squared } from './topology/transform.ts';

interface Guided {
  /** What there is to snap to. */
  shapes: () => Feature[];
  /** Corners of the drawing. */
  corners: () => readonly Position[];
}

/** Leads the tool in the hand: to corners and sides of shapes, and square to the side before where that is wanted. */
export class ToolGuide {
  readonly #map: L.Map;
  readonly #guided: Guided;
  #snapping: Snapping | undefined;
  #indexing: SlicedWork | undefined;
  /** The shapes in the hand, which are not drawn to themselves. */
  #except: ReadonlySet<string> = new Set();
  #snaps = true;
  /** Whether each side that is drawn lies square to the one before it, or along it. */
  isSquare = false;

  constructor(map: L.Map, guided: Guided) {
    this.#map = map;
    this.#guided = guided;
  }

  begin(except: readonly string[] = []): void {
    this.#except = new Set(except);
    this.#snapping ??= new Snapping(this.#map, (place) => this.#squared(place));
    this.renew();
  }

  /**
   * The index of the view is built between frames; until then nothing snaps. It is rebuilt when the view comes to rest.
   */
  renew(): void {
    if (this.#snapping === undefined) return;
    this.#indexing?.stop();
    const { setIndex } = this.#snapping;
    if (this.#snaps) this.#indexing = runInSlices(snapIndexOf(this.#guided.shapes(), this.#except), setIndex);
    else setIndex(null);
  }

  end(): void {
    this.#indexing?.stop();
    this.#snapping?.stop();
    this.#snapping = undefined;
  }

  setSnapping(snaps: boolean): void {
    this.#snaps = snaps;
    this.renew();
  }

  /** Where a place is drawn to. */
  snapped(place: L.LatLng): L.LatLng {
    return this.#snapping?.snapped(place) ?? place;
  }

  /** The place on a side square to the last one; null where nothing is to be square. */
  #squared(place: L.LatLng): L.LatLng | null {
    const [from, before] = this.#guided.corners().toReversed();
    if (!this.isSquare || from === undefined) return null;
    const plane = new Plane(from);
    const wanted = plane.point([place.lng, place.lat]);
    const [lng = 0, lat = 0] = plane.position(squared(wanted, plane.point(from), before && plane.point(before)));
    return L.latLng(lat, lng);
  }
}
