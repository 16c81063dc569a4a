import type { GeometryTerms } from '../../contract/facility.ts';
import { coolingLoad } from '../capacity/cooling.ts';
import { meanTransmission, type Covering, type Transmission } from '../capacity/covering.ts';
import { heatingLoad } from '../capacity/heating.ts';
import { airHeatAt_j_m3k, humidityRatio, pressureAt_pa, vapourPressure_pa } from '../climate/air.ts';
import type { StudyConditions } from './conditions.ts';

/** What the studies of a house share: its shape, its covering, its operation, and its rate of heat loss. */
export interface StudyHouse {
  geometry: GeometryTerms;
  covering: Covering;
  conditions: StudyConditions;
  /** Through all openings in calm weather. */
  natural_m3h: number;
  /** Flow of its own fans; null without fans. */
  fan_m3h: number | null;
  /** Thermal curtains drawn, and open. */
  night: LossRate;
  day: LossRate;
  /** Dry air in a m3 at the height of the place, as the loads assume it. */
  air_kg_m3: number;
  pressure_pa: number;
  /** Sensible heat of the sun through an unshaded covering, kW for each W/m2 outside. */
  sun_kw_m2_w: number;
}

/** Loss of the closed house for each kelvin, by the terms of the heating load, wind factor included. */
interface LossRate {
  transmission_kw_k: number;
  infiltration_kw_k: number;
  /** Above an offset that the ground returns. */
  ground_kw_k: number;
  ground_offset_k: number;
}

/** One hour of weather. */
export interface WeatherHour {
  temp_c: number;
  humidity_pct: number;
  /** Mean global radiation on a horizontal plane. */
  radiation_w_m2: number;
}

/** A year of weather from the first hour of January, 365 days. */
export type WeatherYear = readonly WeatherHour[];

/** Below this thermal curtains are drawn and the night setpoint applies, W/m2. */
export const dusk_w_m2 = 5;
/** Latent heat of vaporisation near 20 C, J/kg. */
export const latentHeat_j_kg = 2.45e6;
/** Heat capacity of dry air, J/kgK. */
export const dryAirHeat_j_kgk = 1005;

type Parts = Omit<StudyHouse, 'night' | 'day' | 'sun_kw_m2_w' | 'air_kg_m3' | 'pressure_pa'>;

/** Calculates how the house loses and gains heat. */
export function studied(parts: Parts): StudyHouse {
  const { geometry, covering, conditions } = parts;
  const { latent_share } = conditions;
  const sun = { ...covering, shade_factor: 1, radiation_w_m2: 1, latent_share };
  return {
    ...parts,
    air_kg_m3: airHeatAt_j_m3k(conditions.elevation_m) / dryAirHeat_j_kgk,
    pressure_pa: pressureAt_pa(conditions.elevation_m),
    night: lossRate(parts, covering.night),
    day: lossRate(parts, covering.day),
    sun_kw_m2_w: coolingLoad(geometry, { ...sun, roof_u_w_m2k: covering.day.roof_u_w_m2k }).load_kw,
  };
}

function lossRate({ geometry, conditions }: Parts, faces: Transmission): LossRate {
  const { wind_factor } = conditions;
  const oneKelvin = { indoor_c: 1, outdoor_c: 0, ...meanTransmission(geometry, faces) };
  const { air_changes_per_h, elevation_m } = conditions;
  const terms = heatingLoad(geometry, { ...oneKelvin, air_changes_per_h, wind_factor, elevation_m });
  return {
    transmission_kw_k: terms.transmission_kw * wind_factor,
    infiltration_kw_k: terms.infiltration_kw * wind_factor,
    ground_kw_k: (terms.ground_loss_w_mk * geometry.perimeter_m * wind_factor) / 1000,
    ground_offset_k: terms.ground_offset_k,
  };
}

/** Kilograms of vapour per kilogram of dry air. */
export function moisture(
  { pressure_pa }: StudyHouse,
  { temp_c, humidity_pct }: { temp_c: number; humidity_pct: number },
): number {
  return humidityRatio(vapourPressure_pa(temp_c, humidity_pct), pressure_pa);
}

/** Flow through the leaks of the closed house, m3/s. */
export function leakage_m3_s({ geometry, conditions }: StudyHouse): number {
  return (conditions.air_changes_per_h / 3600) * geometry.volume_m3;
}
