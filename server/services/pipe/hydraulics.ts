import type { HydraulicsRequest, PipeSeries } from '../../contract/pipe-hydraulics.ts';
import type { PipeRequest } from '../../contract/pipe.ts';
import { pipeSizes } from '../../domain/pipes/catalogue.ts';
import { head_m_per_bar, m3_s_per_l_h } from '../../domain/pipes/head-loss.ts';
import { existingSize, type HydraulicTask } from '../../domain/pipes/network.ts';
import type { PlanTask } from '../../domain/pipes/plan.ts';
import { refuseField, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';

const defaults = { series: 'pe100_sdr17', friction: 'hazen_williams', most_velocity_m_s: 1.5 } as const;

/**
 * What the request asks of the pipes, station by station. Refuses devices and groups that do not fit the plan, and
 * existing pipes of unknown size.
 */
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
    series,
    friction,
    prices: pricesOf(series),
    demands,
    sources,
    groups: groups.count,
    most_velocity_m_s: wanted.most_velocity_m_s ?? defaults.most_velocity_m_s,
    pump: wanted.pump_curve ?? null,
  };
}

/** The devices that supply the water. */
export function sourceIds({ device_ids, source_device_id, source_device_ids }: PipeRequest): string[] {
  const [first] = device_ids;
  return [...new Set(source_device_ids ?? [source_device_id ?? first ?? ''])];
}

/** The group of each device. Those that no group names form the last one. */
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
      throw refusePlainly('invalid_field', `hydraulics.devices[${at}].device_id`, 'is none of device_ids');
  }
  const seen = new Set<string>();
  for (const [at, id] of groups.entries()) {
    const wrong = id.find((one) => !known.has(one) || seen.has(one));
    if (wrong !== undefined)
      throw refusePlainly(
        'invalid_field',
        `hydraulics.groups[${at}]`,
        `names ${wrong}, which is none of device_ids or in two groups`,
      );
    for (const one of id) seen.add(one);
  }
}

/** Existing pipes come first among the lines. */
function refuseUnsized(lines: NonNullable<PlanTask['lines']>, series: PipeSeries): void {
  const sizes = pipeSizes(series);
  const at = lines.findIndex((line) => line.weight === 0 && existingSize(line, sizes) === undefined);
  if (at < 0) return;
  throw refuseField('invalid_field', `options.reuse[${at}]`, why('line_without_size', { series }));
}

function refuseCurve({ pump_curve = [], source_pressure_bar }: HydraulicsRequest): void {
  const isRising = pump_curve.some((point, at) => at > 0 && point.flow_m3_h <= (pump_curve[at - 1]?.flow_m3_h ?? 0));
  const isLifting = pump_curve.some((point, at) => at > 0 && point.head_m >= (pump_curve[at - 1]?.head_m ?? 0));
  const field = 'hydraulics.pump_curve';
  if (isRising || isLifting) throw refuseField('invalid_field', field, why('curve_order'));
  if (pump_curve.length > 0 && source_pressure_bar !== undefined)
    throw refusePlainly('invalid_field', field, 'comes without source_pressure_bar');
}
