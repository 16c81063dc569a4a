/** A reading in a trend; null is a sensor that answered without a number. */
export interface Sample {
  time_ms: number;
  value: number | null;
}

/** How far back a trend reaches. */
export const trendMs = 600_000;
/** Readings further apart than this are not joined: a gap stays a gap. */
const gapMs = 60_000;
const mostSamples = 1_200;

/** A trend with a newer reading at its end and without what has grown too old. A repeated or older reading changes nothing. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last !== undefined && sample.time_ms <= last.time_ms) return samples;
  const from = sample.time_ms - trendMs;
  return [...samples.filter(({ time_ms }) => time_ms >= from), sample].slice(-mostSamples);
}

export interface Extent {
  low: number;
  high: number;
}

/** Least and greatest reading; null where there is none. */
export function extentOf(samples: readonly Sample[]): Extent | null {
  const values = samples.flatMap(({ value }) => (value === null ? [] : [value]));
  return values.length === 0 ? null : { low: Math.min(...values), high: Math.max(...values) };
}

export interface TrendFrame {
  width: number;
  height: number;
  nowMs: number;
  /** How far back the left end lies, ms. */
  spanMs: number;
  /** Least difference between the ends of the drawn scale, so that noise does not fill the frame. */
  leastSpan: number;
}

/** A trend that has just begun fills its frame from a minute on. */
const leastSpanMs = 60_000;

/** How far back a trend can be drawn at `nowMs`: a minute to ten. */
export function spanOf(samples: readonly Sample[], nowMs: number): number {
  const first = samples[0];
  return Math.min(trendMs, Math.max(leastSpanMs, first === undefined ? 0 : nowMs - first.time_ms));
}

/** SVG path of a trend that ends at `nowMs`, with a new line after each gap; empty where nothing can be drawn. */
export function trendPath(samples: readonly Sample[], { width, height, nowMs, spanMs, leastSpan }: TrendFrame): string {
  const extent = extentOf(samples);
  if (extent === null) return '';
  const middle = (extent.low + extent.high) / 2;
  const span = Math.max(extent.high - extent.low, leastSpan);
  let previous: Sample | undefined;
  return samples
    .filter(({ time_ms }) => time_ms >= nowMs - spanMs)
    .map((sample) => {
      const joined = previous !== undefined && previous.value !== null && sample.time_ms - previous.time_ms <= gapMs;
      previous = sample;
      if (sample.value === null) return '';
      const x = width * (1 - (nowMs - sample.time_ms) / spanMs);
      const y = height * (0.5 - (sample.value - middle) / span);
      return `${joined ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}
