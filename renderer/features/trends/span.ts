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

/** How far back a page of trends reaches without another choice, s. */
export const usual_s = 86_400;

const shortestMs = 60_000;
const longestMs = 11 * 365 * 86_400_000;
/** The fraction of the span that may lie in the future, after the line marking now. */
const ahead = 0.05;

/** With the forecast, a span reaches as far ahead of now as back, up to this. */
const mostAheadMs = 2 * 86_400_000;
/** End of the forecast itself. */
const forecastEndMs = 4 * 86_400_000;

const aheadOf = (pastMs: number): number => Math.min(pastMs, mostAheadMs);

/** The span that ends now, or with the forecast after now. */
export function pastSpan(past_s: number, nowMs: number, hasForecast = false): Span {
  const pastMs = past_s * 1000;
  return { from_ms: nowMs - pastMs, to_ms: nowMs + (hasForecast ? aheadOf(pastMs) : 0) };
}

/** How far such a span reaches back, s. */
export function pastOf({ from_ms, to_ms }: Span, hasForecast: boolean): number {
  const length = to_ms - from_ms;
  return (hasForecast ? Math.max(length / 2, length - mostAheadMs) : length) / 1000;
}

/** A valid span: a minute to eleven years, barely into the future or up to the end of the forecast, in whole ms. */
export function settled({ from_ms, to_ms }: Span, nowMs: number, hasForecast = false): Span {
  const length = Math.min(longestMs, Math.max(shortestMs, to_ms - from_ms));
  const middle = (from_ms + to_ms) / 2;
  const last = nowMs + (hasForecast ? Math.max(forecastEndMs, ahead * length) : ahead * length);
  const end = Math.min(middle + length / 2, last);
  return { from_ms: Math.round(end - length), to_ms: Math.round(end) };
}

/** Whether a span ends now, or at the end of its forecast, so that it moves with time. */
export function followsNow(span: Span, nowMs: number, hasForecast = false): boolean {
  const nearMs = (span.to_ms - span.from_ms) * 0.01;
  if (!hasForecast) return span.to_ms >= nowMs - nearMs;
  return Math.abs(pastSpan(pastOf(span, true), nowMs, true).to_ms - span.to_ms) <= nearMs;
}

/** `from` and `to` of an address, epoch ms; null when unusable. */
export function spanOfQuery(query: Record<string, unknown>): Span | null {
  const [from_ms, to_ms] = [Number(query['from']), Number(query['to'])];
  return from_ms > 0 && to_ms > from_ms ? { from_ms, to_ms } : null;
}

/** The moment; null when it is none or out of the span. */
export function momentWithin({ from_ms, to_ms }: Span, atMs: number | null): number | null {
  return atMs === null || atMs < from_ms || atMs > to_ms ? null : atMs;
}
