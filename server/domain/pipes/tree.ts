import type { Point } from './plane.ts';

/** What stands at a terminal. */
export interface Run {
  /** Corners from the source on. */
  way: readonly Point[];
  /** The terminal at each end; null at a junction, which has a number from 1. */
  from: End;
  to: End;
  /** Which terminal its water comes from. */
  source: number;
  /** The line that it follows, where one lies there already. */
  line: number | null;
  /** Terminals behind it. */
  serves: readonly number[];
  /** The run that feeds it, by its place in the list; null at the source. */
  parent: number | null;
  bends: Bends;
  /** How far water turns into it from the run that feeds it, degrees. */
  turn_deg: number;
}

export type Bends = Pick<Fittings, 'elbow_45' | 'elbow_90'>;

type End = { terminal: number } | { junction: number };

export interface Fittings {
  elbow_45: number;
  elbow_90: number;
  tee: number;
  cross: number;
}

interface Place {
  point: Point;
  terminal: number | undefined;
  beside: Place[];
}

interface Waiting {
  from: Place;
  to: Place;
  source: number;
  parent: number | null;
  /** The place before `from`; absent at the source. */
  into?: Place;
}

/** Bends that are flatter need no fitting, degrees. */
const straight_deg = 5;
/** Halfway between the bends that are sold. */
const sharp_deg = 67.5;
/** Pipe is bent by hand over a jog as short as this: rows are never placed to the centimetre. */
const jog_m = 0.15;

interface Reading {
  /** Terminals that water comes from; the first when absent. */
  sources?: readonly number[];
  /** Terminals that are bends, no devices. */
  passing?: readonly number[];
  /** By the pipe: the line that lies there already, else null; none when absent. */
  lines?: readonly (number | null)[];
}

/**
 * Reads the pipes of trees from their sources on: each run goes from a terminal or junction to the next, through all its bends, and
 * ends where a new pipe goes on from one that lies there. Pipes touch where their ends are the same point.
 */
export function runsOf(
  pipes: readonly (readonly Point[])[],
  terminals: readonly Point[],
  { sources = [0], passing = [], lines = [] }: Reading = {},
): { runs: Run[]; fittings: Fittings } {
  const places = placesOf(pipes, terminals, passing);
  const existing = existingLegs(pipes, lines);
  const lineAt = (a: Place, b: Place): number | null => existing.get(legKey(a.point, b.point)) ?? null;
  const runs: Run[] = [];
  const junctions = new Map<Place, number>();
  const endOf = (place: Place): End => {
    if (place.terminal !== undefined) return { terminal: place.terminal };
    const number = junctions.get(place) ?? junctions.size + 1;
    junctions.set(place, number);
    return { junction: number };
  };
  const follow = ({ from: first, to: next, source, parent, into }: Waiting): void => {
    const way = [first, next];
    const line = lineAt(first, next);
    let [before, here] = [first, next];
    while (here.terminal === undefined && here.beside.length === 2) {
      const on = here.beside.find((one) => one !== before);
      if (on === undefined || lineAt(here, on) !== line) break;
      [before, here] = [here, on];
      way.push(here);
    }
    const run = { way: way.map(({ point }) => point), from: endOf(first), to: endOf(here), parent, source, line };
    const turn_deg = into === undefined ? 0 : turnAt({ ...first, beside: [into, next] });
    const at = runs.push({ ...run, serves: [], bends: bendsOf(way.slice(1, -1)), turn_deg }) - 1;
    for (const on of here.beside)
      if (on !== before) waiting.push({ from: here, to: on, source, parent: at, into: before });
    parents.push({ at, end: here, first });
  };
  const waiting: Waiting[] = [];
  const parents: { at: number; end: Place; first: Place }[] = [];
  for (const source of sources) {
    const start = terminals[source] && places.get(keyOf(terminals[source]));
    for (const on of start?.beside ?? []) if (start) waiting.push({ from: start, to: on, source, parent: null });
  }
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) follow(next);
  return {
    runs: withServed(runs, parents),
    fittings: fittingsOf([...places.values()].filter((place) => !isExisting(place, lineAt))),
  };
}

/** Where nothing is laid: all pipes lie there already. */
function isExisting(place: Place, lineAt: (a: Place, b: Place) => number | null): boolean {
  return place.beside.length > 0 && place.beside.every((one) => lineAt(place, one) !== null);
}

function existingLegs(pipes: readonly (readonly Point[])[], lines: readonly (number | null)[]): Map<string, number> {
  const legs = new Map<string, number>();
  for (const [at, way] of pipes.entries()) {
    const line = lines[at] ?? null;
    if (line === null) continue;
    for (const [order, to] of way.entries()) {
      const from = way[order - 1];
      if (from !== undefined) legs.set(legKey(from, to), line);
    }
  }
  return legs;
}

/** Of a stretch, in either direction. */
function legKey(a: Point, b: Point): string {
  return [keyOf(a), keyOf(b)].sort().join(' ');
}

/** Runs come before those behind them, so from the last on all that is behind is known. */
function withServed(runs: readonly Run[], parents: readonly { at: number; end: Place; first: Place }[]): Run[] {
  const behind = new Map<Place, number[]>();
  const served: Run[] = [];
  for (const { at, end, first } of parents.toReversed()) {
    const run = runs[at];
    if (run === undefined) continue;
    const serves = [...(end.terminal === undefined ? [] : [end.terminal]), ...(behind.get(end) ?? [])];
    behind.set(first, [...(behind.get(first) ?? []), ...serves]);
    served.push({ ...run, serves });
  }
  return served.reverse();
}

function placesOf(
  pipes: readonly (readonly Point[])[],
  terminals: readonly Point[],
  passing: readonly number[],
): Map<string, Place> {
  const places = new Map<string, Place>();
  const placeOf = (point: Point, terminal?: number): Place => {
    const known = places.get(keyOf(point));
    if (known !== undefined) return known;
    const place = { point, terminal, beside: [] };
    places.set(keyOf(point), place);
    return place;
  };
  for (const [terminal, point] of terminals.entries())
    placeOf(point, passing.includes(terminal) ? undefined : terminal);
  for (const pipe of pipes) {
    for (const [at, point] of pipe.entries()) {
      const before = pipe[at - 1];
      if (before === undefined || keyOf(before) === keyOf(point)) continue;
      const [from, to] = [placeOf(before), placeOf(point)];
      from.beside.push(to);
      to.beside.push(from);
    }
  }
  return places;
}

/** What joins the pipes at all places. A device on the way is served through a tee. */
function fittingsOf(places: readonly Place[]): Fittings {
  const fittings: Fittings = { elbow_45: 0, elbow_90: 0, tee: 0, cross: 0 };
  for (const place of places) {
    const outlets = place.beside.length + (place.terminal === undefined ? 0 : 1);
    if (outlets > 3) fittings.cross += 1;
    else if (outlets === 3) fittings.tee += 1;
    else if (place.terminal === undefined) {
      const { elbow_45, elbow_90 } = bendsOf([place]);
      fittings.elbow_45 += elbow_45;
      fittings.elbow_90 += elbow_90;
    }
  }
  return fittings;
}

/** What bends take where two pipes meet. */
function bendsOf(places: readonly Place[]): Bends {
  const turns = places.map(turnAt);
  const sharp = turns.filter((turn) => turn > sharp_deg).length;
  return { elbow_45: turns.filter((turn) => turn > straight_deg).length - sharp, elbow_90: sharp };
}

/** How far a pipe turns where two meet, degrees: 0 goes straight on, or nearly so. */
function turnAt({ point, beside: [a, b] }: Place): number {
  if (a === undefined || b === undefined) return 0;
  if ([a, b].some((end) => Math.hypot(end.point.x - point.x, end.point.y - point.y) < jog_m)) return 0;
  const [inward, outward] = [
    Math.atan2(point.y - a.point.y, point.x - a.point.x),
    Math.atan2(b.point.y - point.y, b.point.x - point.x),
  ];
  const turn = Math.abs(((outward - inward) * 180) / Math.PI) % 360;
  return Math.min(turn, 360 - turn);
}

function keyOf({ x, y }: Point): string {
  return `${x} ${y}`;
}
