import type { HydraulicsRequest, PipeSeries } from '../../../server/contract/pipe-hydraulics.ts';

/** What the form asks for: numbers are null while they are empty. */
export interface SizeDraft {
  isWanted: boolean;
  series: PipeSeries;
  flow_l_h: number | null;
  pressure_bar: number | null;
  /** Empty: what a pump has to deliver is worked out. */
  source_bar: number | null;
  turns: 'together' | 'one_by_one';
}

export function newSizeDraft(): SizeDraft {
  return {
    isWanted: false,
    series: 'pe100_sdr17',
    flow_l_h: 1000,
    pressure_bar: 1.5,
    source_bar: null,
    turns: 'together',
  };
}

/** Undefined where no sizes are wanted, null where the form is not complete. */
export function hydraulicsOf(draft: SizeDraft, device_ids: readonly string[]): HydraulicsRequest | undefined | null {
  if (!draft.isWanted) return undefined;
  const { series, flow_l_h, pressure_bar, source_bar, turns } = draft;
  if (flow_l_h === null || pressure_bar === null || flow_l_h <= 0 || pressure_bar < 0) return null;
  return {
    ...{ series, flow_l_h, pressure_bar },
    ...(source_bar !== null && { source_pressure_bar: source_bar }),
    ...(turns === 'one_by_one' && { groups: device_ids.map((id) => [id]) }),
  };
}
