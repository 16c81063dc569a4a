import { getTimes } from 'suncalc';

const dayMs = 86_400_000;
/** In longer spans a night is thinner than a line. */
const longestMs = 40 * dayMs;

export interface Span {
  from_ms: number;
  to_ms: number;
}

/** The nights at a place within a span; none when the span is too long to show them. */
export function nights(span: Span, { lat, lng }: { lat: number; lng: number }): Span[] {
  if (span.to_ms - span.from_ms > longestMs) return [];
  const found: Span[] = [];
  for (let atMs = span.from_ms - 2 * dayMs; atMs < span.to_ms + 2 * dayMs; atMs += dayMs) {
    const [today, tomorrow] = [sun(atMs, lat, lng), sun(atMs + dayMs, lat, lng)];
    if (today.alwaysDown === true) found.push({ from_ms: Number(today.nadir), to_ms: Number(tomorrow.nadir) });
    else if (today.sunset !== null && tomorrow.sunrise !== null) {
      found.push({ from_ms: Number(today.sunset), to_ms: Number(tomorrow.sunrise) });
    }
  }
  return found.filter((night) => night.to_ms > span.from_ms && night.from_ms < span.to_ms);
}

function sun(atMs: number, lat: number, lng: number) {
  return getTimes(new Date(atMs), lat, lng);
}
