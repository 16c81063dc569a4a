import type { Span } from '../../chart/night.ts';

export const presets = [
  { name: 'hour', past_s: 3_600 },
  { name: 'sixHours', past_s: 6 * 3_600 },
  { name: 'day', past_s: 86_400 },
  { name: 'week', past_s: 7 * 86_400 },
  { name: 'month', past_s: 30 * 86_400 },
  { name: 'year', past_s: 365 * 86_400 },
  { name: 'tenYears', past_s: 3_652 * 86_400 },
] as const;

/** Earlier times that a span is laid beside. */
export const comparisons = [
  { name: 'day', before_ms: 86_400_000 },
  { name: 'week', before_ms: 7 * 86_400_000 },
  { name: 'year', before_ms: 365 * 86_400_000 },
] as const;
export type Comparison = (typeof comparisons)[number];

const shortest_ms = 60_000;
const longest_ms = 11 * 365 * 86_400_000;
/** How much of the span may lie in the future, where the line of now then stands. */
const ahead = 0.05;

export function pastSpan(past_s: number, now_ms: number): Span {
  return { from_ms: now_ms - past_s * 1000, to_ms: now_ms };
}

/** A span that can be asked for: a minute to eleven years, hardly into the future, at whole ms. */
export function settled({ from_ms, to_ms }: Span, now_ms: number): Span {
  const length = Math.min(longest_ms, Math.max(shortest_ms, to_ms - from_ms));
  const middle = (from_ms + to_ms) / 2;
  const end = Math.min(middle + length / 2, now_ms + ahead * length);
  return { from_ms: Math.round(end - length), to_ms: Math.round(end) };
}

/** Whether a span ends now, so that it goes on with the time. */
export function followsNow({ from_ms, to_ms }: Span, now_ms: number): boolean {
  return to_ms >= now_ms - (to_ms - from_ms) * 0.01;
}

/** `from` and `to` of an address, epoch ms; null where they say nothing of use. */
export function spanOfQuery(query: Record<string, unknown>): Span | null {
  const [from_ms, to_ms] = [Number(query['from']), Number(query['to'])];
  return from_ms > 0 && to_ms > from_ms ? { from_ms, to_ms } : null;
}
