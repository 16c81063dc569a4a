import type { GeometryCollection, Topology } from 'topojson-specification';
import { feature, mesh } from 'topojson-client';
import landAddress from 'world-atlas/countries-50m.json?url';
import { CanvasTiles } from './canvas-tiles.ts';
import type { L } from './leaflet.ts';
import type { MapLook } from './look.ts';
import { mercatorX, mercatorY } from './mercator.ts';

type Atlas = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;

/** Points as x, y of the unit square of Web Mercator, with their bounds. */
interface Path {
  points: Float64Array;
  west: number;
  north: number;
  east: number;
  south: number;
}

interface World {
  land: Path[];
  borders: Path[];
}

/** Beyond it the data, of about a kilometre, would lie about where a site is. */
export const landMaxZoom = 10;

let world: Promise<World> | undefined;

/** Natural Earth's land and borders, read once from the files that came with the page. */
function loadWorld(): Promise<World> {
  world ??= fetch(landAddress)
    .then((answer) => answer.json())
    .then((atlas: Atlas) => ({
      land: feature(atlas, atlas.objects.land).features.flatMap(({ geometry }) => {
        if (geometry.type === 'Polygon') return geometry.coordinates.map(project);
        return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat().map(project) : [];
      }),
      borders: mesh(atlas, atlas.objects.countries, (a, b) => a !== b).coordinates.map(project),
    }))
    .catch((error: unknown) => {
      world = undefined;
      throw error;
    });
  return world;
}

function project(positions: readonly number[][]): Path {
  const path: Path = { points: new Float64Array(positions.length * 2), west: 1, north: 1, east: 0, south: 0 };
  positions.forEach(([longitude = 0, latitude = 0], index) => {
    const [x, y] = [mercatorX(longitude), mercatorY(latitude)];
    path.points.set([x, y], index * 2);
    path.west = Math.min(path.west, x);
    path.east = Math.max(path.east, x);
    path.north = Math.min(path.north, y);
    path.south = Math.max(path.south, y);
  });
  return path;
}

/** The offline base map: land and borders drawn on canvas tiles, with nothing asked of any outside server. */
export class LandLayer extends CanvasTiles {
  #look: MapLook;

  constructor(look: MapLook) {
    super({ maxZoom: landMaxZoom, keepBuffer: 1, pane: 'tilePane', className: 'map-land' });
    this.#look = look;
  }

  setLook(look: MapLook): void {
    this.#look = look;
    this.redraw();
  }

  protected override createTile(coords: L.Coords, done: L.DoneCallback): HTMLElement {
    const { canvas, context } = this.blankTile();
    const size = this.getTileSize().x;
    loadWorld().then(
      (loaded) => {
        if (context !== null) drawTile(context, loaded, { coords, size, look: this.#look });
        done(undefined, canvas);
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), canvas),
    );
    return canvas;
  }
}

interface Tile {
  coords: L.Coords;
  size: number;
  look: MapLook;
}

function drawTile(context: CanvasRenderingContext2D, { land, borders }: World, { coords, size, look }: Tile): void {
  const tiles = 2 ** coords.z;
  const column = ((coords.x % tiles) + tiles) % tiles;
  const inTile = ({ west, east, north, south }: Path): boolean =>
    east * tiles >= column && west * tiles <= column + 1 && south * tiles >= coords.y && north * tiles <= coords.y + 1;
  const scale = size * tiles;
  const trace = (path: Path): void => tracePath(context, path, { scale, x: column * size, y: coords.y * size });

  context.beginPath();
  land.filter(inTile).forEach(trace);
  context.fillStyle = look.land;
  context.fill('evenodd');
  context.beginPath();
  borders.filter(inTile).forEach(trace);
  context.strokeStyle = look.border;
  context.lineWidth = 1;
  context.stroke();
}

/** Leaves out points closer than half a pixel to the one before. */
function tracePath(
  context: CanvasRenderingContext2D,
  { points }: Path,
  at: { scale: number; x: number; y: number },
): void {
  let lastX = NaN;
  let lastY = NaN;
  for (let index = 0; index < points.length; index += 2) {
    const x = (points[index] ?? 0) * at.scale - at.x;
    const y = (points[index + 1] ?? 0) * at.scale - at.y;
    const isLast = index === points.length - 2;
    if (index === 0) context.moveTo(x, y);
    else if (isLast || Math.abs(x - lastX) + Math.abs(y - lastY) > 0.5) context.lineTo(x, y);
    else continue;
    lastX = x;
    lastY = y;
  }
}
