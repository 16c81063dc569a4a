import type { OutputOrigin } from '../contract/output.ts';
import type { AggregateName, Bucket } from '../contract/measurement-query.ts';
import type { BandTime } from '../domain/analytics/band-time.ts';
import type { Thresholds } from '../domain/analytics/degree-time.ts';
import type { LightSource } from '../domain/analytics/light-sum.ts';
import type { StateInterval, StateTime } from '../domain/analytics/state-time.ts';
import type { Span } from '../domain/series/resolution.ts';
import type { LastValue } from '../contract/measurement.ts';

/** Identifies a series by its channel. If a channel's unit changed, the series of the newest unit is meant. */
export interface SeriesName {
  device_id: string;
  measurement_id: string;
}

/** A series with its configuration; null when it is not configured. */
export interface AskedSeries extends SeriesName {
  configured: { channel: number; unit: string } | null;
}

/** The unit to answer in: stored = factor * value + offset. */
export interface SpokenUnit {
  unit: string;
  factor: number;
  offset: number;
}

/** Epoch ms, from `from_ms` to before `to_ms`. */
export interface TrendRequest {
  series: readonly (AskedSeries & { gap_ms: number; spoken?: SpokenUnit | undefined })[];
  from_ms: number;
  to_ms: number;
  max_points: number;
  /** Cuts off what is after `to_ms`, even if the last row extends beyond it: the clock may have been set back. */
  ends_now?: boolean;
  /**
   * Answers the contract's `trend` for the one series, or refuses with `not_found` for an unknown one; otherwise
   * `trends`.
   */
  is_single: boolean;
}

export interface AggregateRequest {
  series: readonly AskedSeries[];
  from_ms: number;
  to_ms: number;
  bucket: Bucket;
  time_zone: string;
  aggregates: readonly AggregateName[];
}

/** About so many in a page of an export: a few ms of work for the thread that writes it, which serves commands too. */
export const mostCells = 20_000;

export interface ExportRequest {
  series: readonly SeriesName[];
  /** Of the table in which these series are, where they are not alone: of more columns fewer lines are read. */
  columns?: number;
  from_ms: number;
  to_ms: number;
}

/** Some lines of an export; `next_ms` is where the rest begins, null at the end. */
export interface ExportPage {
  times: number[];
  /** For each series, as long as times; null when it has no sample at that moment. */
  values: (number | null)[][];
  next_ms: number | null;
}

export interface MeansRequest {
  series: SeriesName;
  from_ms: number;
  to_ms: number;
}

/** Means of the minutes, or quarters of an hour, that have samples; null when the series is unknown. */
export interface SeriesMeans {
  unit: string;
  width_ms: number;
  start_ms: number[];
  mean: number[];
}

export interface StatesRequest {
  device_id: string;
  channel: number;
  from_ms: number;
  to_ms: number;
  /** Epoch ms, for the state that has not ended. */
  now_ms: number;
  /** At most this many, the newest. */
  limit: number;
}

/** Days are those of the zone; the first and the last are cut by the span. */
export interface DailySpan extends Span {
  /** IANA name. */
  time_zone: string;
}

/** Sums over a whole span and over each of its days. */
export interface Daily<Sum> {
  whole: Sum;
  days: (Sum & { date: string })[];
}

/** A series whose values hold until the next, but at most for `gap_ms`; the last for `period_ms`. */
export interface HeldSeries extends SeriesName {
  gap_ms: number;
  period_ms: number;
}

/** What the values of a series are summed to: K h, mol/m2, kWh. */
export type AmountSum =
  | ({ kind: 'degree_hours' } & Thresholds)
  | { kind: 'light'; source: LightSource }
  | { kind: 'energy' };

export interface AmountsRequest extends DailySpan {
  series: HeldSeries;
  sum: AmountSum;
}

export interface Amount {
  amount: number;
  /** Time with readings, s. */
  covered_s: number;
}

export interface MeteredRequest extends DailySpan {
  series: SeriesName;
  /** Longer silence is not covered. */
  gap_ms: number;
  /** Fastest plausible rise, in the counter's unit a second; default any. */
  most_per_s?: number | undefined;
}

export interface BandTimesRequest extends DailySpan {
  temperature: HeldSeries;
  humidity: HeldSeries;
  low_kpa: number;
  high_kpa: number;
}

export type StateTimesRequest = StatesRequest & DailySpan;

/** The beginning of a state, and who or what drove the output there; null when nothing did. */
export interface StateSwitch {
  at_ms: number;
  state: number | null;
  origin: OutputOrigin | null;
}

/**
 * Answers queries off the calling thread. An aborted signal ends the work soon after; the query then rejects. Buffers
 * are JSON in the form of the contract.
 */
export interface MeasurementReader {
  last(series: SeriesName): Promise<LastValue | null>;
  trend(request: TrendRequest, signal: AbortSignal): Promise<Buffer>;
  aggregate(request: AggregateRequest, signal: AbortSignal): Promise<Buffer>;
  exportPage(request: ExportRequest, signal: AbortSignal): Promise<ExportPage>;
  means(request: MeansRequest, signal: AbortSignal): Promise<SeriesMeans | null>;
  states(request: StatesRequest, signal: AbortSignal): Promise<StateInterval[]>;
  /** Of the same states, newest first. */
  switches(request: Omit<StatesRequest, 'now_ms'>, signal: AbortSignal): Promise<StateSwitch[]>;
  /** The unit is null when the series is unknown. In a unit of another quantity the amounts mean nothing. */
  amounts(request: AmountsRequest, signal: AbortSignal): Promise<Daily<Amount> & { unit: string | null }>;
  /** What a counter rose by, and how often it began again in the span. */
  metered(request: MeteredRequest, signal: AbortSignal): Promise<Daily<Amount> & { restarts: number }>;
  /** Time of the vapour pressure deficit in and beside a band; units as in `amounts`. */
  bandTimes(
    request: BandTimesRequest,
    signal: AbortSignal,
  ): Promise<Daily<BandTime & { covered_s: number }> & { units: Record<'temperature' | 'humidity', string | null> }>;
  /** With how many states they are of. */
  stateTimes(request: StateTimesRequest, signal: AbortSignal): Promise<Daily<StateTime> & { count: number }>;
  close(): Promise<void>;
}
