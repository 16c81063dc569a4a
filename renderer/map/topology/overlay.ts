import { ClipperD, ClipType, EndType, FillRule, inflatePathsD, JoinType } from 'clipper2-ts';
import type { Geometry } from '../../../server/contract/overlay.ts';
import { checkGeometry, isFault } from '../../../server/domain/geometry/feature-geometry.ts';
import type { Position } from '../geometry.ts';
import { KnownCorners } from './known-corners.ts';
import { Plane, type Point } from './plane.ts';
import {
  areasOf,
  cleared,
  goesBack,
  isRepeat,
  leastArea_m2,
  precision,
  sizeOf,
  total,
  turned,
  type Area,
  type Ring,
} from './rings.ts';

/** Why an operation has no result. Words: `map.shape.faults`. */
export type OverlayFault = 'noCrossing' | 'crossesItself' | 'apart' | 'nothingLeft' | 'outside' | 'unsound';

/** Shapes no further apart than this are neighbours: borders are drawn once for each side, and not alike. */
const gap_m = 0.1;
/** Corners that would extend further than this multiple of the offset are cut off. */
const miterLimit = 4;
const closingMiterLimit = 20;
/** A cut extends at least this far beyond the side it snapped to. */
const overshoot_m = 0.02;
const mostParts = 500;
/** More than a known corner's reach. */
const apart_m = 2e-3;
/** Clipped to an outline, a line ends no further from it than this, m. */
const onSide_m = 1e-3;

/**
 * The pieces of a shape on both sides of a line, largest first; the areas of several that the line does not cut stay
 * with the first. A part of the line that does not cross from side to side cuts nothing.
 */
export function split(geometry: Geometry, line: readonly Position[]): Geometry[] | OverlayFault {
  const work = new Overlay([geometry]);
  const points = line.map((position) => work.plane.point(position));
  const cut = extended(points.filter((point, at) => at === 0 || !isRepeat(point, points[at - 1] ?? point)));
  if (pathCrossesItself(cut)) return 'crossesItself';
  const areas = work.areas(geometry).map((area) => splitArea([area], cut));
  const uncut = areas.filter(({ length }) => length === 1).flat();
  const pieces = areas.filter(({ length }) => length > 1).flat();
  const [largest, ...others] = pieces.sort((a, b) => sizeOf(b) - sizeOf(a));
  if (largest === undefined) return 'noCrossing';
  const results = [work.geometry([largest, ...uncut]), ...others.map((piece) => work.geometry([piece]))];
  const sound = results.filter((one) => one !== 'unsound');
  return sound.length === results.length ? sound : 'unsound';
}

/**
 * One area of several that touch, overlap or lie side by side; what stays apart becomes parts of one shape where
 * `mayStayApart`.
 */
export function merge(
  geometries: readonly Geometry[],
  { mayStayApart }: { mayStayApart: boolean },
): Geometry | OverlayFault {
  const work = new Overlay(geometries);
  const all = geometries.flatMap((geometry) => work.areas(geometry));
  let merged = clip(ClipType.Union, all, []);
  if (merged.length > 1 || merged.some(hasSlit)) merged = closed(merged);
  if (merged.length > 1 && !mayStayApart) return 'apart';
  return work.geometry(merged);
}

/** The shape without what lies within another outline. */
export function cutOut(geometry: Geometry, hole: Geometry): Geometry | OverlayFault {
  const work = new Overlay([geometry, hole]);
  const whole = work.areas(geometry);
  const left = clip(ClipType.Difference, whole, work.areas(hole));
  if (left.length === 0) return 'nothingLeft';
  return Math.abs(total(left) - total(whole)) < leastArea_m2 ? 'outside' : work.geometry(left);
}

/** The outline moved outwards, or inwards when negative, m; for a line, the strip around it. */
export function offset(geometry: Geometry, distance_m: number): Geometry | OverlayFault {
  const work = new Overlay([geometry]);
  const lines = work.lines(geometry);
  const grown =
    lines.length > 0
      ? inflatePathsD(lines, Math.abs(distance_m), JoinType.Miter, EndType.Butt, miterLimit, precision)
      : grow(work.areas(geometry).flat(), distance_m, miterLimit);
  const areas = clip(ClipType.Union, [grown], []);
  return areas.length === 0 ? 'nothingLeft' : work.geometry(areas);
}

/** The same area without the crossings that rounding made of sides that all but touched. */
export function repaired(geometry: Geometry): Geometry | 'unsound' {
  const work = new Overlay([geometry]);
  return work.geometry(clip(ClipType.Union, work.areas(geometry), []));
}

/** Shapes taken to one plane and back, where a corner that did not move keeps its digits and altitude. */
class Overlay {
  readonly plane: Plane;
  readonly #known: KnownCorners;

  constructor(geometries: readonly Geometry[]) {
    this.plane = Plane.around(geometries);
    this.#known = new KnownCorners(geometries, this.plane);
  }

  areas(geometry: Geometry): Area[] {
    if (geometry.type === 'Polygon') return [this.#area(geometry.coordinates)];
    return geometry.type === 'MultiPolygon' ? geometry.coordinates.map((part) => this.#area(part)) : [];
  }

  lines(geometry: Geometry): Point[][] {
    const points = (line: Position[]): Point[] => line.map((position) => this.plane.point(position));
    if (geometry.type === 'LineString') return [points(geometry.coordinates)];
    return geometry.type === 'MultiLineString' ? geometry.coordinates.map(points) : [];
  }

  /** Sides that touch may cross once they are rounded to nine digits: they are then drawn apart. */
  geometry(areas: readonly Area[]): Geometry | 'unsound' {
    const exact = this.#written(areas);
    if (!isFault(checkGeometry(exact, 'reference'))) return exact;
    const apart = this.#written(clip(ClipType.Union, [grow(areas.flat(), -apart_m, miterLimit)], []));
    return isFault(checkGeometry(apart, 'reference')) ? 'unsound' : apart;
  }

  #written(areas: readonly Area[]): Geometry {
    const snapped = areasOf(areas.flat().map((ring) => ring.map((point) => this.#known.at(point)?.point ?? point)));
    const parts = snapped.map((area) =>
      area.map((ring) => {
        const positions = ring.map((point) => this.#known.at(point)?.position ?? this.plane.position(point));
        return [...positions, positions[0] ?? []];
      }),
    );
    const [only] = parts;
    return only !== undefined && parts.length === 1
      ? { type: 'Polygon', coordinates: only }
      : { type: 'MultiPolygon', coordinates: parts };
  }

  /** Outlines counter-clockwise, holes clockwise: growing one shrinks the other. */
  #area(rings: Position[][]): Area {
    return rings.map((ring, at) =>
      turned(
        ring.slice(0, -1).map((position) => this.plane.point(position)),
        at === 0,
      ),
    );
  }
}

function clip(type: ClipType, subject: readonly Area[], with_: readonly Area[]): Area[] {
  const clipper = new ClipperD(precision);
  clipper.addSubjectPaths(cleared(subject.flat()));
  clipper.addClipPaths(cleared(with_.flat()));
  const rings: Ring[] = [];
  clipper.execute(type, FillRule.NonZero, rings);
  return areasOf(rings);
}

function splitArea(parts: Area[], cut: readonly Point[]): Area[] {
  const done: Area[] = [];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const pieces = done.length + parts.length < mostParts ? halvesOf(part, cut) : null;
    if (pieces === null) done.push(part);
    else parts.push(...pieces);
  }
  return done;
}

/** Both sides of the first piece of a line that crosses the outline from side to side; null where none does. */
function halvesOf(area: Area, cut: readonly Point[]): Area[] | null {
  const [outline = [], ...holes] = area;
  for (const chord of chordsOf(outline, cut)) {
    const side = sideOf(outline, chord);
    if (side === null) continue;
    const whole = [side.outline, ...holes];
    const [inside, outside] = [ClipType.Intersection, ClipType.Difference].map((type) =>
      clip(type, [whole], [[side.ring]]),
    );
    if (inside === undefined || outside === undefined) continue;
    if (inside.length > 0 && outside.length > 0) return [...inside, ...outside];
  }
  return null;
}

function chordsOf(outline: Ring, cut: readonly Point[]): Point[][] {
  const clipper = new ClipperD(precision);
  clipper.addOpenSubjectPaths([cut.map(({ x, y }) => ({ x, y }))]);
  clipper.addClipPaths(cleared([outline]));
  const [closedPaths, open]: [Point[][], Point[][]] = [[], []];
  clipper.execute(ClipType.Intersection, FillRule.NonZero, closedPaths, open);
  return open.map((path) => path.map(({ x, y }) => ({ x, y })));
}

/**
 * The outline from one end of a chord to the other and back along it, and the outline with both ends among its corners:
 * rounding put them a hair beside it. Null where the chord does not go from side to side.
 */
function sideOf(outline: Ring, chord: readonly Point[]): { ring: Ring; outline: Ring } | null {
  const [first, last] = [chord[0], chord.at(-1)];
  if (first === undefined || last === undefined || chord.length < 2) return null;
  const [from, to] = [footOn(outline, first), footOn(outline, last)];
  if (from.distance > onSide_m || to.distance > onSide_m) return null;
  const stops = [
    ...outline.map((point, side) => ({ point, at: side })),
    { point: first, at: from.side + from.share },
    { point: last, at: to.side + to.share },
  ].sort((a, b) => a.at - b.at);
  const noded = stops.map(({ point }) => point);
  const [start, end] = [noded.indexOf(first), noded.indexOf(last)];
  const between = start < end ? noded.slice(start + 1, end) : [...noded.slice(start + 1), ...noded.slice(0, end)];
  const ring = [...between, ...chord.toReversed()];
  return ring.length < 3 ? null : { ring: turned(ring, true), outline: noded };
}

/** The side of a ring that is nearest to a point, and how far along it. */
function footOn(ring: Ring, point: Point): { side: number; share: number; distance: number } {
  let best = { side: 0, share: 0, distance: Infinity };
  for (const [side, a] of ring.entries()) {
    const b = ring[(side + 1) % ring.length] ?? a;
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const length2 = dx * dx + dy * dy;
    const share = length2 === 0 ? 0 : Math.min(1, Math.max(0, ((point.x - a.x) * dx + (point.y - a.y) * dy) / length2));
    const distance = Math.hypot(a.x + share * dx - point.x, a.y + share * dy - point.y);
    if (distance < best.distance) best = { side, share, distance };
  }
  return best;
}

/** A line extended a little at both ends. */
function extended(line: Point[]): Point[] {
  const beyond = (end: Point, before: Point): Point => {
    const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
    const share = overshoot_m / length;
    return { x: end.x + (end.x - before.x) * share, y: end.y + (end.y - before.y) * share };
  };
  const [first, second, last, beforeLast] = [line[0], line[1], line.at(-1), line.at(-2)];
  if (first === undefined || second === undefined || last === undefined || beforeLast === undefined) return line;
  return [beyond(first, second), ...line.slice(1, -1), beyond(last, beforeLast)];
}

/** Two sides of an open path that meet, other than neighbours that do not go back the same way. */
function pathCrossesItself(path: readonly Point[]): boolean {
  const turn = (a: Point, b: Point, c: Point): number =>
    Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
  const isFolded = path.some((point, i) => goesBack(path[i - 1] ?? point, point, path[i + 1] ?? point));
  if (isFolded) return true;
  return path.some((a, i) =>
    path.slice(i + 2).some((c, at) => {
      const [b, d] = [path[i + 1], path[i + 3 + at]];
      if (b === undefined || d === undefined) return false;
      return turn(a, b, c) !== turn(a, b, d) && turn(c, d, a) !== turn(c, d, b);
    }),
  );
}

/** A hole, or a notch, no wider than what two borders leave between them. */
function hasSlit(area: Area): boolean {
  return Math.abs(total(closed([area])) - sizeOf(area)) >= leastArea_m2;
}

/** Joins what is no further apart than the gap. */
function closed(areas: readonly Area[]): Area[] {
  const grown = clip(ClipType.Union, [grow(areas.flat(), gap_m / 2, closingMiterLimit)], []);
  return clip(ClipType.Union, [grow(grown.flat(), -gap_m / 2, closingMiterLimit)], []);
}

function grow(rings: Ring[], distance_m: number, limit: number): Ring[] {
  return inflatePathsD(cleared(rings), distance_m, JoinType.Miter, EndType.Polygon, limit, precision);
}
