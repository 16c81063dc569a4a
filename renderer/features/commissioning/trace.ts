import type { TraceScale } from '../../../server/contract/commissioning-trace.ts';
import type { Evidence } from '../../../server/contract/commissioning.ts';

export interface TraceDrawing {
  /** SVG path of the readings. */
  path: string;
  /** Upper and lower edge of the band in which a change does not count, in px from above; null without a baseline. */
  band: { top: number; height: number } | null;
  /** Where the command was given, px from the left; null where it was not or lies outside. */
  driven: number | null;
}

interface Size {
  width: number;
  height: number;
}

/** What a trace looks like in a frame on a scale; null where there is nothing to draw. */
export function traceDrawing(
  evidence: Evidence,
  { low, high }: TraceScale,
  { width, height }: Size,
): TraceDrawing | null {
  const { trace, baseline, threshold, driven_at } = evidence;
  const points = trace.times.flatMap((time, index) => {
    const value = trace.values[index];
    return value == null ? [] : [{ time, value }];
  });
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || last.time <= first.time || width <= 0) return null;
  const edges = baseline === null || threshold === null ? [] : [baseline - threshold, baseline + threshold];
  const x = (time: number): number => (width * (time - first.time)) / (last.time - first.time);
  const y = (value: number): number => 2 + ((height - 4) * (high - value)) / (high - low);
  const [lower, upper] = edges;
  const drivenMs = driven_at === null ? NaN : Date.parse(driven_at);
  return {
    path: points
      .map(({ time, value }, index) => `${index === 0 ? 'M' : 'L'}${x(time).toFixed(1)} ${y(value).toFixed(1)}`)
      .join(''),
    band: lower === undefined || upper === undefined ? null : { top: y(upper), height: y(lower) - y(upper) },
    driven: drivenMs >= first.time && drivenMs <= last.time ? x(drivenMs) : null,
  };
}
