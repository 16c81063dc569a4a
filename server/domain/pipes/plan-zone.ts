import type { Geometry } from '../../contract/overlay.ts';
import type { PipeSize } from './catalogue.ts';
import { headLoss_m, head_m_per_bar } from './head-loss.ts';
import { barriersOf, lengthOf, LocalPlane, PlanError, ringsOf, type PlanTask } from './plan.ts';
import { overlapOf, type Overlap, type OverlapTask } from './overlap.ts';
import { euclidean, rectilinear, type Point } from './plane.ts';
import { grown, ObstacleField, type Obstacle } from './obstacle.ts';
import { NoWayError, routePipes } from './route.ts';
import type { Step } from './step.ts';
import { sizedZone, type EmitterTask, type SolveEmitters, type ZoneResult } from './zone-network.ts';
import { zoneLayout, type ZoneLayout } from './zone.ts';

/** An area of the map that gets drip lines. */
export interface MapZone {
  zone_id: string;
  geometry: Geometry;
  /** Index of the station that is its valve. */
  station: number;
  spacing_m: number;
  emitter_spacing_m: number;
  /** Direction of the lines, degrees clockwise from north. */
  angle_deg: number;
  emitter: EmitterTask;
  /** How far an emitter wets the ground. */
  radius_m: number;
}

export interface ZoneWay {
  coordinates: number[][];
  length_m: number;
}

/** The layout of a zone, on the map. */
export interface PlannedZone extends ZoneResult {
  zone_id: string;
  station: number;
  /** From the valve to the header, and along it. */
  header_ways: ZoneWay[];
  header_m: number;
  laterals: ZoneWay[];
  lateral_m: number;
  /** Precipitation on the ground under the lines. */
  application_mm_h: number;
  /** At the valve, m of water. */
  needed_m: number;
  /** Cells by their places on the map. */
  overlap: (Omit<Overlap, 'cells'> & { cells: [lng: number, lat: number, mm_h: number][] }) | null;
}

/** Within this distance the valve is at the header, m. */
const touching_m = 0.05;

/**
 * Lays out a zone and determines its header and pressure. Throws PlanError `zone_not_layable`, `uneven_watering` or
 * `no_way_for_pipes`, naming the valve.
 */
export function planZone(
  task: PlanTask,
  zone: MapZone,
  { sizes, solve, step }: { sizes: readonly PipeSize[]; solve: SolveEmitters; step: Step },
): PlannedZone {
  const plane = new LocalPlane(task);
  const station = task.stations[zone.station];
  const ids = [...(station?.device_ids ?? [])];
  const valve = plane.toPlane([station?.lng ?? 0, station?.lat ?? 0]);
  const rings = ringsOf(zone.geometry).map((ring) => ring.map(plane.toPlane));
  const angle_rad = (((task.axis_deg ?? 90) - zone.angle_deg) * Math.PI) / 180;
  const layout = zoneLayout({ ...zone, rings, valve, angle_rad });
  if (layout === undefined)
    throw new PlanError('zone_not_layable', 'the zone of these valves has no room for straight lines: split it', ids);
  refuseCrossing(layout, barriersOf(task, plane), ids);
  const found = sizedZone({ layout, emitter: zone.emitter, sizes }, solve);
  if (found === undefined || found.uniformity_pct < zone.emitter.least_uniformity_pct) {
    throw new PlanError('uneven_watering', 'the lines of these valves are too long for even watering', ids);
  }
  const feeders = feederOf(task, plane, { from: valve, to: inletOf(layout), ids, step });
  const header = layout.laterals.map(({ from }) => from);
  const feeder_m = feeders.reduce((sum, way) => sum + lengthOf(way), 0);
  const header_m = feeder_m + lengthOf(header);
  const lateral_m = layout.laterals.reduce((sum, { from, to }) => sum + euclidean.distance(from, to), 0);
  const fed = { length_m: feeder_m, inner_mm: found.header.inner_mm, flow_m3_s: found.flow_m3_h / 3600, minor: 0 };
  const onMap = (way: readonly Point[]): ZoneWay => ({ coordinates: way.map(plane.toMap), length_m: lengthOf(way) });
  return {
    ...found,
    zone_id: zone.zone_id,
    station: zone.station,
    header_m,
    lateral_m,
    header_ways: [...feeders, header].filter((way) => way.length > 1).map(onMap),
    laterals: layout.laterals.map(({ from, to }) => onMap([from, to])),
    application_mm_h: zone.emitter.flow_l_h / (zone.spacing_m * zone.emitter_spacing_m),
    overlap: overlapOnMap({ rings, layout, angle_rad, flows_l_h: found.flows_l_h }, zone, { plane, step }),
    needed_m: found.inlet_bar * head_m_per_bar + headLoss_m('darcy_weisbach', fed),
  };
}

function overlapOnMap(
  laid: Pick<OverlapTask, 'rings' | 'layout' | 'angle_rad' | 'flows_l_h'>,
  { radius_m, spacing_m, emitter_spacing_m }: MapZone,
  { plane, step }: { plane: LocalPlane; step: Step },
): PlannedZone['overlap'] {
  const found = overlapOf({ ...laid, radius_m, spacing_m: Math.min(spacing_m, emitter_spacing_m) }, () => step());
  if (found === undefined) return null;
  const cells = found.cells.map(({ at, mm_h }): [number, number, number] => {
    const [lng = 0, lat = 0] = plane.toMap(at);
    return [lng, lat, mm_h];
  });
  return { ...found, cells };
}

/**
 * Ends of lines are on the edge of the zone, which may be the wall of a house, so they are tested this share further
 * inside.
 */
const inwards = 0.02;

/** A zone may be in a house or outside; lines through a wall or over no-trench ground are refused. */
function refuseCrossing({ laterals }: ZoneLayout, barriers: readonly Obstacle[], ids: readonly string[]): void {
  const field = new ObstacleField(barriers.map((barrier) => grown({ ...barrier, clearance_m: 0 })));
  const on = ({ from, to }: ZoneLayout['laterals'][number], share: number): Point => ({
    x: from.x + share * (to.x - from.x),
    y: from.y + share * (to.y - from.y),
  });
  const isClear = laterals.every((line, at) => {
    const [start, end] = [on(line, inwards), on(line, 1 - inwards)];
    const before = on(laterals[at - 1] ?? line, inwards);
    return [end, before].every((other) => field.clearWay(euclidean, start, other) !== undefined);
  });
  if (!isClear) throw new PlanError('zone_not_layable', 'something stands in the zone of these valves: split it', ids);
}

function inletOf({ laterals, inlet }: ZoneLayout): Point {
  return laterals[inlet]?.from ?? { x: 0, y: 0 };
}

/** Pipes from the valve to the header, around obstacles. */
function feederOf(
  task: PlanTask,
  plane: LocalPlane,
  { from, to, ids, step }: { from: Point; to: Point; ids: string[]; step: Step },
): (readonly Point[])[] {
  if (euclidean.distance(from, to) < touching_m) return [];
  try {
    const metric = task.axis_deg === null ? euclidean : rectilinear;
    return [...routePipes({ metric, terminals: [from, to], barriers: barriersOf(task, plane), step: () => step() })];
  } catch (error) {
    if (!(error instanceof NoWayError)) throw error;
    throw new PlanError('no_way_for_pipes', 'nothing leads from these valves to their zones', ids);
  }
}
