import { isInside } from './obstacle.ts';
import { euclidean, turned, type Point } from './plane.ts';

/** The parameters of a zone's drip lines. */
export interface ZoneLayoutTask {
  /** Outer ring and holes, m. */
  rings: readonly (readonly Point[])[];
  /** The source of its water. */
  valve: Point;
  spacing_m: number;
  emitter_spacing_m: number;
  /** Direction of the lines from the x axis, counter-clockwise. */
  angle_rad: number;
}

/** A drip line from the header on, and the distances of the emitters from its start. */
interface Lateral {
  from: Point;
  to: Point;
  emitters_m: readonly number[];
}

export interface ZoneLayout {
  /** The places where lines leave the header, in order; the header runs from one to the next. */
  laterals: readonly Lateral[];
  /** Index of the one that the water reaches first. */
  inlet: number;
}

/** Maximum lines laid in one zone. */
const mostLaterals = 400;

/** From the west end of a line to its east end, before turning. */
type Span = readonly [west: Point, east: Point];

/**
 * Parallel lines over an area, half a spacing from its edge, fed at the end closer to the valve. undefined when a line
 * would leave the area and return: such a zone must be split.
 */
export function zoneLayout(task: ZoneLayoutTask): ZoneLayout | undefined {
  const { rings, valve, emitter_spacing_m, angle_rad } = task;
  const spans = spansOf(task);
  if (spans === undefined || spans.length === 0) return undefined;
  const [west, east] = ([0, 1] as const).map((side) => spans.map((span) => turned(span[side], angle_rad)));
  if (west === undefined || east === undefined) return undefined;
  const reach = (side: readonly Point[]): number => Math.min(...side.map((point) => euclidean.distance(point, valve)));
  const [starts, ends] = reach(west) <= reach(east) ? [west, east] : [east, west];
  if (!headerStaysInside(starts, rings)) return undefined;
  const laterals = starts.map((from, at): Lateral => {
    const to = ends[at] ?? from;
    return { from, to, emitters_m: emittersOf(euclidean.distance(from, to), emitter_spacing_m) };
  });
  const away = starts.map((point) => euclidean.distance(point, valve));
  return { laterals, inlet: away.indexOf(Math.min(...away)) };
}

/** Lines along x over the turned area, from the south on. undefined when there are too many, or one is interrupted. */
function spansOf({ rings, spacing_m, emitter_spacing_m, angle_rad }: ZoneLayoutTask): Span[] | undefined {
  const level = rings.map((ring) => ring.map((point) => turned(point, -angle_rad)));
  const ys = level.flat().map(({ y }) => y);
  const [south, north] = [Math.min(...ys), Math.max(...ys)];
  const count = Math.max(1, Math.floor((north - south) / spacing_m));
  if (count > mostLaterals) return undefined;
  const first = south + (north - south - (count - 1) * spacing_m) / 2;
  const spans: Span[] = [];
  for (let row = 0; row < count; row += 1) {
    const y = first + row * spacing_m;
    const [west, east, ...more] = crossingsAt(level, y);
    if (more.length > 0) return undefined;
    if (west === undefined || east === undefined || east - west <= emitter_spacing_m) continue;
    spans.push([
      { x: west, y },
      { x: east, y },
    ]);
  }
  return spans;
}

/** Where a line along x meets the outlines, from the west. */
function crossingsAt(rings: readonly (readonly Point[])[], y: number): number[] {
  const found: number[] = [];
  for (const ring of rings) {
    for (const [at, a] of ring.entries()) {
      const b = ring[(at + 1) % ring.length] ?? a;
      if (a.y > y === b.y > y) continue;
      found.push(a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x));
    }
  }
  return found.sort((one, other) => one - other);
}

/** Tested slightly inside of its middle points, as the ends are on the edge itself. */
function headerStaysInside(starts: readonly Point[], rings: readonly (readonly Point[])[]): boolean {
  const middle = rings[0]?.reduce(
    (sum, { x, y }, _, { length }) => ({ x: sum.x + x / length, y: sum.y + y / length }),
    { x: 0, y: 0 },
  );
  if (middle === undefined) return false;
  return starts.slice(1).every((point, at) => {
    const before = starts[at] ?? point;
    const between = { x: (point.x + before.x) / 2, y: (point.y + before.y) / 2 };
    const share = 0.02;
    return isInside(
      { x: between.x + share * (middle.x - between.x), y: between.y + share * (middle.y - between.y) },
      rings,
    );
  });
}

function emittersOf(length_m: number, spacing_m: number): number[] {
  const count = Math.max(1, Math.floor(length_m / spacing_m));
  const first = (length_m - (count - 1) * spacing_m) / 2;
  return Array.from({ length: count }, (_, at) => first + at * spacing_m);
}
