import Flatbush from 'flatbush';
import { orient2d } from 'robust-predicates';

/** Longitude and latitude in degrees, and an altitude in m that is ignored here. */
export type Position = readonly number[];

export interface Ring {
  /** Index of its polygon in a MultiPolygon. */
  polygon: number;
  /** 0 is the outer ring. */
  ring: number;
  /** Closed: the last position equals the first. */
  positions: readonly Position[];
}

/** An edge by the position that it starts from. */
export interface EdgeStart {
  polygon: number;
  ring: number;
  position: number;
}

interface Edge extends EdgeStart {
  /** Index among the edges of its ring that have a length, and their number. */
  order: number;
  count: number;
  ax: number;
  ay: number;
  bx: number;
  by: number;
}

type Meeting = 'apart' | 'touch' | 'overlap' | 'cross';

/** Below this many edges, comparing all pairs is faster than building an index. */
const indexFrom = 32;

/**
 * Finds two edges that must not meet, by exact predicates (Shewchuk 1997): edges of one ring share only the end of
 * neighbours; rings of one polygon may touch in points; polygons may also share edges. undefined when there are none.
 * About n log n if edges are short compared with the ring.
 */
export function findCrossing(rings: readonly Ring[]): [EdgeStart, EdgeStart] | undefined {
  const edges = rings.flatMap(edgesOf);
  const candidates = edges.length < indexFrom ? allAfter(edges.length) : indexed(edges);
  for (const [place, edge] of edges.entries()) {
    for (const other of candidates(edge, place)) {
      const second = edges[other];
      if (second !== undefined && isForbidden(edge, second)) return [startOf(edge), startOf(second)];
    }
  }
  return undefined;
}

/** Whether all positions are on one line or in one point, so that the ring encloses nothing. */
export function isFlat(positions: readonly Position[]): boolean {
  const [ax, ay] = xy(positions[0]);
  const away = positions.find((position) => !isAt(position, ax, ay));
  if (away === undefined) return true;
  const [bx, by] = xy(away);
  return positions.every((position) => orient2d(ax, ay, bx, by, ...xy(position)) === 0);
}

/** Where a point is, by the rule of odd crossings; the ring must not cross itself. */
export function placeInRing(point: Position, ring: readonly Position[]): 'inside' | 'outside' | 'edge' {
  const [px, py] = xy(point);
  let inside = false;
  for (let i = 1; i < ring.length; i += 1) {
    const [ax, ay] = xy(ring[i - 1]);
    const [bx, by] = xy(ring[i]);
    const side = orient2d(ax, ay, bx, by, px, py);
    if (side === 0 && isBetween(px, ax, bx) && isBetween(py, ay, by)) return 'edge';
    if (ay > py !== by > py && side > 0 === by > ay) inside = !inside;
  }
  return inside ? 'inside' : 'outside';
}

/** Repeated positions make no edge. */
function edgesOf({ polygon, ring, positions }: Ring): Edge[] {
  const edges: Edge[] = [];
  for (let position = 0; position < positions.length - 1; position += 1) {
    const [ax, ay] = xy(positions[position]);
    const [bx, by] = xy(positions[position + 1]);
    if (ax === bx && ay === by) continue;
    edges.push({ polygon, ring, position, order: edges.length, count: 0, ax, ay, bx, by });
  }
  for (const edge of edges) edge.count = edges.length;
  return edges;
}

function allAfter(count: number): (edge: Edge, place: number) => number[] {
  const places = Array.from({ length: count }, (_, place) => place);
  return (_edge, place) => places.slice(place + 1);
}

function indexed(edges: readonly Edge[]): (edge: Edge, place: number) => number[] {
  const index = new Flatbush(edges.length);
  for (const edge of edges) index.add(...box(edge));
  index.finish();
  return (edge, place) => index.search(...box(edge), (other) => other > place);
}

function startOf({ polygon, ring, position }: Edge): EdgeStart {
  return { polygon, ring, position };
}

function box({ ax, ay, bx, by }: Edge): [number, number, number, number] {
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
}

function isForbidden(one: Edge, two: Edge): boolean {
  const meeting = meetingOf(one, two);
  if (meeting === 'apart') return false;
  if (one.polygon !== two.polygon) return meeting === 'cross';
  if (one.ring === two.ring && !areNeighbours(one, two)) return true;
  return meeting !== 'touch';
}

function areNeighbours(one: Edge, two: Edge): boolean {
  const apart = Math.abs(one.order - two.order);
  return apart === 1 || apart === one.count - 1;
}

function meetingOf(one: Edge, two: Edge): Meeting {
  const a = Math.sign(orient2d(two.ax, two.ay, two.bx, two.by, one.ax, one.ay));
  const b = Math.sign(orient2d(two.ax, two.ay, two.bx, two.by, one.bx, one.by));
  if (a === 0 && b === 0) return meetingOnOneLine(one, two);
  if (a === b) return 'apart';
  const c = Math.sign(orient2d(one.ax, one.ay, one.bx, one.by, two.ax, two.ay));
  const d = Math.sign(orient2d(one.ax, one.ay, one.bx, one.by, two.bx, two.by));
  if (c === d) return 'apart';
  return a * b < 0 && c * d < 0 ? 'cross' : 'touch';
}

/** Both edges are on one line: how far they overlap, measured along the axis on which the first is longer. */
function meetingOnOneLine(one: Edge, two: Edge): Meeting {
  const isFlatter = Math.abs(one.bx - one.ax) >= Math.abs(one.by - one.ay);
  const [a, b, c, d] = isFlatter ? [one.ax, one.bx, two.ax, two.bx] : [one.ay, one.by, two.ay, two.by];
  const from = Math.max(Math.min(a, b), Math.min(c, d));
  const to = Math.min(Math.max(a, b), Math.max(c, d));
  if (from > to) return 'apart';
  return from === to ? 'touch' : 'overlap';
}

function xy(position: Position | undefined): [number, number] {
  return [position?.[0] ?? NaN, position?.[1] ?? NaN];
}

function isAt(position: Position, x: number, y: number): boolean {
  return position[0] === x && position[1] === y;
}

function isBetween(value: number, one: number, other: number): boolean {
  return value >= Math.min(one, other) && value <= Math.max(one, other);
}
