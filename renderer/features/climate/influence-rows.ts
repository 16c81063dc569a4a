import type { ClimateInfluence } from '../../../server/contract/climate-settings.ts';

/** An influence as it is entered; null for what is empty. */
export type InfluenceRow = Omit<ClimateInfluence, Corner> & Record<Corner, number | null>;
type Corner = 'from_x' | 'to_x' | 'from_y' | 'to_y';

/** Null while a number is missing. */
export function influencesOf(rows: readonly InfluenceRow[]): ClimateInfluence[] | null {
  const whole = rows.filter(
    (row): row is ClimateInfluence =>
      row.from_x !== null && row.to_x !== null && row.from_y !== null && row.to_y !== null,
  );
  return whole.length === rows.length ? whole : null;
}

/** More light, a warmer house: what most houses begin with. */
export const firstInfluence: InfluenceRow = {
  ...{ on: 'heating_c', source: 'radiation', from_x: 100, to_x: 400, from_y: 0, to_y: 2 },
};

/** Units of what an influence goes by; of a measurement its own. */
export const sourceUnits: Readonly<Record<ClimateInfluence['source'], string>> = {
  ...{ radiation: 'W/m2', outdoor_temp: 'C', wind: 'm/s', humidity: '%', temperature_mean: 'C', light_sum: 'mol/m2' },
  measurement: '',
};

export const shiftUnits: Readonly<Record<ClimateInfluence['on'], string>> = {
  ...{ heating_c: 'K', ventilation_c: 'K', humidity_pct: '%', co2_ppm: 'ppm' },
};
