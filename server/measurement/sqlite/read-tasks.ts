import type { Aggregated, AggregatedSeries, AggregateName, Trend } from '../../contract/measurement-query.ts';
import { Refusal } from '../../contract/errors.ts';
import type { LastValue } from '../../contract/measurement.ts';
import { outputOrigin, type OutputOrigin } from '../../contract/output.ts';
import { bucketLimits } from '../../domain/series/calendar.ts';
import { isDirection, meanDirection_deg } from '../../domain/series/direction.ts';
import { MeanDirections } from '../../domain/series/mean-directions.ts';
import { M4 } from '../../domain/series/m4.ts';
import { columnsFor, type Columns, type ThinningOptions } from '../../domain/series/pixel-columns.ts';
import {
  resolutionFor,
  resolutions,
  resolutionWithin,
  rowWidthMs,
  wholeRows,
  type Resolution,
  type Span,
} from '../../domain/series/resolution.ts';
import type { StateInterval } from '../../domain/analytics/state-time.ts';
import {
  mostCells,
  type AggregateRequest,
  type AskedSeries,
  type ExportPage,
  type ExportRequest,
  type MeansRequest,
  type SeriesMeans,
  type SeriesName,
  type SpokenUnit,
  type StatesRequest,
  type StateSwitch,
  type TrendRequest,
} from '../reader.ts';
import { stopWhenCancelled, type CancelFlag } from './cancelling.ts';
import type { FollowedFile } from './followed-file.ts';
import type { SeriesRows } from './series-rows.ts';
import { chunkRows, type SeriesRow } from './series-statements.ts';
import { vouchedMs } from './state-store.ts';

/** The tasks of the reading worker: plain data in, plain data or JSON text out. */
export const readTasks = { last, trend, aggregate, exportPage, means, states, switches };

function last(file: FollowedFile, series: SeriesName): LastValue | null {
  return file.read((rows) => rows.last(series));
}

/** Throws `not_found` when the single requested series is unknown. */
function trend(file: FollowedFile, request: TrendRequest, flag: CancelFlag): string {
  const series = file.read((rows) => request.series.map((asked) => trendOf(rows, { asked, request, flag })));
  const [first] = series;
  if (!request.is_single) return JSON.stringify({ series });
  if (first === undefined || first.unit === null) throw new Refusal('not_found', 'no such series');
  return JSON.stringify(first);
}

interface OneTrend {
  asked: TrendRequest['series'][number];
  request: TrendRequest;
  flag: CancelFlag;
}

function trendOf(rows: SeriesRows, { asked, request, flag }: OneTrend): Trend {
  const row = rows.find(asked);
  const resolution = row ? readable(rows, row.id, request) : 'raw';
  const whole = wholeRows(request, resolution);
  const span = request.ends_now === true ? { ...whole, to_ms: request.to_ms } : whole;
  const read = drawn(rows, row, { ...span, max_points: request.max_points, gap_ms: asked.gap_ms, resolution, flag });
  const picture = until(read, span.to_ms);
  return {
    ...headOf(asked, row),
    from: new Date(span.from_ms).toISOString(),
    to: new Date(span.to_ms).toISOString(),
    resolution,
    gap_s: asked.gap_ms / 1000,
    ...spokenIn(asked.spoken, picture),
  };
}

/** The last row of a trend that ends now may extend beyond it. */
function until({ times, values }: Columns, toMs: number): Columns {
  const later = times.findIndex((time) => time >= toMs);
  return later < 0 ? { times, values } : { times: times.slice(0, later), values: values.slice(0, later) };
}

interface Drawing extends ThinningOptions {
  resolution: Resolution;
  flag: CancelFlag;
}

function drawn(rows: SeriesRows, row: SeriesRow | undefined, { resolution, flag, ...options }: Drawing): Columns {
  if (row === undefined) return { times: [], values: [] };
  if (!isDirection(row.unit)) return thinned(new M4(options), rows.stretches(row.id, options, resolution), flag);
  return thinned(new MeanDirections(options), rows.directions(row.id, options, resolution), flag);
}

function thinned<Part>(
  thinning: { add: (part: Part) => void; end: () => Columns },
  chunks: Iterable<readonly Part[]>,
  flag: CancelFlag,
): Columns {
  for (const chunk of chunks) {
    stopWhenCancelled(flag);
    for (const part of chunk) thinning.add(part);
  }
  return thinning.end();
}

/** The selection for a line chart stays valid: a conversion is linear. */
function spokenIn(
  spoken: SpokenUnit | undefined,
  { times, values }: Columns,
): Pick<Trend, 'times' | 'values'> & { unit?: string } {
  if (spoken === undefined) return { times, values };
  const { unit, factor, offset } = spoken;
  return { unit, times, values: values.map((value) => (value === null ? null : (value - offset) / factor)) };
}

function headOf({ device_id, measurement_id, configured }: AskedSeries, row: SeriesRow | undefined) {
  const { channel, unit } = row ?? configured ?? { channel: null, unit: null };
  return { device_id, measurement_id, channel, unit };
}

/** The resolution for the chart, or a coarser one that begins earlier: samples are deleted before rollups. */
function readable(rows: SeriesRows, id: number, { max_points, ...span }: Span & { max_points: number }): Resolution {
  const wanted = resolutionFor(span, columnsFor(max_points));
  return resolutions.slice(resolutions.indexOf(wanted)).reduce((best, coarser) => {
    const bestMs = rows.oldest_ms(id, best) ?? Infinity;
    const coarserMs = rows.oldest_ms(id, coarser) ?? Infinity;
    return bestMs > span.from_ms && coarserMs + rowWidthMs[coarser] <= bestMs ? coarser : best;
  });
}

function aggregate(file: FollowedFile, request: AggregateRequest, flag: CancelFlag): string {
  const limits = bucketLimits(request, request.bucket, request.time_zone);
  const { bucket, time_zone } = request;
  return JSON.stringify({
    bucket,
    time_zone,
    times: limits.slice(0, -1),
    series: file.read((rows) => request.series.map((asked) => aggregateOf(rows, { asked, request, limits, flag }))),
  } satisfies Aggregated);
}

interface OneAggregate {
  asked: AskedSeries;
  request: AggregateRequest;
  limits: readonly number[];
  flag: CancelFlag;
}

function aggregateOf(rows: SeriesRows, { asked, request, limits, flag }: OneAggregate): AggregatedSeries {
  const row = rows.find(asked);
  const hasEnds = request.aggregates.includes('first') || request.aggregates.includes('last');
  const buckets = limits.slice(1).map((toMs, index) => {
    stopWhenCancelled(flag);
    return row ? bucketOf(rows, row, { from_ms: limits[index] ?? toMs, to_ms: toMs, hasEnds }) : emptyBucket;
  });
  const columns = request.aggregates.map((name) => [name, buckets.map((values) => values[name])] as const);
  return { ...headOf(asked, row), ...Object.fromEntries(columns) };
}

type Bucketed = Record<AggregateName, number | null>;

const noEnds = { first: null, last: null };
const emptyBucket: Bucketed = { count: 0, sum: null, min: null, max: null, mean: null, first: null, last: null };

/** Exact: rollups replace their samples where they fit the bucket, and alone where samples were deleted. */
function bucketOf(
  rows: SeriesRows,
  { id, unit }: SeriesRow,
  { hasEnds, ...span }: Span & { hasEnds: boolean },
): Bucketed {
  const resolution = resolutionWithin(span);
  const { count, sum, min, max } = rows.totals(id, span, resolution);
  if (count === 0 || sum === null) return emptyBucket;
  const mean = isDirection(unit) ? meanDirection_deg(rows.vectors(id, span, resolution), count) : sum / count;
  return { count, sum, min, max, mean, ...(hasEnds ? rows.ends(id, span, resolution) : noEnds) };
}

/** Lines up to where every series has been read; series with the same moment share a line. */
function exportPage(
  file: FollowedFile,
  { series, columns: width = series.length, ...span }: ExportRequest,
  flag: CancelFlag,
): ExportPage {
  stopWhenCancelled(flag);
  const mostLines = Math.min(chunkRows, Math.ceil(mostCells / width));
  const read = file.read((rows) =>
    series.map((name) => {
      const row = rows.find(name);
      return row ? rows.samples(row.id, span, mostLines) : { rows: [], isWhole: true };
    }),
  );
  const untilMs = Math.min(...read.filter(({ isWhole }) => !isWhole).map((page) => page.rows.at(-1)?.[0] ?? Infinity));
  const columns = read.map((page) => new Map(page.rows.filter(([time_ms]) => time_ms <= untilMs)));
  const all = [...new Set(columns.flatMap((column) => [...column.keys()]))].sort((a, b) => a - b);
  const times = all.slice(0, mostLines);
  return {
    times,
    values: columns.map((column) => times.map((timeMs) => column.get(timeMs) ?? null)),
    next_ms: all[mostLines] ?? (untilMs === Infinity ? null : untilMs + 1),
  };
}

/** Minutes are read for up to a month, quarters of an hour for longer spans. */
const longestByMinutesMs = 31 * 86_400_000;

export function summedBy({ from_ms, to_ms }: Span): 'minute' | 'quarter' {
  return to_ms - from_ms > longestByMinutesMs ? 'quarter' : 'minute';
}

export function means(file: FollowedFile, { series, ...asked }: MeansRequest, flag: CancelFlag): SeriesMeans | null {
  const resolution = summedBy(asked);
  const widthMs = rowWidthMs[resolution];
  return file.read((rows) => {
    const row = rows.find(series);
    if (row === undefined) return null;
    const found: SeriesMeans = { unit: row.unit, width_ms: widthMs, start_ms: [], mean: [] };
    for (const chunk of rows.means(row.id, wholeRows(asked, resolution), resolution)) {
      stopWhenCancelled(flag);
      for (const [start_ms, mean] of chunk) {
        found.start_ms.push(start_ms);
        found.mean.push(mean);
      }
    }
    return found;
  });
}

export function states(file: FollowedFile, request: StatesRequest, flag: CancelFlag): StateInterval[] {
  stopWhenCancelled(flag);
  const { device_id, channel, from_ms, to_ms, now_ms, limit } = request;
  return file.read((rows) => {
    const id = rows.findState(device_id, channel);
    const found = id === undefined ? [] : rows.intervals(id, { from_ms, to_ms }, limit);
    return found
      .toReversed()
      .map(({ start_ms, end_ms, seen_ms, state }) => {
        const untilMs = end_ms ?? Math.min(now_ms, seen_ms + vouchedMs);
        return { from_ms: Math.max(start_ms, from_ms), to_ms: Math.min(untilMs, to_ms), state };
      })
      .filter((interval) => interval.from_ms < interval.to_ms);
  });
}

function switches(file: FollowedFile, request: Omit<StatesRequest, 'now_ms'>, flag: CancelFlag): StateSwitch[] {
  stopWhenCancelled(flag);
  const { device_id, channel, limit, ...span } = request;
  return file.read((rows) => {
    const id = rows.findState(device_id, channel);
    const found = id === undefined ? [] : rows.switches(id, span, limit);
    return found.map(({ start_ms: at_ms, state, origin }) => ({ at_ms, state, origin: originOf(origin) }));
  });
}

/** null for a damaged origin, or one of another program version that this one cannot read. */
function originOf(text: string | null): OutputOrigin | null {
  try {
    return text === null ? null : (outputOrigin.safeParse(JSON.parse(text)).data ?? null);
  } catch {
    return null;
  }
}
