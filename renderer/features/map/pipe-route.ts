import type { PipeRequest } from '../../../server/contract/pipe.ts';
import type { NumberField } from './pipe-numbers.ts';

/** Between which devices pipes are laid, and how. Numbers are null while they are empty. */
export interface RouteDraft {
  /** Devices that water comes from. */
  sources: string[];
  /** Devices that water goes to; sources among them do not count. */
  chosen: string[];
  isOrthogonal: boolean;
  /** One of the two directions, clockwise from north; null: along the largest house. */
  axis_deg: number | null;
  /** From houses. */
  clearance_m: number | null;
  /** Pipe bought beyond its length. */
  waste_pct: number | null;
}

type RouteNumber = NumberField<'axis_deg' | 'clearance_m' | 'waste_pct'>;
/** Where pipes run along two directions. */
export const axisNumber: RouteNumber = { key: 'axis_deg', label: 'pipes.axis', unit: 'deg', hint: 'pipes.axisHint' };
export const routeNumbers: readonly RouteNumber[] = [
  { key: 'clearance_m', label: 'pipes.clearance', unit: 'm', hint: 'pipes.clearanceHint' },
  { key: 'waste_pct', label: 'pipes.waste', unit: '%' },
];

/** Water goes from the first output to all others. */
export function newRouteDraft(outputs: readonly string[], other: string | undefined): RouteDraft {
  return {
    sources: [outputs[0] ?? other ?? []].flat(),
    chosen: [...outputs],
    isOrthogonal: true,
    axis_deg: null,
    clearance_m: 0.5,
    waste_pct: 5,
  };
}

/** In the form of the request. */
export function routeOptions({
  isOrthogonal,
  axis_deg,
  clearance_m,
  waste_pct,
}: RouteDraft): NonNullable<PipeRequest['options']> {
  return {
    orthogonal: isOrthogonal,
    ...(isOrthogonal && axis_deg !== null && { axis_deg }),
    ...(clearance_m !== null && { clearance_m }),
    ...(waste_pct !== null && { waste_pct }),
  };
}
