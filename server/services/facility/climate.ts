import type { IndoorClimate, OutdoorClimate, SensorRole } from '../../contract/facility.ts';
import { sunOf } from '../../domain/analytics/light-sum.ts';
import { dewPoint_c, meanWindDirection_deg, vapourDeficit_kpa } from '../../domain/climate/air.ts';

/** A good reading with its weight in the mean of its role. */
export interface WeightedValue {
  role: SensorRole;
  value: number;
  unit: string | null;
  weight: number;
}

/** Means of the good readings; null when there is none. Deficit and dew point are derived from the means. */
export function indoorClimate(readings: readonly WeightedValue[]): IndoorClimate {
  const temp_c = mean(readings, 'indoor_temp');
  const humidity_pct = mean(readings, 'indoor_humidity');
  const hasAir = temp_c !== null && humidity_pct !== null;
  return {
    temp_c,
    humidity_pct,
    co2_ppm: mean(readings, 'indoor_co2'),
    vpd_kpa: hasAir ? vapourDeficit_kpa(temp_c, humidity_pct) : null,
    dew_point_c: hasAir ? dewPoint_c(temp_c, humidity_pct) : null,
  };
}

/**
 * Means of the good readings; directions are averaged as vectors, and light of any unit as the equivalent radiation.
 */
export function outdoorClimate(readings: readonly WeightedValue[]): OutdoorClimate {
  const directions = readings
    .filter(({ role }) => role === 'outdoor_wind_dir')
    .map(({ value, weight }) => ({ direction_deg: value, speed_m_s: weight }));
  return {
    temp_c: mean(readings, 'outdoor_temp'),
    humidity_pct: mean(readings, 'outdoor_humidity'),
    wind_m_s: mean(readings, 'outdoor_wind'),
    wind_dir_deg: meanWindDirection_deg(directions),
    radiation_w_m2: mean(readings.flatMap(inSun), 'outdoor_solar'),
    rain: mean(readings, 'rain'),
  };
}

function inSun(reading: WeightedValue): WeightedValue[] {
  const sun = sunOf(reading.unit ?? '');
  return sun === undefined ? [] : [{ ...reading, value: reading.value * sun, unit: 'W/m2' }];
}

function mean(readings: readonly WeightedValue[], role: SensorRole): number | null {
  const ofRole = readings.filter((reading) => reading.role === role);
  const weight = ofRole.reduce((sum, reading) => sum + reading.weight, 0);
  return weight === 0 ? null : ofRole.reduce((sum, { value, weight: share }) => sum + value * share, 0) / weight;
}
