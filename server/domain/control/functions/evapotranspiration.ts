import { saturationPressure_pa, zeroCelsius_k } from '../../climate/air.ts';

/** The air over grass in one hour. */
export interface HourOfAir {
  temp_c: number;
  humidity_pct: number;
  wind_m_s: number;
  /** Global radiation, W/m2. */
  radiation_w_m2: number;
  pressure_pa: number;
  /** Global radiation over that of a clear sky, 0.3 to 1; at night that of the hours before sunset. */
  clearness: number;
}

/** MJ/m2 for one W/m2 over an hour. */
const mjPerWh = 0.0036;
/** Stefan-Boltzmann constant, MJ/m2 h K4 (FAO-56, eq. 39 by the hour). */
const stefanBoltzmann = 4.903e-9 / 24;
/** Of grass (FAO-56, eq. 38). */
const albedo = 0.23;

/**
 * Reference evapotranspiration of grass in mm/h by the hourly Penman-Monteith equation: Allen, Pereira, Raes and Smith
 * (1998), FAO Irrigation and Drainage Paper 56, eq. 53, with net radiation by eqs. 38 to 40 and soil heat by eqs. 45
 * and 46. Dew is 0.
 */
export function grassEvapotranspiration_mm_h(air: HourOfAir): number {
  const saturated_kpa = saturationPressure_pa(air.temp_c) / 1000;
  const vapour_kpa = (saturated_kpa * air.humidity_pct) / 100;
  const slope = saturationSlope_kpa_k(air.temp_c);
  const gamma = 0.665e-3 * (air.pressure_pa / 1000);
  const net = netRadiation_mj_m2h(air, vapour_kpa);
  const available = net * (air.radiation_w_m2 > 0 ? 1 - 0.1 : 1 - 0.5);
  const aerodynamic = gamma * (37 / (air.temp_c + 273)) * air.wind_m_s * (saturated_kpa - vapour_kpa);
  const et = (0.408 * slope * available + aerodynamic) / (slope + gamma * (1 + 0.34 * air.wind_m_s));
  return Math.max(0, et);
}

/** Slope of the saturation vapour pressure curve, kPa/K (FAO-56, eq. 13). */
export function saturationSlope_kpa_k(temp_c: number): number {
  return (4098 * 0.6108 * Math.exp((17.27 * temp_c) / (temp_c + 237.3))) / (temp_c + 237.3) ** 2;
}

function netRadiation_mj_m2h({ temp_c, radiation_w_m2, clearness }: HourOfAir, vapour_kpa: number): number {
  const short = (1 - albedo) * radiation_w_m2 * mjPerWh;
  const cloud = 1.35 * Math.min(1, Math.max(0.3, clearness)) - 0.35;
  const long = stefanBoltzmann * (temp_c + zeroCelsius_k) ** 4 * (0.34 - 0.14 * Math.sqrt(vapour_kpa)) * cloud;
  return short - long;
}
