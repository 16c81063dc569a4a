import proj4 from 'proj4';
import type { Geometry } from '../../contract/overlay.ts';
import { lowerBound } from './lower-bound.ts';
import { euclidean, rectilinear, turned, type Point } from './plane.ts';
import type { LaidWay } from './net.ts';
import { laidPipes, NoWayError, type Barrier, type RouteTask } from './route.ts';
import type { Step } from './step.ts';
import { runsOf, type Bends, type Fittings, type Run } from './tree.ts';

/** A place on the map that needs water, and its devices: none where pipes only pass. */
export interface Station {
  device_ids: readonly string[];
  lat: number;
  lng: number;
}

/** An existing pipe on the map, or a preferred corridor. */
export interface MapLine {
  feature_id: string;
  coordinates: readonly (readonly number[])[];
  /** Cost of a metre: 0 for an existing pipe. */
  weight: number;
  /** Of an existing pipe, if known, mm. */
  diameter_mm?: number;
  inner_mm?: number;
}

/** An obstacle on the map: a Polygon or MultiPolygon. */
interface MapBarrier {
  geometry: Geometry;
  canEnter: boolean;
  /** Near where pipes should enter, longitude and latitude. */
  entry?: readonly number[];
}

export interface PlanTask {
  /** Sources come first. */
  stations: readonly Station[];
  /** Number of source stations; default 1. */
  sources?: number;
  barriers: readonly MapBarrier[];
  lines?: readonly MapLine[];
  /** One of the two directions that pipes run along, degrees clockwise from north; null for any direction. */
  axis_deg: number | null;
  clearance_m: number;
}

/** A pipe of a plan, in the direction from the source. */
export interface PlannedPipe {
  coordinates: number[][];
  length_m: number;
  from: string;
  to: string;
  serves: number;
  /** Index of the pipe that feeds it; null at the source. */
  parent: number | null;
  /** Index of the station at its end; null at a junction. */
  station: number | null;
  /** Index of the station that supplies its water. */
  source: number;
  /** Index of the existing line that it is; null for a new one. */
  line: number | null;
  bends: Bends;
  /** How far water turns into it from the pipe that feeds it, degrees. */
  turn_deg: number;
}

export interface PipeLayout {
  pipes: PlannedPipe[];
  /** Of new pipes. */
  total_length_m: number;
  /** Of existing pipes. */
  reused_length_m: number;
  lower_bound_m: number;
  fittings: Fittings;
}

/** Devices that cannot be joined by pipes. */
export class PlanError extends Error {
  readonly code:
    | 'devices_at_one_place'
    | 'no_way_for_pipes'
    | 'pressure_unreachable'
    | 'zone_not_layable'
    | 'uneven_watering';
  readonly device_ids: readonly string[];

  constructor(code: PlanError['code'], message: string, device_ids: readonly string[]) {
    super(message);
    this.code = code;
    this.device_ids = device_ids;
  }
}

/** Closer places count as one, m. */
const sameWithin_m = 0.01;

/**
 * Lays pipes between stations of a map, in metres around the first one. Throws PlanError; `step` may throw to end it.
 */
export function planPipes(task: PlanTask, step: Step = () => undefined): PipeLayout {
  const plane = new LocalPlane(task);
  const { stations } = task;
  const terminals = stations.map(({ lng, lat }) => plane.toPlane([lng, lat]));
  refuseSamePlace(stations, terminals);
  const metric = task.axis_deg === null ? euclidean : rectilinear;
  const sources = Array.from({ length: task.sources ?? 1 }, (_, at) => at);
  const passing = stations.flatMap(({ device_ids }, at) => (device_ids.length === 0 ? [at] : []));
  const lines = (task.lines ?? []).map(({ coordinates, weight }) => ({
    points: coordinates.map(plane.toPlane),
    weight,
  }));
  const barriers = barriersOf(task, plane);
  const laid = routed(stations, { metric, terminals, barriers, lines, sources, passing, step });
  const { runs, fittings } = runsOf(
    laid.map(({ way }) => way),
    terminals,
    { sources, passing, lines: laid.map(({ line }) => (line !== null && lines[line]?.weight === 0 ? line : null)) },
  );
  const pipes = runs.map((run) => plannedPipe(run, stations, plane));
  const lengthWhere = (isNew: boolean): number =>
    pipes.reduce((sum, { length_m, line }) => sum + ((line === null) === isNew ? length_m : 0), 0);
  const total_length_m = lengthWhere(true);
  const existing = lines.filter(({ weight }) => weight === 0).map(({ points }) => points);
  const served = terminals.filter((_, at) => !passing.includes(at));
  return {
    pipes,
    total_length_m,
    fittings,
    reused_length_m: lengthWhere(false),
    lower_bound_m: Math.min(total_length_m, lowerBound(metric, served, { sources: sources.length, existing })),
  };
}

function plannedPipe(run: Run, stations: readonly Station[], plane: LocalPlane): PlannedPipe {
  const { way, from, to, serves, ...more } = run;
  const nameOf = (end: Run['from']): string =>
    'junction' in end ? `J${end.junction}` : (stations[end.terminal]?.device_ids[0] ?? '');
  return {
    ...more,
    from: nameOf(from),
    to: nameOf(to),
    coordinates: way.map(plane.toMap),
    length_m: lengthOf(way),
    serves: serves.reduce((sum, terminal) => sum + (stations[terminal]?.device_ids.length ?? 0), 0),
    station: 'terminal' in to ? to.terminal : null,
  };
}

/** The obstacles, in the plane. */
export function barriersOf({ barriers, clearance_m }: PlanTask, plane: LocalPlane): Barrier[] {
  return barriers.map(({ geometry, canEnter, entry }) => {
    const rings = ringsOf(geometry).map((ring) => ring.map(plane.toPlane));
    return { rings, canEnter, clearance_m, ...(entry && { entry: plane.toPlane(entry) }) };
  });
}

function routed(stations: readonly Station[], task: RouteTask): LaidWay[] {
  try {
    return laidPipes(task);
  } catch (error) {
    if (!(error instanceof NoWayError)) throw error;
    const ids = [...new Set(error.terminals.flatMap((terminal) => stations[terminal]?.device_ids ?? []))];
    throw new PlanError('no_way_for_pipes', 'what stands around these devices leaves no way for a pipe', ids);
  }
}

function refuseSamePlace(stations: readonly Station[], terminals: readonly Point[]): void {
  const sorted = [...terminals.keys()].sort((a, b) => (terminals[a]?.x ?? 0) - (terminals[b]?.x ?? 0));
  const ids = new Set<string>();
  for (const [order, one] of sorted.entries()) {
    const here = terminals[one];
    for (const other of sorted.slice(order + 1)) {
      const there = terminals[other];
      if (here === undefined || there === undefined || there.x - here.x > sameWithin_m) break;
      if (Math.abs(there.y - here.y) > sameWithin_m) continue;
      for (const id of [one, other].flatMap((place) => stations[place]?.device_ids ?? [])) ids.add(id);
    }
  }
  if (ids.size > 0) throw new PlanError('devices_at_one_place', 'these devices stand at one place', [...ids]);
}

/**
 * Transverse Mercator around the source (accurate to 1e-6 within 9 km), turned so that the axis of the pipes is along
 * x.
 */
export class LocalPlane {
  readonly #project: { forward(at: number[]): number[]; inverse(at: number[]): number[] };
  readonly #turn_rad: number;

  constructor({ stations, axis_deg }: PlanTask) {
    const { lat = 0, lng = 0 } = stations[0] ?? {};
    this.#project = proj4(`+proj=tmerc +lat_0=${lat} +lon_0=${lng} +k=1 +datum=WGS84 +units=m`);
    this.#turn_rad = (((axis_deg ?? 90) - 90) * Math.PI) / 180;
  }

  readonly toPlane = ([lng = 0, lat = 0]: readonly number[]): Point => {
    const [x = 0, y = 0] = this.#project.forward([lng, lat]);
    return turned({ x, y }, this.#turn_rad);
  };

  readonly toMap = (point: Point): number[] => {
    const { x, y } = turned(point, -this.#turn_rad);
    return this.#project.inverse([x, y]).map((degrees) => Number(degrees.toFixed(9)));
  };
}

export function ringsOf(geometry: Geometry): number[][][] {
  if (geometry.type === 'Polygon') return geometry.coordinates;
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [];
}

export function lengthOf(way: readonly Point[]): number {
  return way.reduce((sum, point, at) => sum + (at === 0 ? 0 : euclidean.distance(way[at - 1] ?? point, point)), 0);
}
