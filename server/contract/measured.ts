import type { MeasurementName } from './units.ts';

/** Identifies a series; both ids in lower case. */
export interface SeriesName {
  device_id: string;
  measurement_id: string;
}

/** A series as queries and addresses of pages name it. */
export function seriesKey({ device_id, measurement_id }: SeriesName): string {
  return `${device_id}/${measurement_id}`;
}

/** One stored series. */
export interface MeasuredChannel {
  channel: number;
  name: string;
  measurement_id: string;
  measurement: MeasurementName;
  unit: string;
}

/** What stores series: an input its readings, a controller its results. */
export interface MeasuredDevice {
  unique_id: string;
  name: string;
  is_activated: boolean;
  /** Time between two values, s. */
  period_s: number;
  /** Whether each value is published live, so that it can stand for a sensor; otherwise it is only stored. */
  isTold: boolean;
  channels: readonly MeasuredChannel[];
}

/** A series with the time between two values, s. */
export interface FoundSeries extends MeasuredChannel {
  period_s: number;
}

/** undefined when no such series is stored. */
export type FindSeries = (series: SeriesName) => FoundSeries | undefined;

/**
 * The measurement_id of a series that a controller stores of itself: the controller's id as a UUID of version 8 (RFC
 * 9562, 5.8), which no random id is, with the channel (0 to 4095) in the bits after the version.
 */
export function ownMeasurementId(unique_id: string, channel: number): string {
  const bits = (Number.parseInt(unique_id.slice(15, 18), 16) ^ channel).toString(16).padStart(3, '0');
  return `${unique_id.slice(0, 14)}8${bits}${unique_id.slice(18)}`;
}
