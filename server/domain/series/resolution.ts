import { rollupLevels, rollupWidthMs } from './rollup.ts';

/** What a query reads: original samples, or rollups of a minute, a quarter of an hour or a UTC day. */
export const resolutions = ['raw', ...rollupLevels] as const;
export type Resolution = (typeof resolutions)[number];

/** Width of one row, ms; 0 for a sample. */
export const rowWidthMs: Readonly<Record<Resolution, number>> = { raw: 0, ...rollupWidthMs };

/** A span of time from `from_ms` to before `to_ms`, epoch ms. */
export interface Span {
  from_ms: number;
  to_ms: number;
}

/**
 * The minimum rows for each column of the chart. Fewer lose shape that the screen can show; more lengthen the longest
 * read of the finer resolution in proportion: at 0.4, 500 columns are never read from more than 19,200 quarters of an
 * hour.
 */
const leastRowsAColumn = 0.4;

/**
 * The coarsest resolution that still has detail for a chart of this many columns: 200 days in 500 columns are read from
 * days.
 */
export function resolutionFor({ from_ms, to_ms }: Span, columns: number): Resolution {
  const enough = resolutions.findLast((name) => (to_ms - from_ms) / rowWidthMs[name] >= columns * leastRowsAColumn);
  return enough ?? 'raw';
}

/** The coarsest one whose rows begin and end exactly with the span. */
export function resolutionWithin({ from_ms, to_ms }: Span): Resolution {
  const whole = resolutions.findLast((name) => from_ms % rowWidthMs[name] === 0 && to_ms % rowWidthMs[name] === 0);
  return whole ?? 'raw';
}

/** The span widened to whole rows: a rollup cannot be divided. */
export function wholeRows({ from_ms, to_ms }: Span, resolution: Resolution): Span {
  const width = rowWidthMs[resolution];
  if (width === 0) return { from_ms, to_ms };
  return { from_ms: Math.floor(from_ms / width) * width, to_ms: Math.ceil(to_ms / width) * width };
}
