import { areaD, pointInPolygonD, PointInPolygonResult } from 'clipper2-ts';
import type { Point } from './plane.ts';

/** Closed without a repeat of the first point; outlines run counter-clockwise, holes clockwise. m. */
export type Ring = Point[];
/** The outline, then its holes. */
export type Area = Ring[];

/** Decimals of a metre: clipper2 works on a grid of so much, and is exact there. */
export const precision = 5;
/** Less than this is what rounding leaves, m2. */
export const leastArea_m2 = 0.01;
/** A spike no wider than this is what rounding leaves, m. */
const spike_m = 1e-3;

/** Areas of loose rings: without spikes, and none that touches itself. */
export function areasOf(rings: readonly Ring[]): Area[] {
  const sound = rings.flatMap((ring) => untangled(withoutSpikes(ring))).filter((ring) => ring.length > 2);
  const outlines = sound.filter((ring) => areaD(ring) >= leastArea_m2).sort((a, b) => areaD(a) - areaD(b));
  const areas = outlines.map((outline): Area => [outline]);
  for (const hole of sound) {
    if (areaD(hole) > -leastArea_m2) continue;
    // The smallest first: an island within a hole has its own.
    areas.find(([outline = []]) => isWithin(hole, outline))?.push(hole);
  }
  return areas;
}

export function turned(ring: Ring, isOuter: boolean): Ring {
  return areaD(ring) > 0 === isOuter ? ring : ring.toReversed();
}

/** m2, without the holes. */
export function sizeOf(area: Area): number {
  return area.reduce((sum, ring) => sum + areaD(ring), 0);
}

export function total(areas: readonly Area[]): number {
  return areas.reduce((sum, area) => sum + sizeOf(area), 0);
}

/** By most of its corners: one that lies on the outline may be rounded to either side of it. */
function isWithin(ring: Ring, outline: Ring): boolean {
  const places = ring.map((point) => pointInPolygonD(point, outline, 5));
  const count = (wanted: PointInPolygonResult): number => places.filter((one) => one === wanted).length;
  const [inside, outside] = [count(PointInPolygonResult.IsInside), count(PointInPolygonResult.IsOutside)];
  return inside === outside ? areaD(outline) > -areaD(ring) : inside > outside;
}

/**
 * Rings as clipper2-ts comes to an end with: rounded to its grid, and none that goes back along a side, which where
 * that lies level it follows for ever (2.0.1: `doHorizontal` keeps the direction of the first of several level sides).
 */
export function cleared(rings: readonly Ring[]): Ring[] {
  const onGrid = rings.map((ring) => ring.map(({ x, y }) => ({ x: rounded(x), y: rounded(y) })));
  return onGrid.map(withoutSpikes).filter((ring) => ring.length > 2);
}

function rounded(value: number): number {
  return Math.round(value * 10 ** precision) / 10 ** precision;
}

/** Without repeated points, and without corners from which the ring goes back the way that it came. */
function withoutSpikes(ring: Ring): Ring {
  const kept = ring.map(({ x, y }) => ({ x, y }));
  for (let at = 0, rest = kept.length; rest > 0 && kept.length > 2; rest -= 1) {
    const { length } = kept;
    const [a, b, c] = [kept[(at + length - 1) % length], kept[at % length], kept[(at + 1) % length]];
    if (a === undefined || b === undefined || c === undefined) break;
    if (isRepeat(a, b) || isRepeat(b, c) || goesBack(a, b, c)) {
      kept.splice(at % length, 1);
      at = Math.max(0, (at % length) - 1);
      rest = kept.length + 1;
    } else at = (at + 1) % length;
  }
  return kept;
}

/** Whether a path comes back from its middle point the way that it went there. */
export function goesBack(from: Point, middle: Point, to: Point): boolean {
  const [ax, ay, cx, cy] = [from.x - middle.x, from.y - middle.y, to.x - middle.x, to.y - middle.y];
  const longer = Math.max(Math.hypot(ax, ay), Math.hypot(cx, cy));
  return ax * cx + ay * cy > 0 && Math.abs(ax * cy - ay * cx) / longer < spike_m;
}

export function isRepeat(a: Point, b: Point): boolean {
  return a.x === b.x && a.y === b.y;
}

/** A ring that comes back to one of its corners is two: RFC 7946 and the service refuse what touches itself. */
function untangled(path: Ring): Ring[] {
  const rings: Ring[] = [];
  const open: Point[] = [];
  /** Where in `open` each point stands: an imported boundary has too many to look through for each. */
  const places = new Map<string, number>();
  for (const point of path) {
    const at = places.get(keyOf(point));
    if (at !== undefined) {
      const ring = open.splice(at);
      for (const one of ring) places.delete(keyOf(one));
      rings.push(ring);
    }
    places.set(keyOf(point), open.length);
    open.push(point);
  }
  return [...rings, open];
}

function keyOf({ x, y }: Point): string {
  return `${x}:${y}`;
}
