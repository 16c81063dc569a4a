import type { Point } from './plane.ts';

/** A pipe between two places that are terminals or junctions. */
export interface Run {
  /** Corners in the direction from the source. */
  way: readonly Point[];
  from: End;
  to: End;
  /** Index of the terminal that supplies its water. */
  source: number;
  /** The existing line that it is, if any. */
  line: number | null;
  /** Terminals behind it. */
  serves: readonly number[];
  /** Index of the run that feeds it; null at the source. */
  parent: number | null;
  bends: Bends;
  /** How far water turns into it from the run that feeds it, degrees. */
  turn_deg: number;
}

export type Bends = Pick<Fittings, 'elbow_45' | 'elbow_90'>;

/** A terminal by index, or a junction by its number from 1. */
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

/** A pipe to be followed from a place in a direction. */
interface Waiting {
  from: Place;
  to: Place;
  source: number;
  parent: number | null;
  /** The place before `from`; absent at the source. */
  into?: Place;
}

/** Flatter bends need no fitting, degrees. */
const straight_deg = 5;
/** Halfway between the bends on sale. */
const sharp_deg = 67.5;
/** Pipe is bent by hand over a jog this short, as rows are never placed to the centimetre. */
const jog_m = 0.15;

interface Reading {
  /** Terminals that are sources; default the first. */
  sources?: readonly number[];
  /** Terminals that are bends, not devices. */
  passing?: readonly number[];
  /** For each pipe the existing line, else null; default none. */
  lines?: readonly (number | null)[];
}

/**
 * Reads the pipes of trees from their sources: each run goes from a terminal or junction to the next, through all its
 * bends, and ends where a new pipe continues from an existing one. Pipes touch if their ends are the same point.
 */
export function runsOf(
  pipes: readonly (readonly Point[])[],
  terminals: readonly Point[],
  { sources = [0], passing = [], lines = [] }: Reading = {},
): { runs: Run[]; fittings: Fittings } {
  const places = placesOf(pipes, terminals, passing);
  const existing = existingLegs(pipes, lines);
  const lineAt = (a: Place, b: Place): number | null => existing.get(legKey(a.point, b.point)) ?? null;
  const reader = new RunReader(lineAt);
  for (const source of sources) {
    const point = terminals[source];
    const start = point && places.get(keyOf(point));
    if (start) reader.begin(start, source);
  }
  return {
    runs: reader.read(),
    fittings: fittingsOf([...places.values()].filter((place) => !isExisting(place, lineAt))),
  };
}

type LineAt = (a: Place, b: Place) => number | null;

/** Follows pipes breadth first, so that each run comes after the one that feeds it. */
class RunReader {
  readonly #lineAt: LineAt;
  readonly #runs: Omit<Run, 'serves'>[] = [];
  /** For each run the places where it begins and ends. */
  readonly #ends: { first: Place; end: Place }[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #junctions = new Map<Place, number>();

  constructor(lineAt: LineAt) {
    this.#lineAt = lineAt;
  }

  begin(start: Place, source: number): void {
    for (const to of start.beside) this.#waiting.push({ from: start, to, source, parent: null });
  }

  read(): Run[] {
    // The list grows during the iteration.
    for (const waiting of this.#waiting) this.#follow(waiting);
    return this.#withServed();
  }

  #follow({ from, to, source, parent, into }: Waiting): void {
    const line = this.#lineAt(from, to);
    const way = this.#wayOn(from, to, line);
    const [before = from, end = to] = way.slice(-2);
    const turn_deg = into === undefined ? 0 : turnAt({ ...from, beside: [into, to] });
    const corners = { way: way.map(({ point }) => point), bends: bendsOf(way.slice(1, -1)), turn_deg };
    const ends = { from: this.#endAt(from), to: this.#endAt(end) };
    const at = this.#runs.push({ ...corners, ...ends, parent, source, line }) - 1;
    this.#ends.push({ first: from, end });
    for (const next of end.beside) {
      if (next !== before) this.#waiting.push({ from: end, to: next, source, parent: at, into: before });
    }
  }

  /** Through bends to the next place that is not one. */
  #wayOn(from: Place, to: Place, line: number | null): Place[] {
    const way = [from, to];
    let [before, here] = [from, to];
    while (here.terminal === undefined && here.beside.length === 2) {
      const next = here.beside.find((one) => one !== before);
      if (next === undefined || this.#lineAt(here, next) !== line) break;
      [before, here] = [here, next];
      way.push(here);
    }
    return way;
  }

  #endAt(place: Place): End {
    if (place.terminal !== undefined) return { terminal: place.terminal };
    const junction = this.#junctions.get(place) ?? this.#junctions.size + 1;
    this.#junctions.set(place, junction);
    return { junction };
  }

  /** From the last run on, so that everything behind a place is known. */
  #withServed(): Run[] {
    const behind = new Map<Place, number[]>();
    const served: Run[] = [];
    for (const [at, run] of [...this.#runs.entries()].reverse()) {
      const ends = this.#ends[at];
      if (ends === undefined) continue;
      const { first, end } = ends;
      const serves = [...(end.terminal === undefined ? [] : [end.terminal]), ...(behind.get(end) ?? [])];
      behind.set(first, [...(behind.get(first) ?? []), ...serves]);
      served.push({ ...run, serves });
    }
    return served.reverse();
  }
}

/** Whether nothing is laid here: all pipes already exist. */
function isExisting(place: Place, lineAt: LineAt): boolean {
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

/** A key for a leg, in either direction. */
function legKey(a: Point, b: Point): string {
  return [keyOf(a), keyOf(b)].sort().join(' ');
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

/** The fittings at all places. A device on the way is served through a tee. */
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

/** The bends where two pipes meet. */
function bendsOf(places: readonly Place[]): Bends {
  const turns = places.map(turnAt);
  const sharp = turns.filter((turn) => turn > sharp_deg).length;
  return { elbow_45: turns.filter((turn) => turn > straight_deg).length - sharp, elbow_90: sharp };
}

/** How far a pipe turns where two meet, degrees: 0 when it is straight, or nearly so. */
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
