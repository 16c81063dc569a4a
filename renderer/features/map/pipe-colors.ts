import type { ZoneOverlap } from '../../../server/contract/pipe-hydraulics.ts';
import type { PipeFeature } from '../../../server/contract/pipe.ts';
import { metresPerDegree } from '../../map/metric-step.ts';
import type { PreviewLine } from '../../map/preview-lines.ts';

/** Quantities that can colour pipes, with their display unit. */
export const pipeShades = {
  diameter_mm: 'mm',
  flow_m3_h: 'm3/h',
  velocity_m_s: 'm/s',
  head_loss_m: 'm',
  pressure_bar: 'bar',
} as const satisfies Partial<Record<keyof PipeFeature['properties'], string>>;
export type PipeShade = keyof typeof pipeShades;
export const pipeShadeNames = Object.keys(pipeShades) as PipeShade[]; // keys of a const object

/**
 * Cividis (Nunez, Anderton & Renslow 2018) without its darkest: seen alike by all eyes, and on a light and a dark map.
 */
const ramp = ['#31446b', '#666970', '#958f78', '#cbba69', '#ffea46'];

export interface ShadeBand {
  color: string;
  from: number;
  to: number;
}

/** Up to five bands of equal width over all values; one per value when there are few. */
export function shadeBands(all: readonly number[]): ShadeBand[] {
  const values = [...new Set(all.map(plain))].sort((a, b) => a - b);
  const [least, most] = [values[0], values.at(-1)];
  if (least === undefined || most === undefined) return [];
  if (values.length <= ramp.length) {
    return values.map((value, at) => ({ color: colorAt(at / Math.max(1, values.length - 1)), from: value, to: value }));
  }
  const width = (most - least) / ramp.length;
  return ramp.map((color, at) => ({
    color,
    from: least + at * width,
    to: at === ramp.length - 1 ? most : plain(least + (at + 1) * width),
  }));
}

/** As it is shown: what looks alike has one colour. */
function plain(value: number): number {
  return Number(value.toFixed(2));
}

/** The value of a quantity for sized pipes. */
export function shadeValues(pipes: readonly PipeFeature[], shade: PipeShade): number[] {
  return pipes.flatMap(({ properties }) => properties[shade] ?? []);
}

/** The colour of the band that a value is in. */
export function shadeOf(value: number, bands: readonly ShadeBand[]): string | undefined {
  return bands.find(({ to }) => plain(value) <= to)?.color;
}

/** Lines for drawing: mains wide, coloured by band if there are bands. */
export function previewOf(pipes: readonly PipeFeature[], shade: PipeShade | null): PreviewLine[] {
  const bands = shade === null ? [] : shadeBands(shadeValues(pipes, shade));
  return pipes.flatMap(({ geometry, properties }) => {
    if (geometry.type !== 'LineString') return [];
    const value = shade === null ? undefined : properties[shade];
    const color = value === undefined ? undefined : shadeOf(value, bands);
    return {
      positions: geometry.coordinates,
      isMain: properties.role === 'main' || properties.role === 'header',
      ...(properties.role === 'lateral' && { isFine: true }),
      ...(properties.reuses !== undefined && { isExisting: true }),
      ...(color !== undefined && { color }),
    };
  });
}

/** Squares of the zones in the colours of what falls on them, from none to the most of all. */
export function overlapAreas(overlaps: readonly ZoneOverlap[]): PreviewLine[] {
  const most = Math.max(0, ...overlaps.map(({ most_mm_h }) => most_mm_h));
  return overlaps.flatMap(({ cells, cell_m, angle_deg }) =>
    cells.map(([lng, lat, mm_h]) => ({
      positions: squareAt({ lng, lat }, cell_m, angle_deg),
      isMain: false,
      isArea: true,
      color: colorAt(most === 0 ? 0 : Math.min(1, mm_h / most)),
    })),
  );
}

/** The same colours as bands of equal width. */
export function overlapBands(overlaps: readonly ZoneOverlap[]): ShadeBand[] {
  const most = Math.max(0, ...overlaps.map(({ most_mm_h }) => most_mm_h));
  const step = most / (ramp.length - 1);
  return ramp.map((color, at) => ({
    color,
    from: Math.max(0, (at - 0.5) * step),
    to: Math.min(most, (at + 0.5) * step),
  }));
}

function squareAt({ lng, lat }: { lng: number; lat: number }, side_m: number, angle_deg: number): number[][] {
  const angle = (angle_deg * Math.PI) / 180;
  const half = side_m / 2;
  const { east_m, north_m } = metresPerDegree(lat);
  const corners = [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
  ] as const;
  return corners.map(([x, y]) => {
    const [east, north] = [x * Math.cos(angle) + y * Math.sin(angle), y * Math.cos(angle) - x * Math.sin(angle)];
    return [lng + east / east_m, lat + north / north_m];
  });
}

function colorAt(share: number): string {
  return ramp[Math.round(share * (ramp.length - 1))] ?? '#31446b';
}
