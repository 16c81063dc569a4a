import type { OutputOrigin } from '../contract/output.ts';
import type { AggregateName, Bucket } from '../contract/measurement-query.ts';
import type { StateInterval } from '../domain/analytics/state-time.ts';
import type { LastValue } from '../contract/measurement.ts';

/** A series by whose channel it is. Where the unit of a channel changed, it is the one of the newest unit. */
export interface SeriesName {
  device_id: string;
  measurement_id: string;
}

/** A series with what the configuration says of it; null where it says nothing. */
export interface AskedSeries extends SeriesName {
  configured: { channel: number; unit: string } | null;
}

/** The unit to answer in: stored = factor * spoken + offset. */
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
  /** Leaves out what lies after `to_ms`, although the last row reaches beyond it: the clock may have been set back. */
  ends_now?: boolean;
  /** Answers `trend` of the contract for the one series, refuses with `not_found` where nobody knows it; else `trends`. */
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
  /** Of each series, as long as times; null where it has no sample of that moment. */
  values: (number | null)[][];
  next_ms: number | null;
}

export interface MeansRequest {
  series: SeriesName;
  from_ms: number;
  to_ms: number;
}

/** Means of the minutes, or of the quarters of an hour, in which there are samples; null where nobody knows the series. */
export interface SeriesMeans {
  unit: string;
  width_ms: number;
  start_ms: number[];
  mean: number[];
}

/** What a counter said, times in epoch ms, ascending; the newest before the span and the oldest after it are there too. */
export interface CounterReadings {
  unit: string;
  /** Width of the rows that were read. */
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
  /** The newest so many. */
  limit: number;
}

/** The beginning of a state, and who or what drove the output there; null where nobody did. */
export interface StateSwitch {
  at_ms: number;
  state: number | null;
  origin: OutputOrigin | null;
}

/**
 * Where queries are answered, off the thread that asks. An aborted signal ends the work soon after; what was asked then rejects.
 * Buffers are JSON in the form of the contract.
 */
export interface MeasurementReader {
  last(series: SeriesName): Promise<LastValue | null>;
  trend(request: TrendRequest, signal: AbortSignal): Promise<Buffer>;
  aggregate(request: AggregateRequest, signal: AbortSignal): Promise<Buffer>;
  exportPage(request: ExportRequest, signal: AbortSignal): Promise<ExportPage>;
  means(request: MeansRequest, signal: AbortSignal): Promise<SeriesMeans | null>;
  /** null where nobody knows the series. */
  counter(request: MeansRequest, signal: AbortSignal): Promise<CounterReadings | null>;
  states(request: StatesRequest, signal: AbortSignal): Promise<StateInterval[]>;
  /** Of the same states, the newest first. */
  switches(request: Omit<StatesRequest, 'now_ms'>, signal: AbortSignal): Promise<StateSwitch[]>;
  close(): Promise<void>;
}
