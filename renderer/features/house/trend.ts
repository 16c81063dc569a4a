/** A reading in a trend; null breaks the line: the sensor was silent or returned no number. */
export interface Sample {
  time_ms: number;
  value: number | null;
}

/** How far back a trend reaches. */
export const trendMs = 86_400_000;
/** Readings further apart than this are not joined: nothing is known between them. */
export const gapMs = 900_000;
/** The resolution of a day's trend: within a minute the newest reading replaces the last one. */
const stepMs = 60_000;

/**
 * A trend with a newer reading at its end and without readings that are too old. A repeated or older reading changes
 * nothing.
 */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const [before, last] = samples.slice(-2).length === 2 ? samples.slice(-2) : [undefined, samples[0]];
  if (last !== undefined && sample.time_ms <= last.time_ms) return samples;
  const from = sample.time_ms - trendMs;
  const isSameMinute = before !== undefined && sample.time_ms - before.time_ms < stepMs;
  const kept = (isSameMinute ? samples.slice(0, -1) : samples).filter(({ time_ms }) => time_ms >= from);
  const isApart = last !== undefined && sample.time_ms - last.time_ms > gapMs;
  return [...kept, ...(isApart ? [{ time_ms: sample.time_ms - 1, value: null }] : []), sample];
}

/** The stored readings, followed by the live ones. */
export function joined(stored: readonly Sample[], live: readonly Sample[]): readonly Sample[] {
  return live.reduce(withSample, stored);
}

export interface Extent {
  low: number;
  high: number;
}

/** Minimum and maximum; null without readings. */
export function extentOf(samples: readonly Sample[]): Extent | null {
  const values = samples.flatMap(({ value }) => (value === null ? [] : [value]));
  return values.length === 0 ? null : { low: Math.min(...values), high: Math.max(...values) };
}

export interface TrendFrame {
  width: number;
  height: number;
  nowMs: number;
  /** How far back the left edge is, ms. */
  spanMs: number;
  /** Minimum range of the scale, so that noise does not fill the frame. */
  leastSpan: number;
}

/** A trend that has just begun fills its frame from a minute on. */
const leastSpanMs = 60_000;

/** How far back a trend is drawn at `nowMs`: a minute to a day. */
export function spanOf(samples: readonly Sample[], nowMs: number): number {
  const first = samples[0];
  return Math.min(trendMs, Math.max(leastSpanMs, first === undefined ? 0 : nowMs - first.time_ms));
}

/** The distance of a value from the top of the frame; outside the frame when the scale does not reach it. */
function heightOf(value: number, { low, high }: Extent, { height, leastSpan }: TrendFrame): number {
  return height * (0.5 - (value - (low + high) / 2) / Math.max(high - low, leastSpan));
}

/** The same, at most at the edges of the frame. */
function withinFrame(value: number, extent: Extent, frame: TrendFrame): number {
  return Math.min(frame.height, Math.max(0, heightOf(value, extent, frame)));
}

/** The part of the frame that a usual range covers; null when outside. */
export function shadeIn(
  samples: readonly Sample[],
  usual: readonly [low: number, high: number],
  frame: TrendFrame,
): { x: number; y: number; width: number; height: number } | null {
  const extent = extentOf(samples);
  if (extent === null) return null;
  const [bottom, top] = usual.map((end) => withinFrame(end, extent, frame)) as [number, number]; // of two
  return top < bottom ? { x: 0, y: top, width: frame.width, height: bottom - top } : null;
}

/** What a house was controlled to; null: this end is open. */
export interface Aimed {
  low: readonly Sample[] | null;
  high: readonly Sample[] | null;
}

/** Whether anything was aimed at. */
export function isAimed({ low, high }: Aimed): boolean {
  return [...(low ?? []), ...(high ?? [])].some(({ value }) => value !== null);
}

/** A range beyond the frame is drawn so high at the edge behind which it lies, px. */
const edge_px = 2;

/**
 * SVG path of the area between setpoints, on the scale of the trend of `samples`. They go in steps, each until the
 * next, and leave a gap where none was aimed at or nothing was stored.
 */
export function aimedPath(samples: readonly Sample[], { low, high }: Aimed, frame: TrendFrame): string {
  const extent = extentOf(samples);
  if (extent === null) return '';
  const { width, nowMs, spanMs } = frame;
  const [lowAt, highAt] = [valuesOf(low, -Infinity), valuesOf(high, Infinity)];
  const times = [...new Set([...(low ?? []), ...(high ?? [])].map(({ time_ms }) => time_ms))];
  const xOf = (time_ms: number): string =>
    (width * Math.max(0, 1 - (nowMs - Math.min(nowMs, time_ms)) / spanMs)).toFixed(1);
  const upperEnd = (value: number): number => Math.min(frame.height - edge_px, withinFrame(value, extent, frame));
  const lowerEnd = (value: number): number => Math.max(edge_px, withinFrame(value, extent, frame));
  let path = '';
  let way: { there: string; back: string } | undefined; // along the upper end, and back along the lower
  const shut = (): void => {
    if (way !== undefined) path += `${way.there}${way.back}Z`;
    way = undefined;
  };
  times
    .toSorted((one, other) => one - other)
    .forEach((time_ms, index, all) => {
      const untilMs = Math.min(all[index + 1] ?? nowMs, time_ms + gapMs);
      const [bottom, top] = [lowAt(time_ms), highAt(time_ms)];
      if (bottom === null || top === null) return shut();
      if (untilMs <= nowMs - spanMs) return;
      const [from, to, upper, lower] = [
        xOf(time_ms),
        xOf(untilMs),
        upperEnd(top).toFixed(1),
        lowerEnd(bottom).toFixed(1),
      ];
      way ??= { there: `M${from} ${lower}`, back: '' };
      way = { there: `${way.there}V${upper}H${to}`, back: `V${lower}H${from}${way.back}` };
      if (untilMs !== all[index + 1]) shut();
    });
  shut();
  return path;
}

/** Reads setpoints at times that never go back: each holds until the next. */
function valuesOf(samples: readonly Sample[] | null, open: number): (time_ms: number) => number | null {
  let next = 0;
  return (time_ms) => {
    if (samples === null) return open;
    while ((samples[next]?.time_ms ?? Infinity) <= time_ms) next += 1;
    const { value = null, time_ms: at_ms = -Infinity } = samples[next - 1] ?? {};
    return time_ms - at_ms > gapMs ? null : value;
  };
}

/** SVG path of a trend that ends at `nowMs`, with a new line after each gap; empty when there is nothing to draw. */
export function trendPath(samples: readonly Sample[], frame: TrendFrame): string {
  const { width, nowMs, spanMs } = frame;
  const extent = extentOf(samples);
  if (extent === null) return '';
  let previous: Sample | undefined;
  return samples
    .filter(({ time_ms }) => time_ms >= nowMs - spanMs)
    .map((sample) => {
      const isJoined = previous !== undefined && previous.value !== null;
      previous = sample;
      if (sample.value === null) return '';
      const x = width * (1 - (nowMs - sample.time_ms) / spanMs);
      const y = heightOf(sample.value, extent, frame);
      return `${isJoined ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}
