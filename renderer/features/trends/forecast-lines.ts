import type { MeasurementName } from '../../../server/contract/units.ts';
import {
  forecastTimes,
  kmPerHourInMetresPerSecond,
  type ForecastAnswer,
  type ForecastVariable,
} from '../../../server/contract/proxy.ts';
import type { Line } from '../../chart/lines.ts';

const hourMs = 3_600_000;

interface Variable {
  variable: ForecastVariable;
  /** Factor to the measurement's unit. */
  factor: number;
  /**
   * True for values of the hour before their timestamp (Open-Meteo, hourly parameter definition): drawn at the middle
   * of that hour.
   */
  isOfHourBefore: boolean;
}

/** The forecast variable of each measurement. */
const variables: Partial<Record<MeasurementName, Variable>> = {
  temperature: { variable: 'temperature_2m', factor: 1, isOfHourBefore: false },
  humidity: { variable: 'relative_humidity_2m', factor: 1, isOfHourBefore: false },
  wind_speed: { variable: 'wind_speed_10m', factor: 1 / kmPerHourInMetresPerSecond, isOfHourBefore: false },
  radiation: { variable: 'shortwave_radiation', factor: 1, isOfHourBefore: true },
  rain: { variable: 'precipitation', factor: 1, isOfHourBefore: true },
};

/** A forecast series in the unit of its measurement. */
export type ForecastSeries = Pick<Line, 'times' | 'values'> & { variable: ForecastVariable };

/** The forecast from now on; null when it has none for that measurement, or has ended. */
export function forecastSeries(
  answer: ForecastAnswer,
  measurement: string | undefined,
  nowMs: number,
): ForecastSeries | null {
  const found = variables[measurement as MeasurementName]; // undefined for any other word
  if (found === undefined) return null;
  const { variable, factor, isOfHourBefore } = found;
  const column = answer.hourly?.[variable] ?? [];
  const points = forecastTimes(answer)
    .map((time, index) => ({ time: isOfHourBefore ? time - hourMs / 2 : time, value: column[index] }))
    .filter(({ time }) => time > nowMs - hourMs);
  const values = points.map(({ value }) => (typeof value === 'number' ? value * factor : null));
  return values.every((value) => value === null) ? null : { variable, times: points.map(({ time }) => time), values };
}
