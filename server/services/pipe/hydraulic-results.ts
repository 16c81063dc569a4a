import type { Hydraulics, PipeFigures, SolveWarning } from '../../contract/pipe-hydraulics.ts';
import { pipeSeriesData, pipeSizes } from '../../domain/pipes/catalogue.ts';
import { head_m_per_bar, m3_s_per_l_h } from '../../domain/pipes/head-loss.ts';
import type { HydraulicTask, WaterNetwork, WaterPipe } from '../../domain/pipes/network.ts';
import type { MapZone, PlannedZone } from '../../domain/pipes/plan-zone.ts';
import type { Station } from '../../domain/pipes/plan.ts';
import type { HourResult } from './hour-result.ts';

/** EPANET's results for each group of devices, one hour each. */
export interface SolvedHours {
  network: WaterNetwork;
  hours: readonly HourResult[];
  /** EPANET's warnings about them. */
  warnings: SolveWarning[];
  inp: string;
  engine: string;
  zones: readonly PlannedZone[];
}

/** What was requested. */
interface Asked {
  stations: readonly Station[];
  zones: readonly MapZone[];
  hydraulics: HydraulicTask;
}

/** Less than this counts as no flow, m3/h. */
const still_m3_h = 1e-6;

/** The results of the network, and the figures for the feature of each of its pipes. */
export function resultsOf(
  solved: SolvedHours,
  { stations, zones: asked, hydraulics: task }: Asked,
): { hydraulics: Hydraulics; figures: PipeFigures[] } {
  const { network, hours, engine, inp, warnings, zones } = solved;
  const { series, friction, prices } = task;
  const { standard, nominal_bar } = pipeSeriesData[series];
  const devices = devicesOf(solved, stations, task);
  const groups = groupsOf(solved, devices, task);
  const sources = sourcesOf(solved, stations, task);
  const figures = network.pipes.map((pipe, at) => figuresOf(hours, pipe, `P${at + 1}`));
  const highest_bar = network.pipes.map(({ to }) => Math.max(...pressuresAt(hours, to)));
  const isFast = ({ velocity_m_s }: PipeFigures): boolean => velocity_m_s > task.most_velocity_m_s + 1e-6;
  const isPriced = pipeSizes(series).every(({ diameter_mm }) => prices.some(([one]) => one === diameter_mm));
  const hydraulics: Hydraulics = {
    engine,
    standard,
    friction,
    series,
    inp,
    warnings,
    groups,
    sources,
    sized_by: isPriced ? 'price' : 'weight',
    duty: dutyOf(groups, sources),
    devices: devices.map(({ group: _, ...device }) => device),
    zones: zones.map((zone) => zoneOf(zone, stations, asked)),
    most_velocity_m_s: Math.max(0, ...figures.map(({ velocity_m_s }) => velocity_m_s)),
    velocity_warnings: figures.filter((one, at) => network.pipes[at]?.isExisting === true && isFast(one)).length,
    pressure_warnings: highest_bar.filter((bar) => bar > nominal_bar).length,
  };
  return { hydraulics, figures };
}

type OpenDevice = Hydraulics['devices'][number] & { group: number };

/** In the hour when each is open. */
function devicesOf(
  { network, hours, zones }: SolvedHours,
  stations: readonly Station[],
  { demands }: HydraulicTask,
): OpenDevice[] {
  return network.nodes.flatMap(({ station, demand }, node) => {
    if (station === null || demand === null) return [];
    const { group, flow_m3_s } = demand;
    const watered = zones.filter((zone) => zone.station === station).map(({ needed_m }) => needed_m);
    const needed_m = watered.length > 0 ? Math.max(...watered) : (demands[station]?.needed_m ?? 0);
    const pressure_m = hours[group]?.nodes.get(`N${node}`)?.pressure_m ?? 0;
    return (stations[station]?.device_ids ?? []).map((device_id, _, all) => ({
      device_id,
      group,
      pressure_bar: pressure_m / head_m_per_bar,
      needed_bar: needed_m / head_m_per_bar,
      flow_l_h: flow_m3_s / m3_s_per_l_h / all.length,
    }));
  });
}

function groupsOf({ hours }: SolvedHours, devices: readonly OpenDevice[], task: HydraulicTask): Hydraulics['groups'] {
  const open = Map.groupBy(devices, ({ group }) => group);
  return hours.map((hour, group) => {
    const own = open.get(group) ?? [];
    return {
      device_ids: own.map(({ device_id }) => device_id),
      flow_m3_h: own.reduce((sum, { flow_l_h }) => sum + flow_l_h / 1000, 0),
      source_pressure_bar: Math.max(...task.sources.map((_, source) => sourcePressure_bar(hour, source, task))),
    };
  });
}

function sourcesOf(
  { network, hours }: SolvedHours,
  stations: readonly Station[],
  task: HydraulicTask,
): Hydraulics['sources'] {
  return task.sources.map((_, source) => {
    const runs = hours.map((hour) => ({
      flow_m3_h: outflow_m3_h(network, hour, source),
      bar: sourcePressure_bar(hour, source, task),
    }));
    return {
      device_id: stations[source]?.device_ids[0] ?? '',
      flow_m3_h: Math.max(0, ...runs.map(({ flow_m3_h }) => flow_m3_h)),
      pressure_bar: Math.max(...runs.map(({ bar }) => bar)),
      head_m: neededHead_m(runs, task),
    };
  });
}

function sourcePressure_bar({ nodes }: HourResult, source: number, { sources }: HydraulicTask): number {
  return ((nodes.get(`N${source}`)?.head_m ?? 0) - (sources[source]?.elevation_m ?? 0)) / head_m_per_bar;
}

function outflow_m3_h({ pipes }: WaterNetwork, { links }: HourResult, source: number): number {
  return pipes.reduce(
    (sum, { from }, pipe) => sum + (from === source ? Math.abs(links.get(`P${pipe + 1}`)?.flow ?? 0) : 0),
    0,
  );
}

/**
 * Head that a source needs for its most demanding group; for a pump, which yields less at higher flow, in its busiest
 * hour.
 */
function neededHead_m(runs: readonly { flow_m3_h: number; bar: number }[], { pump }: HydraulicTask): number {
  const busy = runs.filter(({ flow_m3_h }) => flow_m3_h > still_m3_h);
  const bars = (busy.length > 0 ? busy : runs).map(({ bar }) => bar);
  return Math.max(0, (pump === null ? Math.max : Math.min)(...bars) * head_m_per_bar);
}

function dutyOf(groups: Hydraulics['groups'], sources: Hydraulics['sources']): Hydraulics['duty'] {
  const [only, another] = sources;
  if (only === undefined || another !== undefined) return null;
  return { flow_m3_h: Math.max(0, ...groups.map(({ flow_m3_h }) => flow_m3_h)), head_m: only.head_m };
}

function zoneOf(
  zone: PlannedZone,
  stations: readonly Station[],
  asked: readonly MapZone[],
): Hydraulics['zones'][number] {
  const { radius_m = 0, angle_deg = 0 } = asked.find(({ zone_id }) => zone_id === zone.zone_id) ?? {};
  const { zone_id, emitters, flow_m3_h, inlet_bar, uniformity_pct, least_l_h, most_l_h, application_mm_h } = zone;
  return {
    zone_id,
    emitters,
    flow_m3_h,
    inlet_bar,
    uniformity_pct,
    least_l_h,
    most_l_h,
    application_mm_h,
    device_id: stations[zone.station]?.device_ids[0] ?? '',
    lines: zone.laterals.length,
    line_m: zone.lateral_m,
    header_mm: zone.header.diameter_mm,
    overlap: zone.overlap && { ...zone.overlap, radius_m, angle_deg },
  };
}

/** In the hour of its greatest flow. */
function figuresOf(hours: readonly HourResult[], { size, to }: WaterPipe, id: string): PipeFigures {
  const flowIn = ({ links }: HourResult): number => Math.abs(links.get(id)?.flow ?? 0);
  const flowing = hours.filter((hour) => flowIn(hour) > still_m3_h);
  const busiest = flowing.toSorted((one, other) => flowIn(other) - flowIn(one))[0]?.links.get(id);
  return {
    diameter_mm: size.diameter_mm,
    inner_mm: size.inner_mm,
    flow_m3_h: Math.abs(busiest?.flow ?? 0),
    velocity_m_s: Math.abs(busiest?.velocity_m_s ?? 0),
    head_loss_m: Math.abs(busiest?.head_loss_m ?? 0),
    pressure_bar: Math.min(...pressuresAt(flowing.length > 0 ? flowing : hours, to)),
  };
}

/** In each hour, bar. */
function pressuresAt(hours: readonly HourResult[], node: number): number[] {
  return hours.map(({ nodes }) => (nodes.get(`N${node}`)?.pressure_m ?? 0) / head_m_per_bar);
}
