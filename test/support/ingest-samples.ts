import type { Sample } from '../../server/measurement/store.ts';

const series = 5;
const samplesAWrite = 20;
const secondMs = 1000;
/** A quarter of an hour before a midnight, UTC: the samples cross the limits of minutes, quarters and days. */
const fromMs = Date.UTC(2026, 2, 1, 23, 45);

/**
 * The n-th sample of an ingest that is the same in every run: seconds of a few series, with an occasional gap or bad
 * sample, and minutes with late ones and corrections of the one before; the rest is in order. Its value is n, so that
 * the newest in a file shows how far it got.
 */
export function ingestSample(n: number): Sample {
  const round = Math.floor(n / series);
  const isInOrder = Math.floor(round / 400) % 2 === 0;
  const isCorrection = !isInOrder && round % 13 === 5;
  const isLate = !isInOrder && round % 17 === 7;
  const second = round - (isCorrection ? 1 : 0) - (isLate ? 200 : 0) + Math.floor(round / 300) * 120;
  return {
    device_id: `6a1f5c3e-0000-4000-8000-${String(n % series).padStart(12, '0')}`,
    measurement_id: '6a1f5c3e-0000-4000-8000-000000000002',
    channel: 0,
    unit: 'C',
    value: n,
    quality: round % 19 === 3 ? 'bad' : 'good',
    time_ms: fromMs + second * secondMs,
  };
}

/** The samples of the n-th write. */
export function ingestWrite(n: number): Sample[] {
  return Array.from({ length: samplesAWrite }, (_, at) => ingestSample(n * samplesAWrite + at));
}

/** The number of the write that a sample's value belongs to. */
export function writeOf(value: number): number {
  return Math.floor(value / samplesAWrite);
}
