import {
  mostPipeGroups,
  type DripZone,
  type HydraulicsRequest,
  type PipeSeries,
} from '../../../server/contract/pipe-hydraulics.ts';
import type { NumberField } from './pipe-numbers.ts';

/** An area that gets drip lines, and its valve. */
export interface ZoneDraft {
  zone_id: string;
  device_id: string;
  /** Of the lines, clockwise from north; along the area when empty. */
  angle_deg?: number | null;
}

/** How devices are opened: with groups, each device names its own. */
export const turnKinds = ['one_by_one', 'groups', 'together'] as const;

/** What differs at one device. */
export interface OwnDraft {
  group?: number | null;
  elevation_m?: number | null;
  flow_l_h?: number | null;
}

/** The form's values: numbers are null while empty. */
export interface SizeDraft {
  isWanted: boolean;
  series: PipeSeries;
  flow_l_h: number | null;
  pressure_bar: number | null;
  most_velocity_m_s: number | null;
  /** Empty: what a pump has to deliver is worked out. */
  source_bar: number | null;
  /** Of the pump at the source; rows that are empty do not count. */
  pump: { flow_m3_h: number | null; head_m: number | null }[];
  turns: (typeof turnKinds)[number];
  /** By the device, where it differs from the others. */
  own: Readonly<Record<string, OwnDraft>>;
  zones: ZoneDraft[];
  /** Of all drip lines. */
  spacing_m: number | null;
  emitter_spacing_m: number | null;
  emitter_l_h: number | null;
  line_mm: number | null;
  uniformity_pct: number | null;
  wetted_m: number | null;
}

type SizeNumber = NumberField<
  { [Key in keyof SizeDraft]: SizeDraft[Key] extends number | null ? Key : never }[keyof SizeDraft]
>;
export const demandNumbers: readonly SizeNumber[] = [
  { key: 'flow_l_h', label: 'pipes.flow', unit: 'l/h' },
  { key: 'pressure_bar', label: 'pipes.pressure', unit: 'bar' },
  { key: 'most_velocity_m_s', label: 'pipes.mostVelocity', unit: 'm/s' },
];
export const sourceNumber: SizeNumber = {
  key: 'source_bar',
  label: 'pipes.sourcePressure',
  unit: 'bar',
  hint: 'pipes.sourcePressureHint',
};
/** Of all drip lines. */
export const dripNumbers: readonly SizeNumber[] = [
  { key: 'spacing_m', label: 'pipes.lineSpacing', unit: 'm' },
  { key: 'emitter_spacing_m', label: 'pipes.emitterSpacing', unit: 'm' },
  { key: 'emitter_l_h', label: 'pipes.emitterFlow', unit: 'l/h', hint: 'pipes.emitterFlowHint' },
  { key: 'line_mm', label: 'pipes.lineInner', unit: 'mm' },
  { key: 'wetted_m', label: 'pipes.wetted', unit: 'm', hint: 'pipes.wettedHint' },
  { key: 'uniformity_pct', label: 'pipes.uniformity', unit: '%', hint: 'pipes.uniformityHint' },
];

export function newSizeDraft(): SizeDraft {
  return {
    isWanted: false,
    series: 'pe100_sdr17',
    flow_l_h: 1000,
    pressure_bar: 1.5,
    most_velocity_m_s: 1.5,
    source_bar: null,
    turns: 'one_by_one', // as a house waters
    pump: [],
    own: {},
    zones: [],
    spacing_m: 1,
    emitter_spacing_m: 0.3,
    emitter_l_h: 1.6,
    line_mm: 13.8,
    uniformity_pct: 90,
    wetted_m: null,
  };
}

/** Undefined where no sizes are wanted, null where the form is not complete. */
export function hydraulicsOf(
  draft: SizeDraft,
  device_ids: readonly string[],
  sources: readonly string[] = [],
): HydraulicsRequest | undefined | null {
  if (!draft.isWanted) return undefined;
  const { series, flow_l_h, pressure_bar, most_velocity_m_s, source_bar } = draft;
  if (flow_l_h === null || pressure_bar === null || flow_l_h <= 0 || pressure_bar < 0) return null;
  const zones = zonesOf(draft, device_ids);
  const curve = draft.pump.flatMap(({ flow_m3_h, head_m }) =>
    flow_m3_h === null || head_m === null ? [] : { flow_m3_h, head_m },
  );
  if (zones === null || curve.length === 1) return null;
  const devices = [...sources, ...device_ids].flatMap((device_id) => ownOf(draft, device_id));
  const groups = groupsOf(draft, device_ids);
  if (groups !== undefined && groups.length > mostPipeGroups) return null;
  return {
    series,
    flow_l_h,
    pressure_bar,
    ...(most_velocity_m_s !== null && { most_velocity_m_s }),
    ...(curve.length === 0 && source_bar !== null && { source_pressure_bar: source_bar }),
    ...(curve.length > 0 && { pump_curve: curve }),
    ...(devices.length > 0 && { devices }),
    ...(zones.length > 0 && { zones }),
    ...(groups !== undefined && { groups }),
  };
}

function ownOf({ own }: SizeDraft, device_id: string): NonNullable<HydraulicsRequest['devices']> {
  const { elevation_m = null, flow_l_h = null } = own[device_id] ?? {};
  if (elevation_m === null && flow_l_h === null) return [];
  return [{ device_id, ...(elevation_m !== null && { elevation_m }), ...(flow_l_h !== null && { flow_l_h }) }];
}

/** Devices without a number are in the first group. */
export function groupsOf({ turns, own }: SizeDraft, device_ids: readonly string[]): string[][] | undefined {
  if (turns === 'together') return undefined;
  if (turns === 'one_by_one') return device_ids.map((id) => [id]);
  const groups = Map.groupBy(device_ids, (id) => own[id]?.group ?? 1);
  return [...groups].toSorted(([one], [other]) => one - other).map(([, ids]) => ids);
}

/** null when the form is incomplete; zones whose valve is not supplied are left out. */
function zonesOf(draft: SizeDraft, device_ids: readonly string[]): DripZone[] | null {
  const { spacing_m, emitter_spacing_m, emitter_l_h, line_mm, uniformity_pct } = draft;
  const fed = draft.zones.filter(({ device_id }) => device_ids.includes(device_id));
  if (fed.length === 0) return [];
  if (spacing_m === null || emitter_spacing_m === null || emitter_l_h === null) return null;
  return fed.map(({ angle_deg = null, ...zone }) => ({
    ...zone,
    spacing_m,
    emitter_spacing_m,
    emitter_flow_l_h: emitter_l_h,
    ...(angle_deg !== null && { angle_deg }),
    ...(line_mm !== null && { inner_mm: line_mm }),
    ...(uniformity_pct !== null && { least_uniformity_pct: uniformity_pct }),
    ...(draft.wetted_m !== null && { wetted_radius_m: draft.wetted_m }),
  }));
}
