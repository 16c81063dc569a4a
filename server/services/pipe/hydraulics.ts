import type { Hydraulics, HydraulicsRequest, PipeSeries } from '../../contract/pipe-hydraulics.ts';
import type { PipeRequest } from '../../contract/pipe.ts';
import { pipeSeriesData, pipeSizes } from '../../domain/pipes/catalogue.ts';
import { head_m_per_bar } from '../../domain/pipes/head-loss.ts';
import { existingSize, type HydraulicTask } from '../../domain/pipes/network.ts';
import type { MapZone, PlannedZone } from '../../domain/pipes/plan-zone.ts';
import type { PlanTask, Station } from '../../domain/pipes/plan.ts';
import { refuseField } from '../../contract/errors.ts';
import type { HourResult } from './hour-result.ts';
import type { LaidTask, SolvedNetwork } from './pipe-tasks.ts';

const defaults = { series: 'pe100_sdr17', friction: 'hazen_williams', most_velocity_m_s: 1.5 } as const;
const m3_s_per_l_h = 1 / 3.6e6;

/** What the request asks of the pipes, station by station. Refuses devices and groups that do not fit the plan, and pipes to reuse whose size is not known. */
export function hydraulicTask(
  request: PipeRequest,
  { stations, sources: sourceCount = 1, lines = [] }: PlanTask,
  pricesOf: (series: PipeSeries) => HydraulicTask['prices'],
): HydraulicTask | null {
  const wanted = request.hydraulics;
  if (wanted === undefined) return null;
  refuseStrangers(wanted, [...request.device_ids, ...sourceIds(request)]);
  refuseCurve(wanted);
  const groups = groupsOf(wanted, request);
  const { series = defaults.series, friction = defaults.friction, elevation_m = 0 } = wanted;
  refuseUnsized(lines, series);
  const own = new Map(wanted.devices?.map((device) => [device.device_id, device]));
  const demands = stations.map(({ device_ids }, at) => {
    const devices = at < sourceCount ? [] : device_ids.map((id) => own.get(id) ?? { device_id: id });
    const flow_l_h = devices.reduce((sum, device) => sum + (device.flow_l_h ?? wanted.flow_l_h), 0);
    const needed_bar = Math.max(0, ...devices.map((device) => device.pressure_bar ?? wanted.pressure_bar));
    const height_m = devices.find((device) => device.elevation_m !== undefined)?.elevation_m ?? elevation_m;
    const group = groups.of.get(device_ids[0] ?? '') ?? 0;
    return { flow_m3_s: flow_l_h * m3_s_per_l_h, needed_m: needed_bar * head_m_per_bar, elevation_m: height_m, group };
  });
  const sources = stations.slice(0, sourceCount).map(({ device_ids: [id = ''] }) => {
    const bar = own.get(id)?.pressure_bar ?? wanted.source_pressure_bar;
    return {
      elevation_m: own.get(id)?.elevation_m ?? elevation_m,
      pressure_m: bar === undefined ? null : bar * head_m_per_bar,
    };
  });
  return {
    ...{ series, friction, prices: pricesOf(series), demands, sources, groups: groups.count },
    most_velocity_m_s: wanted.most_velocity_m_s ?? defaults.most_velocity_m_s,
    pump: wanted.pump_curve ?? null,
  };
}

/** Where the water comes from. */
export function sourceIds({ device_ids, source_device_id, source_device_ids }: PipeRequest): string[] {
  const [first] = device_ids;
  return [...new Set(source_device_ids ?? [source_device_id ?? first ?? ''])];
}

/** By the device: which group it is in. Those that no group names are the last one. */
function groupsOf({ groups = [] }: HydraulicsRequest, request: PipeRequest) {
  const of = new Map(groups.flatMap((ids, group) => ids.map((id) => [id, group] as const)));
  const sources = sourceIds(request);
  const others = request.device_ids.filter((id) => !sources.includes(id) && !of.has(id));
  for (const id of others) of.set(id, groups.length);
  return { of, count: groups.length + (others.length > 0 ? 1 : 0) };
}

function refuseStrangers({ devices = [], groups = [] }: HydraulicsRequest, device_ids: readonly string[]): void {
  const known = new Set(device_ids);
  for (const [at, { device_id }] of devices.entries()) {
    if (!known.has(device_id))
      throw refuseField('invalid_field', `hydraulics.devices[${at}].device_id`, 'is none of device_ids');
  }
  const seen = new Set<string>();
  for (const [at, id] of groups.entries()) {
    const wrong = id.find((one) => !known.has(one) || seen.has(one));
    if (wrong !== undefined)
      throw refuseField(
        'invalid_field',
        `hydraulics.groups[${at}]`,
        `names ${wrong}, which is none of device_ids or in two groups`,
      );
    for (const one of id) seen.add(one);
  }
}

/** Pipes that lie there come first among the lines. */
function refuseUnsized(lines: NonNullable<PlanTask['lines']>, series: PipeSeries): void {
  const sizes = pipeSizes(series);
  const at = lines.findIndex((line) => line.weight === 0 && existingSize(line, sizes) === undefined);
  if (at < 0) return;
  const message = `has no inner_mm, and no diameter_mm of ${series}: pressures cannot be worked out`;
  throw refuseField('invalid_field', `options.reuse[${at}]`, message);
}

function refuseCurve({ pump_curve = [], source_pressure_bar }: HydraulicsRequest): void {
  const isRising = pump_curve.some((point, at) => at > 0 && point.flow_m3_h <= (pump_curve[at - 1]?.flow_m3_h ?? 0));
  const isLifting = pump_curve.some((point, at) => at > 0 && point.head_m >= (pump_curve[at - 1]?.head_m ?? 0));
  const field = 'hydraulics.pump_curve';
  if (isRising || isLifting) throw refuseField('invalid_field', field, 'must have rising flows and falling heads');
  if (pump_curve.length > 0 && source_pressure_bar !== undefined)
    throw refuseField('invalid_field', field, 'comes without source_pressure_bar');
}

/** What came out of the network, for the answer. */
export function hydraulicsOf(
  { network, hours, warnings, inp, engine, zones }: SolvedNetwork,
  { stations, zones: asked }: LaidTask,
  task: HydraulicTask,
): Hydraulics {
  const devices = network.nodes.flatMap(({ station, demand }, node) => {
    if (station === null || demand === null) return [];
    const pressure_bar = (hours[demand.group]?.nodes.get(`N${node}`)?.pressure_m ?? 0) / head_m_per_bar;
    const own = zones.filter((zone) => zone.station === station);
    const needed_m =
      own.length > 0 ? Math.max(...own.map((zone) => zone.needed_m)) : (task.demands[station]?.needed_m ?? 0);
    return (stations[station]?.device_ids ?? []).map((device_id, _, all) => ({
      ...{ device_id, pressure_bar, needed_bar: needed_m / head_m_per_bar, group: demand.group },
      flow_l_h: demand.flow_m3_s / m3_s_per_l_h / all.length,
    }));
  });
  const pressureAt = (hour: HourResult, source: number): number =>
    ((hour.nodes.get(`N${source}`)?.head_m ?? 0) - (task.sources[source]?.elevation_m ?? 0)) / head_m_per_bar;
  const groups = hours.map((hour, group) => {
    const open = devices.filter((device) => device.group === group);
    return {
      device_ids: open.map(({ device_id }) => device_id),
      flow_m3_h: open.reduce((sum, { flow_l_h }) => sum + flow_l_h / 1000, 0),
      source_pressure_bar: Math.max(...task.sources.map((_, source) => pressureAt(hour, source))),
    };
  });
  const sources = task.sources.map((_, source) => {
    const runs = hours.map((hour) => ({ flow_m3_h: outflow(network, hour, source), bar: pressureAt(hour, source) }));
    return {
      device_id: stations[source]?.device_ids[0] ?? '',
      flow_m3_h: Math.max(0, ...runs.map(({ flow_m3_h }) => flow_m3_h)),
      pressure_bar: Math.max(...runs.map(({ bar }) => bar)),
      head_m: neededOf(runs, task),
    };
  });
  const { standard, nominal_bar } = pipeSeriesData[task.series];
  const pipes = pipeResults({ network, hours });
  const isPriced = pipeSizes(task.series).every(({ diameter_mm }) => task.prices.some(([one]) => one === diameter_mm));
  return {
    ...{ engine, standard, inp, groups, sources, warnings },
    friction: task.friction,
    series: task.series,
    sized_by: isPriced ? 'price' : 'weight',
    duty: dutyOf(groups, sources),
    devices: devices.map(({ group: _, ...device }) => device),
    zones: zones.map((zone) => zoneOf(zone, stations, asked)),
    most_velocity_m_s: Math.max(0, ...pipes.map(({ shown }) => shown.velocity_m_s)),
    velocity_warnings: pipes.filter(
      ({ shown }, at) => network.pipes[at]?.isExisting === true && shown.velocity_m_s > task.most_velocity_m_s + 1e-6,
    ).length,
    pressure_warnings: pipes.filter(({ highest_bar }) => highest_bar > nominal_bar).length,
  };
}

/** What a source delivers in an hour, m3/h. */
function outflow({ pipes }: SolvedNetwork['network'], hour: HourResult, source: number): number {
  return pipes.reduce(
    (sum, { from }, at) => sum + (from === source ? Math.abs(hour.links.get(`P${at + 1}`)?.flow ?? 0) : 0),
    0,
  );
}

function zoneOf(
  zone: PlannedZone,
  stations: readonly Station[],
  asked: readonly MapZone[],
): Hydraulics['zones'][number] {
  const { radius_m = 0, angle_deg = 0 } = asked.find(({ zone_id }) => zone_id === zone.zone_id) ?? {};
  const { zone_id, emitters, flow_m3_h, inlet_bar, uniformity_pct, least_l_h, most_l_h, application_mm_h } = zone;
  return {
    ...{ zone_id, emitters, flow_m3_h, inlet_bar, uniformity_pct, least_l_h, most_l_h, application_mm_h },
    device_id: stations[zone.station]?.device_ids[0] ?? '',
    lines: zone.laterals.length,
    line_m: zone.lateral_m,
    header_mm: zone.header.diameter_mm,
    overlap: zone.overlap && { ...zone.overlap, radius_m, angle_deg },
  };
}

/** Head of a source for the group that needs most; of a pump, which gives less the more it delivers, in its busiest hour. */
function neededOf(runs: readonly { flow_m3_h: number; bar: number }[], { pump }: HydraulicTask): number {
  const busy = runs.filter(({ flow_m3_h }) => flow_m3_h > 1e-6);
  const bars = (busy.length > 0 ? busy : runs).map(({ bar }) => bar);
  return Math.max(0, (pump === null ? Math.max : Math.min)(...bars) * head_m_per_bar);
}

function dutyOf(groups: Hydraulics['groups'], sources: Hydraulics['sources']): Hydraulics['duty'] {
  const [only, another] = sources;
  if (only === undefined || another !== undefined) return null;
  return { flow_m3_h: Math.max(0, ...groups.map(({ flow_m3_h }) => flow_m3_h)), head_m: only.head_m };
}

/** By the pipe, in the hour when most runs through it. */
export function pipeResults({ network, hours }: Pick<SolvedNetwork, 'network' | 'hours'>) {
  return network.pipes.map(({ size, to }, at) => {
    const results = hours.map((hour) => ({
      link: hour.links.get(`P${at + 1}`),
      end: hour.nodes.get(`N${to}`)?.pressure_m ?? 0,
    }));
    const flowing = results.filter(({ link }) => Math.abs(link?.flow ?? 0) > 1e-6);
    const busiest = flowing.toSorted((one, other) => (other.link?.flow ?? 0) - (one.link?.flow ?? 0))[0]?.link;
    return {
      shown: {
        diameter_mm: size.diameter_mm,
        inner_mm: size.inner_mm,
        flow_m3_h: Math.abs(busiest?.flow ?? 0),
        velocity_m_s: Math.abs(busiest?.velocity_m_s ?? 0),
        head_loss_m: Math.abs(busiest?.head_loss_m ?? 0),
        pressure_bar: Math.min(...(flowing.length > 0 ? flowing : results).map(({ end }) => end)) / head_m_per_bar,
      },
      highest_bar: Math.max(...results.map(({ end }) => end)) / head_m_per_bar,
    };
  });
}
