import { L } from './leaflet.ts';
import type { MapLook } from './look.ts';
import type { LayerBox, OutsideCrs, OutsideLayer, OutsideState } from './outside-layer.ts';
import { vectorTiles } from './vector-tiles.ts';

const deepestZoom = 25;
/** Deepest level of most files of vector tiles. */
const usualVectorZoom = 14;
/** Above land and grid, which have 1. */
const lowestIndex = 2;

/** A layer of a Web Map Service: a picture for each tile. */
class WmsTiles extends L.TileLayer {
  readonly #crs: L.CRS;

  constructor(url: string, options: L.TileLayerOptions, crs: OutsideCrs) {
    super(url, options);
    this.#crs = projectionOf(crs);
  }

  override getTileUrl(coords: L.Coords): string {
    const size = this.getTileSize();
    const corner = L.point(coords.x, coords.y).scaleBy(size);
    const at = (point: L.Point): L.Point => this.#crs.project(this._map.unproject(point, coords.z));
    const box = boxOf(at(corner), at(corner.add(size)));
    const pixels = Math.round(size.x * Math.min(2, devicePixelRatio));
    return `${super.getTileUrl(coords)}&bbox=${box}&width=${pixels}&height=${pixels}`;
  }
}

function projectionOf(crs: OutsideCrs): L.CRS {
  return crs === 'EPSG:3857' ? L.CRS.EPSG3857 : L.CRS.EPSG4326;
}

function boxOf(first: L.Point, second: L.Point): string {
  const { min, max } = L.bounds(first, second);
  return [min?.x, min?.y, max?.x, max?.y].map((value) => (value ?? 0).toFixed(8)).join(',');
}

/** Pixels from the middle of a box to its edge: servers look for points and lines within a few. */
const reach = 50;

/** The box of the map's pixels around a place. */
export function boxAround(map: L.Map, place: L.LatLngExpression, crs: OutsideCrs): LayerBox {
  const middle = map.project(place);
  const at = (offset: number): L.Point => projectionOf(crs).project(map.unproject(middle.add([offset, offset])));
  const side = 2 * reach + 1;
  const bbox = boxOf(at(-reach - 0.5), at(reach + 0.5));
  return { bbox, crs, width: side, height: side, i: reach, j: reach };
}

/** The visible outside layers, bottom to top. */
export class OutsideLayers {
  readonly #map: L.Map;
  readonly #changed: (id: string, state: OutsideState) => void;
  readonly #shown = new Map<string, { layer: L.GridLayer; of: OutsideLayer; look: MapLook }>();

  constructor(map: L.Map, changed: (id: string, state: OutsideState) => void) {
    this.#map = map;
    this.#changed = changed;
  }

  show(wanted: readonly OutsideLayer[], look: MapLook): void {
    const ids = new Set(wanted.map(({ id }) => id));
    for (const [id, { layer }] of this.#shown) {
      if (ids.has(id)) continue;
      layer.remove();
      this.#shown.delete(id);
    }
    wanted.forEach((one, index) => this.#showOne(one, { zIndex: lowestIndex + index, look }));
  }

  /** The same layers in other colours. */
  setLook(look: MapLook): void {
    this.show(
      [...this.#shown.values()].map(({ of }) => of),
      look,
    );
  }

  #showOne(wanted: OutsideLayer, { zIndex, look }: { zIndex: number; look: MapLook }): void {
    const known = this.#shown.get(wanted.id);
    if (known !== undefined && staysSame(known, wanted, look)) {
      if (known.of.url !== wanted.url && known.layer instanceof L.TileLayer) known.layer.setUrl(wanted.url);
      known.layer.setOpacity(wanted.opacity).setZIndex(zIndex);
      known.of = wanted;
      return;
    }
    known?.layer.remove();
    const layer = layerOf(wanted, look);
    this.#shown.set(wanted.id, { layer, of: wanted, look });
    this.#watch(wanted.id, layer);
    layer.addTo(this.#map).setZIndex(zIndex);
  }

  #watch(id: string, layer: L.GridLayer): void {
    let loaded = 0;
    let failed = 0;
    layer.on('loading', () => {
      loaded = 0;
      failed = 0;
      this.#changed(id, 'loading');
    });
    layer.on('tileload', () => (loaded += 1));
    layer.on('tileerror', () => (failed += 1));
    layer.on('load', () => this.#changed(id, failed > 0 && loaded === 0 ? 'off' : 'shown'));
  }
}

/** Whether the layer can go on: pictures from elsewhere, vector tiles only as they are. */
function staysSame(known: { of: OutsideLayer; look: MapLook }, wanted: OutsideLayer, look: MapLook): boolean {
  if (wanted.vectorLayers === undefined) return known.of.vectorLayers === undefined && known.of.crs === wanted.crs;
  return known.look === look && known.of.url === wanted.url;
}

function layerOf(wanted: OutsideLayer, look: MapLook): L.GridLayer {
  const { url, attribution, opacity, deepestZoom: native, crs, vectorLayers: layers } = wanted;
  if (layers !== undefined) {
    const tiles = { url, layers, opacity, attribution: escaped(attribution), maxZoom: deepestZoom };
    return vectorTiles({ ...tiles, deepestZoom: native ?? usualVectorZoom }, look, document.documentElement.lang);
  }
  const options: L.TileLayerOptions = {
    opacity,
    maxZoom: deepestZoom,
    attribution: escaped(attribution),
    crossOrigin: false,
    ...(native !== undefined && { maxNativeZoom: native }),
  };
  return crs === undefined ? new L.TileLayer(url, options) : new WmsTiles(url, options, crs);
}

/** Leaflet takes attributions as HTML; what an administrator or a server wrote is text. */
function escaped(text: string): string {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML;
}
