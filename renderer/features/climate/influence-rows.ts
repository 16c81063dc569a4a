import type { ClimateInfluence } from '../../../server/contract/climate-settings.ts';
import { seriesKey } from '../../../server/contract/measured.ts';

type Corner = 'from_x' | 'to_x' | 'from_y' | 'to_y';

/** An influence as form values; null for empty fields. */
export interface InfluenceRow extends Pick<ClimateInfluence, 'on' | 'source'>, Record<Corner, number | null> {
  slew_per_h: number | null;
  /** For the source measurement: its series, as `device/measurement`, empty when none is chosen, and its age. */
  series: string;
  max_age_s: number | null;
}

const usualAge_s = 600;

export function influenceRowOf({ measurement, slew_per_h, ...influence }: ClimateInfluence): InfluenceRow {
  return {
    ...influence,
    slew_per_h: slew_per_h ?? null,
    series: measurement === undefined ? '' : seriesKey(measurement),
    max_age_s: measurement?.max_age_s ?? usualAge_s,
  };
}

/** An influence in contract form, except for missing fields. */
export function influenceOf({ series, max_age_s, slew_per_h, ...row }: InfluenceRow): object {
  const [device_id, measurement_id] = series.split('/');
  return {
    ...row,
    ...(slew_per_h !== null && { slew_per_h }),
    ...(row.source === 'measurement' && series !== '' && { measurement: { device_id, measurement_id, max_age_s } }),
  };
}

/** More light, a warmer house: what most houses begin with. */
export const firstInfluence: InfluenceRow = influenceRowOf({
  on: 'heating_c',
  source: 'radiation',
  from_x: 100,
  to_x: 400,
  from_y: 0,
  to_y: 2,
});

/** Units of what an influence goes by; of a measurement its own. */
export const sourceUnits: Readonly<Record<ClimateInfluence['source'], string>> = {
  radiation: 'W/m2',
  outdoor_temp: 'C',
  wind: 'm/s',
  humidity: '%',
  temperature_mean: 'C',
  light_sum: 'mol/m2',
  measurement: '',
};

export const shiftUnits: Readonly<Record<ClimateInfluence['on'], string>> = {
  heating_c: 'K',
  ventilation_c: 'K',
  humidity_pct: '%',
  co2_ppm: 'ppm',
  vent_min_pct: '%',
  vent_max_pct: '%',
  pipe_min_c: 'K',
};
