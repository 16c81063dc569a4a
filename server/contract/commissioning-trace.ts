import type { Evidence } from './commissioning.ts';

/** Ends of the axis of a trace, in the unit of its sensor. */
export interface TraceScale {
  low: number;
  high: number;
}

/** Least span by the unit of the sensor: finer, a steady reading would look like a storm. */
const leastSpan: Readonly<Record<string, number>> = {
  C: 1,
  '%': 5,
  'g/m3': 1,
  ppm: 50,
  'W/m2': 50,
  'm/s': 2,
  deg: 90,
  'mm/h': 2,
  'l/h': 20,
  Pa: 20_000,
};
/** So much more than the readings need that rounded ends still hold them. */
const spare = 1.3;

/** One span for all traces of a unit, so that the same height is the same change; null for one without readings. */
export function traceScales(all: readonly Evidence[]): (one: Evidence) => TraceScale | null {
  const spans = new Map<string, number>();
  for (const one of all) {
    const ends = endsOf(one);
    if (ends === null) continue;
    const least = spans.get(one.unit) ?? leastSpan[one.unit] ?? 0;
    spans.set(one.unit, Math.max(least, spare * (ends.high - ends.low)));
  }
  return (one) => {
    const ends = endsOf(one);
    if (ends === null) return null;
    const span = evenUp(spans.get(one.unit) ?? 0);
    const step = span / 5;
    const centred = step * Math.round(((ends.low + ends.high) / 2 - span / 2) / step);
    // Only a temperature is ever below zero; another reading there comes from a faulty sensor, and is shown.
    const isPositive = one.unit !== 'C' && !one.trace.values.some((value) => value !== null && value < 0);
    const low = isPositive ? Math.max(0, centred) : centred;
    return { low, high: low + span };
  };
}

/** Of the readings and of the band in which a change does not count. */
function endsOf({ trace, baseline, threshold }: Evidence): TraceScale | null {
  const readings = trace.values.filter((value) => value !== null);
  if (readings.length === 0) return null;
  const band = baseline === null || threshold === null ? [] : [baseline - threshold, baseline + threshold];
  return { low: Math.min(...readings, ...band), high: Math.max(...readings, ...band) };
}

/** The next of 1, 2, 5, 10, 20, ... */
function evenUp(span: number): number {
  if (span <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(span));
  const factor = [1, 2, 5].find((one) => one * power >= span) ?? 10;
  return factor * power;
}
