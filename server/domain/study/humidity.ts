import type { HumidityStudy } from '../../contract/study.ts';
import { airHeat_j_m3k, vapourDeficit_kpa } from '../climate/air.ts';
import {
  dryAirHeat_j_kgk,
  latentHeat_j_kg,
  leakage_m3_s,
  moisture,
  type StudyHouse,
  type WeatherHour,
} from './house.ts';
import { latentLeak_kw, type HourBalance } from './hours.ts';

/**
 * Ventilation that keeps the humidity below its limit: the crop's vapour less what leaks out, over the difference in
 * moisture, V = (E - rho N V dW) / (rho dW); its heat is rho V (cp dT + hfg dW). ASAE EP406.4.
 */
export function humidityStudy(house: StudyHouse, hours: readonly HourBalance[]): HumidityStudy {
  const { conditions } = house;
  const coldest = { temp_c: conditions.heating_outdoor_c, humidity_pct: outdoorHumidity_pct, radiation_w_m2: 0 };
  const design = removal(house, coldest, conditions.heating_indoor_c);
  // By day the vents are open for the heat when the crop transpires most; only the night counts.
  const nights = hours.filter(({ isNight, weather, indoor_c }) => isNight && weather.temp_c < indoor_c);
  let humid_hours = 0;
  let heat_kwh = 0;
  let undryable_hours = 0;
  for (const { weather, indoor_c } of nights) {
    const found = removal(house, weather, indoor_c);
    if (found.ventilation_m3h === null) undryable_hours += 1;
    else if (found.ventilation_m3h > 0) {
      humid_hours += 1;
      heat_kwh += found.heat_kw ?? 0;
    }
  }
  return {
    transpiration_g_m2h: transpiration_kg_m2s(conditions.heating_indoor_c, conditions.humidity_pct) * 3.6e6,
    leak_removes_g_m2h: design.leak_removes_kg_s * (3.6e6 / house.geometry.floor_area_m2),
    infiltration_sensible_kw: design.infiltration_sensible_kw,
    infiltration_latent_kw: latentLeak_kw(house, moisture(house, coldest), conditions.heating_indoor_c),
    ventilation_m3h: design.ventilation_m3h,
    heat_kw: design.heat_kw,
    humid_hours,
    undryable_hours,
    year_heat_kwh: heat_kwh,
    year_heat_kwh_m2: heat_kwh / house.geometry.floor_area_m2,
  };
}

/** Outdoor air of the design night is nearly saturated. */
const outdoorHumidity_pct = 90;

/** Boundary layer of a leaf, s/m: Vanthoor 2011, table 8.1. */
export const leafBoundary_s_m = 275;
/**
 * Stomata in the light, s/m, and the factor of their resistance in the dark: Stanghellini 1987, as in Vanthoor 2011,
 * eq. 8.50.
 */
const openStomata_s_m = 82;
const darkFactor = 4.3 / 0.54;
/** Increase of that resistance with the square of the vapour pressure deficit by night, 1/Pa2: the same, eq. 8.50. */
const deficitFactor_pa2 = 5.2e-6;
const psychrometric_pa_k = 65.8;
/** Leaf area over floor area of a full canopy. */
const leafArea = 3;

/**
 * Transpiration of a full canopy at air temperature by night, kg/m2s: 2 rho cp LAI VPD / (hfg gamma (rb + rs)).
 * Vanthoor 2011, eqs. 8.47 and 8.48, after Stanghellini 1987.
 */
export function transpiration_kg_m2s(indoor_c: number, humidity_pct: number): number {
  const deficit_pa = 1000 * vapourDeficit_kpa(indoor_c, humidity_pct);
  const stomata_s_m = openStomata_s_m * darkFactor * (1 + deficitFactor_pa2 * deficit_pa ** 2);
  const resistance_s_m = leafBoundary_s_m + stomata_s_m;
  return (2 * airHeat_j_m3k * leafArea * deficit_pa) / (latentHeat_j_kg * psychrometric_pa_k * resistance_s_m);
}

interface Removal {
  leak_removes_kg_s: number;
  infiltration_sensible_kw: number;
  /** null when the air outside is as moist as the limit: ventilation cannot dry it. */
  ventilation_m3h: number | null;
  heat_kw: number | null;
}

function removal(house: StudyHouse, weather: WeatherHour, indoor_c: number): Removal {
  const { humidity_pct } = house.conditions;
  const drier = moisture(house, { temp_c: indoor_c, humidity_pct }) - moisture(house, weather);
  const leak_kg_s = house.air_kg_m3 * leakage_m3_s(house);
  const leak_removes_kg_s = leak_kg_s * Math.max(0, drier);
  const given_kg_s = transpiration_kg_m2s(indoor_c, humidity_pct) * house.geometry.floor_area_m2;
  const infiltration_sensible_kw = (leak_kg_s * dryAirHeat_j_kgk * Math.max(0, indoor_c - weather.temp_c)) / 1000;
  if (drier <= 0) return { leak_removes_kg_s, infiltration_sensible_kw, ventilation_m3h: null, heat_kw: null };
  const flow_kg_s = Math.max(0, given_kg_s - leak_removes_kg_s) / drier;
  return {
    leak_removes_kg_s,
    infiltration_sensible_kw,
    ventilation_m3h: (flow_kg_s / house.air_kg_m3) * 3600,
    heat_kw: (flow_kg_s * (dryAirHeat_j_kgk * (indoor_c - weather.temp_c) + latentHeat_j_kg * drier)) / 1000,
  };
}
