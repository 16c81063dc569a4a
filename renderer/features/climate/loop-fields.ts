import type { ClimateLoop, ClimateProgram } from '../../../server/contract/climate-settings.ts';
import type { Format } from '../../ui/format.ts';

export type ProgramPart = ClimateLoop | 'limits';

/** Parts of a program beside its periods and influences, in the order in which a page has them. */
export const programParts = [
  'heating',
  'ventilation',
  'humidity',
  'screens',
  'co2',
  'lamps',
  'irrigation',
  'circulation',
  'mean_temperature',
  'limits',
] as const satisfies readonly ProgramPart[];

/** Numbers of a part that a page has, with their units. The rest is for the interface of programs. */
export const loopFields = {
  heating: {
    ...{ gain_pct_per_k: '%/K', integral_min: 'min', dead_band_k: 'K', stage_min_s: 's' },
    ...{ pipe_min_c: 'C', pipe_max_c: 'C' },
  },
  ventilation: {
    ...{ band_warm_k: 'K', band_cold_k: 'K', wind_side_offset_k: 'K', fan_offset_k: 'K' },
    ...{ least_step_pct: '%', pause_s: 's' },
  },
  humidity: { vent_most_pct: '%', heat_most_pct: '%', gap_most_pct: '%', fog_above_kpa: 'kPa' },
  screens: { delay_s: 's', pause_s: 's', open_step_pct: '%' },
  co2: { vent_most_pct: '%', light_least_w_m2: 'W/m2', maximum_ppm: 'ppm' },
  lamps: { below_w_m2: 'W/m2', above_w_m2: 'W/m2', sum_mol_m2: 'mol/m2', most_h: 'h' },
  irrigation: {
    ...{ sum_j_cm2: 'J/cm2', shot_ml_m2: 'ml/m2', least_rest_min: 'min', most_rest_min: 'min' },
    ...{ begin_min: 'min', end_min: 'min', moisture_below_pct: '%', drain_target_pct: '%', most_l_m2: 'l/m2' },
  },
  circulation: { spread_k: 'K', minutes_per_h: 'min' },
  mean_temperature: { target_c: 'C', days: 'd', most_k: 'K' },
  limits: { storm_m_s: 'm/s', rain_vent_most_pct: '%', frost_c: 'C', frost_vent_most_pct: '%' },
} as const satisfies { [Part in ProgramPart]: Partial<Record<keyof ClimateProgram[Part], string>> };

type FieldsOf<Part> = Part extends unknown ? keyof Part : never;
export type LoopField = FieldsOf<(typeof loopFields)[ProgramPart]>;

/** A number of a program with its unit, with no more digits than it has. */
export function amountText(path: string, value: number, format: Format): string {
  const unit = unitOf(path) ?? '';
  if (unit === 'C') return format.quantity(value, unit);
  return unit === '' ? format.number(value) : `${format.number(value)}\u202f${format.unit(unit)}`;
}

/** The unit of a number in a program by its path, as `heating.pause_s`; undefined of what is no number. */
export function unitOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const known = Object.values(loopFields).find((fields) => name in fields) as Record<string, string> | undefined;
  return known?.[name] ?? setpointUnits[name];
}

const setpointUnits: Readonly<Record<string, string>> = {
  ...{ heating_c: 'C', ventilation_c: 'C', humidity_pct: '%', co2_ppm: 'ppm', vent_min_pct: '%', vent_max_pct: '%' },
  ...{ k_per_h: 'K', offset_min: 'min', minutes: 'min' },
};
