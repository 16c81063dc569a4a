import type { DripZone, HydraulicsRequest, PipeSeries } from '../../../server/contract/pipe-hydraulics.ts';

/** An area that gets drip lines, and its valve. */
export interface ZoneDraft {
  zone_id: string;
  device_id: string;
}

/** What the form asks for: numbers are null while they are empty. */
export interface SizeDraft {
  isWanted: boolean;
  series: PipeSeries;
  flow_l_h: number | null;
  pressure_bar: number | null;
  /** Empty: what a pump has to deliver is worked out. */
  source_bar: number | null;
  turns: 'together' | 'one_by_one';
  zones: ZoneDraft[];
  /** Of all drip lines. */
  spacing_m: number | null;
  emitter_spacing_m: number | null;
  emitter_l_h: number | null;
  line_mm: number | null;
  uniformity_pct: number | null;
}

export function newSizeDraft(): SizeDraft {
  return {
    isWanted: false,
    series: 'pe100_sdr17',
    flow_l_h: 1000,
    pressure_bar: 1.5,
    source_bar: null,
    turns: 'together',
    zones: [],
    spacing_m: 1,
    emitter_spacing_m: 0.3,
    emitter_l_h: 1.6,
    line_mm: 13.8,
    uniformity_pct: 90,
  };
}

/** Undefined where no sizes are wanted, null where the form is not complete. */
export function hydraulicsOf(draft: SizeDraft, device_ids: readonly string[]): HydraulicsRequest | undefined | null {
  if (!draft.isWanted) return undefined;
  const { series, flow_l_h, pressure_bar, source_bar, turns } = draft;
  if (flow_l_h === null || pressure_bar === null || flow_l_h <= 0 || pressure_bar < 0) return null;
  const zones = zonesOf(draft, device_ids);
  if (zones === null) return null;
  return {
    ...{ series, flow_l_h, pressure_bar },
    ...(source_bar !== null && { source_pressure_bar: source_bar }),
    ...(zones.length > 0 && { zones }),
    ...(turns === 'one_by_one' && { groups: device_ids.map((id) => [id]) }),
  };
}

/** Null where the form is not complete; zones whose valve is not fed are left out. */
function zonesOf(draft: SizeDraft, device_ids: readonly string[]): DripZone[] | null {
  const { spacing_m, emitter_spacing_m, emitter_l_h, line_mm, uniformity_pct } = draft;
  const fed = draft.zones.filter(({ device_id }) => device_ids.includes(device_id));
  if (fed.length === 0) return [];
  if (spacing_m === null || emitter_spacing_m === null || emitter_l_h === null) return null;
  return fed.map((zone) => ({
    ...{ ...zone, spacing_m, emitter_spacing_m, emitter_flow_l_h: emitter_l_h },
    ...(line_mm !== null && { inner_mm: line_mm }),
    ...(uniformity_pct !== null && { least_uniformity_pct: uniformity_pct }),
  }));
}
