import type { FrictionFormula, PipeSeries } from '../../contract/pipe-hydraulics.ts';
import { pipeSizes, type PipeSize } from './catalogue.ts';
import { headLoss_m, roughness_mm, smoothness, velocity_m_s } from './head-loss.ts';
import { PlanError, type MapLine, type PipeLayout, type PlannedPipe, type PlanTask, type Station } from './plan.ts';
import type { Step } from './step.ts';
import { sizePipes, type HeadTarget, type SizedRun } from './sizing.ts';

/** The flow and pressure of a station while its group is open. */
interface StationDemand {
  flow_m3_s: number;
  /** Pressure, m of water. */
  needed_m: number;
  elevation_m: number;
  group: number;
}

interface PumpPoint {
  flow_m3_h: number;
  head_m: number;
}

export interface HydraulicTask {
  series: PipeSeries;
  /** Price per metre by outer diameter. */
  prices: readonly (readonly [number, number])[];
  friction: FrictionFormula;
  most_velocity_m_s: number;
  /** By station; sources draw nothing. */
  demands: readonly StationDemand[];
  groups: number;
  /** By station, from the first on. */
  sources: readonly SourceHead[];
  /** Of the pump at each source. */
  pump: readonly PumpPoint[] | null;
}

interface SourceHead {
  elevation_m: number;
  /** Its pressure; without it and without a pump curve, the required one is calculated. */
  pressure_m: number | null;
}

interface WaterNode {
  /** Index of its station; null for a junction and the source. */
  station: number | null;
  elevation_m: number;
  /** The demand here, in the one group that draws it. */
  demand: { flow_m3_s: number; group: number } | null;
  /** Outer diameter of the outlet valve, mm. */
  outlet_mm?: number;
  at: readonly number[];
}

export interface WaterPipe {
  from: number;
  to: number;
  length_m: number;
  size: PipeSize;
  minor: number;
  coordinates: readonly (readonly number[])[];
  /** Whether it already exists. */
  isExisting?: boolean;
}

/** Sized pipes, ready to be solved. Sources are the first nodes. */
export interface WaterNetwork {
  /** Number of source nodes; default 1. */
  sources?: number;
  nodes: readonly WaterNode[];
  pipes: readonly WaterPipe[];
  groups: number;
  friction: FrictionFormula;
  /** Hazen-Williams C, or mm. */
  roughness: number;
  /** Heads at the sources, before their pump if there is one, m. */
  heads_m: readonly number[];
  pump: readonly PumpPoint[] | null;
}

/** Loss factors, in v2/2g: EPANET 2.2 User Manual (2020), table 3.3. */
const factors = { elbow_45: 0.42, elbow_90: 0.9, tee_branch: 1.8, tee_run: 0.6 };
/** Water that turns by more into a pipe enters the branch of a tee. */
const branch_deg = 45;

/** Sizes each new pipe of a layout. Throws PlanError `pressure_unreachable`. */
export function sizedNetwork(
  { stations, lines = [] }: Pick<PlanTask, 'stations' | 'lines'>,
  layout: PipeLayout,
  task: HydraulicTask,
  step?: Step,
): WaterNetwork {
  const sizes = pipeSizes(task.series, new Map(task.prices));
  const existing = layout.pipes.map(({ line }) => (line === null ? undefined : existingSize(lines[line], sizes)));
  const runs = sizedRuns(layout.pipes, task).map((run, at): SizedRun => {
    const fixed_mm = existing[at]?.inner_mm;
    return fixed_mm === undefined ? run : { ...run, fixed_mm };
  });
  const targets = targetsOf(layout.pipes, runs, task);
  const { friction, most_velocity_m_s } = task;
  const found = sizePipes({ runs, targets, sizes, friction, most_velocity_m_s, ...(step && { step }) });
  if (!('sizes' in found)) {
    const pipes = 'unmet' in found ? found.unmet.map(({ pipe }) => pipe) : found.tooFast;
    throw unreachable(stations, layout.pipes, pipes);
  }
  const chosen = found.sizes.flatMap((size, at) => existing[at] ?? sizes[size] ?? []);
  return networkOf(layout.pipes, { task, runs, chosen });
}

/** The size of an existing pipe: its inner diameter, or that of the series by its outer one. undefined when unknown. */
export function existingSize(line: MapLine | undefined, sizes: readonly PipeSize[]): PipeSize | undefined {
  const { diameter_mm, inner_mm } = line ?? {};
  if (inner_mm !== undefined) return { diameter_mm: diameter_mm ?? inner_mm, inner_mm, cost: 0 };
  return sizes.find((size) => size.diameter_mm === diameter_mm);
}

function sizedRuns(pipes: readonly PlannedPipe[], { demands, groups }: HydraulicTask): SizedRun[] {
  const flows = pipes.map(() => new Array<number>(groups).fill(0));
  for (const [at, pipe] of pipes.entries()) {
    const demand = pipe.station === null ? undefined : demands[pipe.station];
    if (demand === undefined) continue;
    for (let up: number | null = at; up !== null; up = pipes[up]?.parent ?? null) {
      const through = flows[up];
      if (through) through[demand.group] = (through[demand.group] ?? 0) + demand.flow_m3_s;
    }
  }
  return pipes.map(({ parent, length_m, bends, turn_deg }, at) => {
    const tee = parent === null ? 0 : turn_deg > branch_deg ? factors.tee_branch : factors.tee_run;
    const minor = tee + bends.elbow_45 * factors.elbow_45 + bends.elbow_90 * factors.elbow_90;
    return { parent, length_m, minor, flows_m3_s: flows[at] ?? [] };
  });
}

/** The head loss that each station with a demand allows; no targets while the source is unknown. */
function targetsOf(pipes: readonly PlannedPipe[], runs: readonly SizedRun[], task: HydraulicTask): HeadTarget[] {
  const headAt = (source: number, group: number): number | null => {
    const { elevation_m = 0, pressure_m = null } = task.sources[source] ?? {};
    if (task.pump === null) return pressure_m === null ? null : elevation_m + pressure_m;
    return elevation_m + pumpHead_m(task.pump, flowFrom(source, pipes, { runs, group }) * 3600);
  };
  const heads = task.sources.map((_, source) =>
    Array.from({ length: task.groups }, (__, group) => headAt(source, group)),
  );
  return pipes.flatMap(({ station, source }, pipe) => {
    const demand = station === null ? undefined : task.demands[station];
    if (demand === undefined || demand.flow_m3_s === 0) return [];
    const { group, needed_m, elevation_m } = demand;
    const head_m = heads[source]?.[group] ?? null;
    return head_m === null ? [] : { pipe, group, allowed_m: head_m - elevation_m - needed_m };
  });
}

/** What a source delivers to a group, m3/s. */
function flowFrom(
  source: number,
  pipes: readonly PlannedPipe[],
  { runs, group }: { runs: readonly SizedRun[]; group: number },
): number {
  const roots = runs.filter(({ parent }, at) => parent === null && pipes[at]?.source === source);
  return roots.reduce((sum, run) => sum + (run.flows_m3_s[group] ?? 0), 0);
}

/** Linear between the points of a curve; 0 beyond its end. */
function pumpHead_m(points: readonly PumpPoint[], flow_m3_h: number): number {
  const next = points.findIndex((point) => point.flow_m3_h >= flow_m3_h);
  const [a, b] = [points[next - 1], points[next]];
  if (b === undefined) return 0;
  if (a === undefined || b.flow_m3_h === a.flow_m3_h) return b.head_m;
  return a.head_m + ((b.head_m - a.head_m) * (flow_m3_h - a.flow_m3_h)) / (b.flow_m3_h - a.flow_m3_h);
}

function unreachable(stations: readonly Station[], pipes: readonly PlannedPipe[], at: readonly number[]): PlanError {
  const isBehind = new Set(at);
  for (const [pipe, { parent }] of pipes.entries()) if (parent !== null && isBehind.has(parent)) isBehind.add(pipe);
  const ids = pipes.flatMap(({ station }, pipe) =>
    isBehind.has(pipe) && station !== null ? (stations[station]?.device_ids ?? []) : [],
  );
  return new PlanError(
    'pressure_unreachable',
    'the largest pipes of the series do not bring these devices what they need',
    [...new Set(ids)],
  );
}

interface Sized {
  task: HydraulicTask;
  runs: readonly SizedRun[];
  chosen: readonly PipeSize[];
}

/** After the sources, the nodes are the ends of the pipes, in order. */
function networkOf(pipes: readonly PlannedPipe[], sized: Sized): WaterNetwork {
  const { task, runs, chosen } = sized;
  const { friction, groups, pump, sources } = task;
  const starts = sources.map(({ elevation_m }, source): WaterNode => {
    const first = pipes.find((pipe) => pipe.parent === null && pipe.source === source);
    return {
      station: null,
      elevation_m,
      demand: null,
      at: first?.coordinates[0] ?? pipes[0]?.coordinates[0] ?? [0, 0],
    };
  });
  const water = pipes.flatMap(({ parent, source, length_m, coordinates, line }, at): WaterPipe[] => {
    const size = chosen[at];
    if (size === undefined) return [];
    const ends = { from: parent === null ? source : sources.length + parent, to: sources.length + at };
    return [{ ...ends, length_m, size, minor: runs[at]?.minor ?? 0, coordinates, isExisting: line !== null }];
  });
  const heads_m = sources.map(({ elevation_m, pressure_m }, source) =>
    pump === null ? elevation_m + (pressure_m ?? neededHead_m(pipes, sized, source)) : elevation_m,
  );
  const roughness = friction === 'hazen_williams' ? smoothness : roughness_mm;
  const nodes = [...starts, ...endNodes(pipes, sized)];
  return { sources: sources.length, nodes, pipes: water, groups, friction, roughness, heads_m, pump };
}

function endNodes(pipes: readonly PlannedPipe[], { task, chosen }: Sized): WaterNode[] {
  const heights = heightsOf(pipes, task);
  const sizes = pipeSizes(task.series);
  return pipes.map(({ station, source, coordinates }, at): WaterNode => {
    const demand = station === null ? undefined : task.demands[station];
    const elevation_m = heights[at] ?? task.sources[source]?.elevation_m ?? 0;
    const node = { station, elevation_m, at: coordinates.at(-1) ?? [0, 0] };
    if (demand === undefined || demand.flow_m3_s === 0) return { ...node, demand: null };
    const { flow_m3_s, group } = demand;
    const fits = sizes.find(({ inner_mm }) => velocity_m_s({ inner_mm, flow_m3_s }) <= task.most_velocity_m_s);
    return { ...node, demand: { flow_m3_s, group }, outlet_mm: (fits ?? chosen[at])?.diameter_mm ?? 0 };
  });
}

/** Junctions have the height of the nearest station behind them. */
function heightsOf(pipes: readonly PlannedPipe[], { demands }: HydraulicTask): (number | undefined)[] {
  const heights = pipes.map(({ station }) => (station === null ? undefined : demands[station]?.elevation_m));
  for (let at = pipes.length - 1; at >= 0; at -= 1) {
    const parent = pipes[at]?.parent;
    if (parent != null) heights[parent] ??= heights[at];
  }
  return heights;
}

/** The head at a source with which every station that it feeds has its pressure, m. */
function neededHead_m(pipes: readonly PlannedPipe[], { task, runs, chosen }: Sized, from: number): number {
  let most = 0;
  for (const [at, { station, source }] of pipes.entries()) {
    const demand = station === null ? undefined : task.demands[station];
    if (demand === undefined || demand.flow_m3_s === 0 || source !== from) continue;
    let needed = demand.needed_m + demand.elevation_m - (task.sources[from]?.elevation_m ?? 0);
    for (let up: number | null = at; up !== null; up = pipes[up]?.parent ?? null) {
      const [run, size] = [runs[up], chosen[up]];
      if (run && size)
        needed += headLoss_m(task.friction, {
          ...run,
          inner_mm: size.inner_mm,
          flow_m3_s: run.flows_m3_s[demand.group] ?? 0,
        });
    }
    most = Math.max(most, needed);
  }
  return most;
}
