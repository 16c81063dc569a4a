import type { ClimateLoop, ClimateProgram, ClimateSetpoints } from '../../../server/contract/climate-settings.ts';
import type { Format } from '../../ui/format.ts';

export type ProgramPart = ClimateLoop | 'limits';

/** Parts of a program besides its periods and influences, in the order of the page. */
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

type Units<Fields extends PropertyKey> = Readonly<Record<Fields, string>>;
/** Of a type's members those that hold numbers. */
type NumberField<Of> = {
  [Field in keyof Of]-?: Exclude<Of[Field], null | undefined> extends number ? Field : never;
}[keyof Of];

/** Numbers of a part by which a house is run, with their units. */
export const mainFields = {
  heating: {
    gain_pct_per_k: '%/K',
    integral_min: 'min',
    dead_band_k: 'K',
    stage_min_s: 's',
    pipe_min_c: 'C',
    pipe_max_c: 'C',
  },
  ventilation: { band_warm_k: 'K', band_cold_k: 'K', integral_min: 'min', wind_side_offset_k: 'K', fan_offset_k: 'K' },
  humidity: { vent_most_pct: '%', heat_most_pct: '%', gap_most_pct: '%', fog_above_kpa: 'kPa' },
  screens: { dark_k: 'K', delay_s: 's', pause_s: 's', open_step_pct: '%' },
  co2: { vent_most_pct: '%', light_least_w_m2: 'W/m2', maximum_ppm: 'ppm' },
  lamps: { below_w_m2: 'W/m2', above_w_m2: 'W/m2', sum_mol_m2: 'mol/m2', most_h: 'h' },
  irrigation: {
    sum_j_cm2: 'J/cm2',
    shot_ml_m2: 'ml/m2',
    least_rest_min: 'min',
    most_rest_min: 'min',
    begin_min: 'min',
    end_min: 'min',
    moisture_below_pct: '%',
    drain_target_pct: '%',
    most_l_m2: 'l/m2',
  },
  circulation: { spread_k: 'K', minutes_per_h: 'min' },
  mean_temperature: { target_c: 'C', days: 'd', most_k: 'K' },
  limits: { storm_m_s: 'm/s', rain_vent_most_pct: '%', frost_c: 'C', frost_vent_most_pct: '%' },
} as const satisfies { [Part in ProgramPart]: Partial<Units<keyof ClimateProgram[Part]>> };

/** The rest of its numbers, which are set once. */
export const furtherFields = {
  heating: { sun_heat_share: '', least_step_pct: '%', pause_s: 's' },
  ventilation: {
    warm_c: 'C',
    cold_c: 'C',
    band_share_per_m_s: '1/(m/s)',
    least_step_pct: '%',
    pause_s: 's',
  },
  humidity: {
    vent_pct_per_pct: '%/%',
    heat_pct_per_pct: '%/%',
    gap_pct_per_pct: '%/%',
    fog_pulse_s: 's',
    fog_pause_s: 's',
    fog_vent_most_pct: '%',
  },
  screens: { open_step_s: 's' },
  co2: { light_full_w_m2: 'W/m2', outdoor_ppm: 'ppm', deadband_ppm: 'ppm', capacity_kg_h: 'kg/h' },
  lamps: { lamp_umol_m2_s: 'umol/m2/s', transmittance: '', least_on_s: 's', group_delay_s: 's' },
  irrigation: { drain_gain: '', drain_most_pct: '%', most_valve_s: 's' },
  circulation: {},
  mean_temperature: {},
  limits: { release_s: 's' },
} as const satisfies {
  [Part in ProgramPart]: Units<Exclude<NumberField<ClimateProgram[Part]>, keyof (typeof mainFields)[Part]>>;
};

/** Parts that are tables: each point a row of two numbers. */
export const tableFields = {
  energy: { outdoor_c: 'C', radiation_w_m2: 'W/m2' },
  shade: { radiation_w_m2: 'W/m2', closed_pct: '%' },
} as const satisfies { [Table in 'energy' | 'shade']: Units<keyof ClimateProgram['screens'][Table][number]> };
export type TableField = keyof typeof tableFields;

/** Setpoints of a period, the first four by which it is known. */
export const setpointFields = {
  heating_c: 'C',
  ventilation_c: 'C',
  humidity_pct: '%',
  co2_ppm: 'ppm',
  deficit_kpa: 'kPa',
  deficit_g_m3: 'g/m3',
  vent_min_pct: '%',
  vent_max_pct: '%',
  wind_side_max_pct: '%',
  pipe_min_c: 'C',
  pipe_max_c: 'C',
} as const satisfies Units<NumberField<ClimateSetpoints>>;
export type SetpointField = keyof typeof setpointFields;

type FieldsOf<Part> = Part extends unknown ? keyof Part : never;
/** A number of any part. */
export type LoopField = FieldsOf<(typeof mainFields)[ProgramPart]> | FieldsOf<(typeof furtherFields)[ProgramPart]>;

export function fieldsOf(table: typeof mainFields | typeof furtherFields, part: ProgramPart): [LoopField, string][] {
  return Object.entries(table[part]) as [LoopField, string][]; // of a const object
}

/** A number of a program with its unit, with no more digits than it has. */
export function amountText(path: string, value: number, format: Format): string {
  return format.amount(value, unitOf(path) ?? '');
}

/** The unit of a number in a program by its path, as `heating.pause_s`; undefined when it is not a number. */
export function unitOf(path: string): string | undefined {
  return units[path.slice(path.lastIndexOf('.') + 1)];
}

const units: Readonly<Record<string, string>> = Object.assign(
  { k_per_h: 'K/h', offset_min: 'min', minutes: 'min' },
  setpointFields,
  ...[mainFields, furtherFields, tableFields].flatMap((table): object[] => Object.values(table)),
) as Record<string, string>; // of const objects

/** Whether a path names a number of a loop or a limit, as pages have words for. */
export function isLoopField(name: string): name is LoopField {
  return [mainFields, furtherFields].some((table) => Object.values(table).some((fields) => name in fields));
}
