import { CanvasTiles } from './canvas-tiles.ts';
import { L } from './leaflet.ts';
import { landMaxZoom } from './land-layer.ts';
import type { MapLook } from './look.ts';
import { gridLines, metresPerDegree, roundStep } from './metric-step.ts';

/** Least distance of two lines on the screen, in px. */
const leastSpacingPx = 22;
const majorEvery = 5;
/** Enough for a large screen. */
const mostSpare = 40;
/** Further than this from the origin the scale is visibly wrong, and the grid restarts at the view, degrees. */
const farDegrees = 0.5;

export interface GridUnit {
  /** Length of one unit in m. */
  metres: number;
}

/**
 * Lines at round distances east and north of an origin, in metres or feet: a measured sheet to draw on where no imagery
 * is there. Local and equirectangular on WGS84; within 20 km of the origin distances are right to 0.5 %.
 */
export class MetricGrid extends CanvasTiles {
  #look: MapLook;
  #unit: GridUnit;
  #origin: L.LatLng;
  /** Canvases of tiles that have gone: to make those of a view anew holds up each zoom for several frames. */
  readonly #spare: HTMLCanvasElement[] = [];

  constructor(origin: L.LatLng, look: MapLook, unit: GridUnit) {
    // Large tiles, for to make a canvas takes longer than to draw its lines.
    super({ minZoom: landMaxZoom + 1, maxZoom: 25, keepBuffer: 0, tileSize: 512, className: 'map-grid' });
    this.#origin = origin;
    this.#look = look;
    this.#unit = unit;
    this.on('tileunload', ({ tile }) => {
      if (tile instanceof HTMLCanvasElement && this.#spare.length < mostSpare) this.#spare.push(tile);
    });
  }

  setLook(look: MapLook, unit: GridUnit): void {
    this.#look = look;
    this.#unit = unit;
    this.redraw();
  }

  /** Distance of two thin lines at a zoom, in m. */
  step_m(zoom: number): number {
    const { east_m } = metresPerDegree(this.#origin.lat);
    const pixelsPerDegree = (256 * 2 ** zoom) / 360;
    const leastUnits = (leastSpacingPx * east_m) / pixelsPerDegree / this.#unit.metres;
    return roundStep(leastUnits) * this.#unit.metres;
  }

  /** Keeps the origin near the view. */
  follow(centre: L.LatLng): void {
    const { lat, lng } = this.#origin;
    if (Math.abs(lat - centre.lat) < farDegrees && Math.abs(lng - centre.lng) < farDegrees) return;
    this.#origin = centre;
    this.redraw();
  }

  protected override createTile(coords: L.Coords): HTMLElement {
    const { canvas, context } = this.blankTile(this.#spare.pop());
    const size = this.getTileSize().x;
    if (context === null) return canvas;
    for (const isMajor of [false, true]) this.#drawLines(context, coords, { size, isMajor });
    return canvas;
  }

  #drawLines(
    context: CanvasRenderingContext2D,
    coords: L.Coords,
    { size, isMajor }: { size: number; isMajor: boolean },
  ): void {
    const corner = coords.scaleBy(this.getTileSize());
    const toLatLng = (point: L.Point): L.LatLng => L.CRS.EPSG3857.pointToLatLng(point, coords.z);
    const toPoint = (place: L.LatLng): L.Point => L.CRS.EPSG3857.latLngToPoint(place, coords.z).subtract(corner);
    const northWest = toLatLng(corner);
    const southEast = toLatLng(corner.add([size, size]));
    const perDegree = metresPerDegree(this.#origin.lat);
    const step_m = this.step_m(coords.z);
    const wanted = ({ k }: { k: number }): boolean => (k % majorEvery === 0) === isMajor;

    context.beginPath();
    const east = { origin: this.#origin.lng, step: step_m / perDegree.east_m };
    for (const { at } of gridLines({ from: northWest.lng, to: southEast.lng }, east).filter(wanted)) {
      const x = Math.round(toPoint(L.latLng(northWest.lat, at)).x) + 0.5;
      context.moveTo(x, 0);
      context.lineTo(x, size);
    }
    const north = { origin: this.#origin.lat, step: step_m / perDegree.north_m };
    for (const { at } of gridLines({ from: southEast.lat, to: northWest.lat }, north).filter(wanted)) {
      const y = Math.round(toPoint(L.latLng(at, northWest.lng)).y) + 0.5;
      context.moveTo(0, y);
      context.lineTo(size, y);
    }
    context.strokeStyle = isMajor ? this.#look.gridMajor : this.#look.gridMinor;
    context.lineWidth = 1;
    context.stroke();
  }
}
