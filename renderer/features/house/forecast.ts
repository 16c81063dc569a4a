import {
  forecastTimes,
  kmPerHourInMetresPerSecond,
  type ForecastAnswer,
  type ForecastVariable,
} from '../../../server/contract/proxy.ts';

/** Forecast weather; null where the model has no value. */
export interface Expected {
  /** Epoch ms. */
  at_ms: number;
  temp_c: number | null;
  rain_mm: number | null;
  wind_m_s: number | null;
  radiation_w_m2: number | null;
}

const hourMs = 3_600_000;
/** Hours in one column of the table: mean temperature and radiation, total rain, strongest wind. */
const stepHours = 3;
const mostSteps = 16;

/** The hours from now on in steps of three. */
export function expectedFrom(answer: ForecastAnswer, nowMs: number): Expected[] {
  const { hourly } = answer;
  const times = forecastTimes(answer);
  const first = times.findIndex((time) => time > nowMs - hourMs);
  if (first < 0) return [];
  const steps: Expected[] = [];
  for (let at = first; at + stepHours <= times.length && steps.length < mostSteps; at += stepHours) {
    const values = (name: ForecastVariable): number[] =>
      (hourly?.[name] ?? []).slice(at, at + stepHours).filter((value) => typeof value === 'number');
    steps.push({
      at_ms: times[at] ?? NaN,
      temp_c: mean(values('temperature_2m')),
      rain_mm: sum(values('precipitation')),
      wind_m_s: most(values('wind_speed_10m').map((speed) => speed / kmPerHourInMetresPerSecond)),
      radiation_w_m2: mean(values('shortwave_radiation')),
    });
  }
  return steps;
}

function sum(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number | null {
  const total = sum(values);
  return total === null ? null : total / values.length;
}

function most(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}
