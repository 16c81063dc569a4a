import type { MeasurementName } from './units.ts';

/** A series by whose it is; both in lower case. */
export interface SeriesName {
  device_id: string;
  measurement_id: string;
}

/** One series of those that something stores. */
export interface MeasuredChannel {
  channel: number;
  name: string;
  measurement_id: string;
  measurement: MeasurementName;
  unit: string;
}

/** Something that stores series: an input what its sensors say, a controller what it works out. */
export interface MeasuredDevice {
  unique_id: string;
  name: string;
  is_activated: boolean;
  /** Time between two values, s. */
  period_s: number;
  /** Each value is told as it comes, so that it can stand for a sensor; else it is found in what is stored. */
  isTold: boolean;
  channels: readonly MeasuredChannel[];
}

/** A series with the time between two of its values, s. */
export interface FoundSeries extends MeasuredChannel {
  period_s: number;
}

/** undefined where nothing stores such a series. */
export type FindSeries = (series: SeriesName) => FoundSeries | undefined;

/**
 * The measurement_id of what a controller stores of itself: its own id as a UUID of version 8 (RFC 9562, 5.8), which no random id is,
 * with the channel (0 to 4095) in the bits behind the version.
 */
export function ownMeasurementId(unique_id: string, channel: number): string {
  const bits = (Number.parseInt(unique_id.slice(15, 18), 16) ^ channel).toString(16).padStart(3, '0');
  return `${unique_id.slice(0, 14)}8${bits}${unique_id.slice(18)}`;
}
