import type { PipeFeature } from '../../../server/contract/pipe.ts';
import type { PreviewLine } from '../../map/preview-lines.ts';

/** What pipes can be coloured by, with the unit that it is shown in. */
export const pipeShades = {
  diameter_mm: 'mm',
  flow_m3_h: 'm3/h',
  velocity_m_s: 'm/s',
  head_loss_m: 'm',
  pressure_bar: 'bar',
} as const satisfies Partial<Record<keyof PipeFeature['properties'], string>>;
export type PipeShade = keyof typeof pipeShades;

/** Cividis (Nunez, Anderton & Renslow 2018) without its darkest: seen alike by all eyes, and on a light and a dark map. */
const ramp = ['#31446b', '#666970', '#958f78', '#cbba69', '#ffea46'];

export interface ShadeBand {
  color: string;
  from: number;
  to: number;
}

/** Up to five bands of equal width over all pipes; one a value where there are so few. */
export function shadeBands(pipes: readonly PipeFeature[], shade: PipeShade): ShadeBand[] {
  const values = [...new Set(pipes.flatMap(({ properties }) => properties[shade] ?? []))].sort((a, b) => a - b);
  const [least, most] = [values[0], values.at(-1)];
  if (least === undefined || most === undefined) return [];
  if (values.length <= ramp.length) {
    return values.map((value, at) => ({ color: colorAt(at / Math.max(1, values.length - 1)), from: value, to: value }));
  }
  const width = (most - least) / ramp.length;
  return ramp.map((color, at) => ({
    color,
    from: least + at * width,
    to: at === ramp.length - 1 ? most : least + (at + 1) * width,
  }));
}

/** Lines as they are drawn: mains wide, in the colours of the bands where there are some. */
export function previewOf(pipes: readonly PipeFeature[], shade: PipeShade | null): PreviewLine[] {
  const bands = shade === null ? [] : shadeBands(pipes, shade);
  return pipes.flatMap(({ geometry, properties }) => {
    if (geometry.type !== 'LineString') return [];
    const value = shade === null ? undefined : properties[shade];
    const color = value === undefined ? undefined : bands.find(({ to }) => value <= to)?.color;
    return {
      positions: geometry.coordinates,
      isMain: properties.role === 'main' || properties.role === 'header',
      ...(color !== undefined && { color }),
    };
  });
}

function colorAt(share: number): string {
  return ramp[Math.round(share * (ramp.length - 1))] ?? '#31446b';
}
