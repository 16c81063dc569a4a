import type { TraceScale } from '../../contract/commissioning-trace.ts';
import type { Evidence } from '../../contract/commissioning.ts';
import { escaped, type ReportLanguage } from './report-language.ts';

const [width, height] = [600, 100];

/**
 * The readings of a trial on the scale of their unit, with a line where the command was given and one where it was
 * taken back.
 */
export function traceDrawing(evidence: Evidence, scale: TraceScale | null, { way }: ReportLanguage): string {
  const { trace, driven_at, restored_at, unit } = evidence;
  const [first = 0, last = 0] = [trace.times[0], trace.times.at(-1)];
  if (scale === null || last <= first) return '';
  const x = (time: number): string => ((width * (time - first)) / (last - first)).toFixed(1);
  const y = (value: number): string => ((height * (scale.high - value)) / (scale.high - scale.low)).toFixed(1);
  const points = trace.times.flatMap((time, index) => {
    const value = trace.values[index];
    return value == null ? [] : [`${x(time)},${y(value)}`];
  });
  const marks = [driven_at, restored_at].flatMap((at) => {
    const time = at === null ? NaN : Date.parse(at);
    return time >= first && time <= last
      ? [`<path d="M${x(time)} 0V${height}" stroke="#777" stroke-dasharray="4 3" vector-effect="non-scaling-stroke"/>`]
      : [];
  });
  const ends = [scale.high, scale.low].map((end) => `<span>${escaped(way.figure(end, { unit }))}</span>`).join('');
  const frame = `<path d="M0 0H${width}M0 ${height}H${width}" stroke="#ccc" vector-effect="non-scaling-stroke"/>`;
  const line = `<polyline fill="none" stroke="#111" stroke-width="1.2" vector-effect="non-scaling-stroke" points="${points.join(' ')}"/>`;
  return `<div class="trace"><svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img">${frame}${line}${marks.join('')}</svg><span>${ends}</span></div>`;
}
