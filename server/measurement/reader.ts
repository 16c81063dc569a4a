import type { OutputOrigin } from '../contract/output.ts';
import type { AggregateName, Bucket } from '../contract/measurement-query.ts';
import type { StateInterval } from '../domain/analytics/state-time.ts';
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

export interface ExportRequest {
  series: readonly SeriesName[];
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

/** Readings of a counter, times in epoch ms, ascending; includes the newest before the span and the oldest after it. */
export interface CounterReadings {
  unit: string;
  /** Width of the rows behind them. */
  width_ms: number;
  times: number[];
  values: number[];
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
  /** null when the series is unknown. */
  counter(request: MeansRequest, signal: AbortSignal): Promise<CounterReadings | null>;
  states(request: StatesRequest, signal: AbortSignal): Promise<StateInterval[]>;
  /** Of the same states, newest first. */
  switches(request: Omit<StatesRequest, 'now_ms'>, signal: AbortSignal): Promise<StateSwitch[]>;
  close(): Promise<void>;
}
