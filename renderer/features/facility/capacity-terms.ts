import type {
  ComputeResult,
  CoolingTerms,
  GeometryTerms,
  HeatingTerms,
  VentilationTerms,
} from '../../../server/contract/facility.ts';

type FigureName = Exclude<keyof ComputeResult, 'details' | 'assumptions' | 'warnings'>;
type TermName =
  | Exclude<keyof GeometryTerms, 'structure' | 'ridge_reference' | 'volume_m3'>
  | Exclude<keyof HeatingTerms, 'load_kw'>
  | Exclude<keyof CoolingTerms, 'load_kw'>
  | Exclude<keyof VentilationTerms, 'forced_m3h' | 'natural_m3h'>;

interface Term {
  name: TermName;
  /** Wire unit; `share` is 0 to 1 shown in per cent, empty is a bare number. */
  unit: string;
  value: number | null;
}

export interface Figure {
  name: FigureName;
  unit: string;
  value: number;
  terms: Term[];
}

const pick = <Terms extends object>(terms: Terms, units: Partial<Record<keyof Terms & TermName, string>>): Term[] =>
  // Object.entries loses the key type that the parameter fixes, and every named term is a number or null.
  (Object.entries(units) as [keyof Terms & TermName, string][]).map(([name, unit]) => ({
    name,
    unit,
    value: terms[name] as number | null,
  }));

/** The six results of a house, each with its terms. */
export function figuresOf(result: ComputeResult): Figure[] {
  const { geometry, heating, cooling, ventilation } = result.details;
  const figure = (name: FigureName, unit: string, terms: Term[]): Figure => ({
    name,
    unit,
    value: result[name],
    terms,
  });
  return [
    figure(
      'area_m2',
      'm2',
      pick(geometry, {
        floor_area_m2: 'm2',
        roof_area_m2: 'm2',
        side_area_m2: 'm2',
        end_area_m2: 'm2',
        envelope_area_m2: 'm2',
        perimeter_m: 'm',
      }),
    ),
    figure(
      'volume_m3',
      'm3',
      pick(geometry, { ridge_above_ground_m: 'm', rise_m: 'm', slope_m: 'm', pitch_deg: 'deg', house_count: '' }),
    ),
    figure(
      'heating_load_kw',
      'kW',
      pick(heating, {
        indoor_c: 'C',
        outdoor_c: 'C',
        roof_u_w_m2k: 'W/m2K',
        wall_u_w_m2k: 'W/m2K',
        transmission_kw: 'kW',
        air_changes_per_h: '1/h',
        infiltration_kw: 'kW',
        ground_loss_w_mk: 'W/mK',
        ground_offset_k: 'K',
        ground_kw: 'kW',
        wind_factor: '',
        installed_warm_air_kw: 'kW',
        installed_hot_water_kw: 'kW',
      }),
    ),
    figure(
      'cooling_load_kw',
      'kW',
      pick(cooling, {
        radiation_w_m2: 'W/m2',
        transmittance: 'share',
        shade_factor: 'share',
        latent_share: 'share',
        transmitted_kw: 'kW',
        absorptance: 'share',
        absorbed_kw: 'kW',
      }),
    ),
    figure(
      'forced_ventilation_m3h',
      'm3/h',
      pick(ventilation, {
        rise_k: 'K',
        conduction_kw: 'kW',
        balance_m3h: 'm3/h',
        minimum_m3h: 'm3/h',
        six_air_changes_m3h: 'm3/h',
        fan_m3h: 'm3/h',
      }),
    ),
    figure('natural_ventilation_m3h', 'm3/h', pick(ventilation, { natural_air_changes_per_h: '1/h' })),
  ];
}
