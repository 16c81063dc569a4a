import {
  dryAirHeat_j_kgk,
  dusk_w_m2,
  latentHeat_j_kg,
  leakage_m3_s,
  moisture,
  type StudyHouse,
  type WeatherHour,
  type WeatherYear,
} from './house.ts';

/** The heat balance of a house in one hour, its air held between the setpoints of heating and ventilation. */
export interface HourBalance {
  weather: WeatherHour;
  isNight: boolean;
  indoor_c: number;
  transmission_kw: number;
  infiltration_kw: number;
  /** Heat of the vapour that leaks out. */
  latent_kw: number;
  ground_kw: number;
  solar_kw: number;
  heating_kw: number;
  /** The ventilation that holds its setpoint, as far as the house can. */
  ventilation_m3h: number;
  /** Even fully open it is warmer than the setpoint of ventilation. */
  isTooHot: boolean;
}

/**
 * The balances of a year, hour by hour and steady within each: loss = sun + heating, with the sensible and the latent
 * heat of infiltration (ASAE EP406.4, Heating, Ventilating and Cooling Greenhouses, 2003: rho N V (cp dT + hfg dW)).
 * Storage of floor and crop from one hour to the next is neglected.
 */
export function balancesOf(house: StudyHouse, year: WeatherYear): HourBalance[] {
  return year.map((weather) => balanceOf(house, weather));
}

function balanceOf(house: StudyHouse, weather: WeatherHour): HourBalance {
  const { conditions } = house;
  const isNight = weather.radiation_w_m2 <= dusk_w_m2;
  const solar_kw = house.sun_kw_m2_w * weather.radiation_w_m2;
  const least_c = isNight ? conditions.heating_indoor_c : conditions.heating_day_c;
  const air = { weather, isNight, outdoor: moisture(house, weather) };
  const common = { weather, isNight, solar_kw, ventilation_m3h: 0, isTooHot: false };
  const cold = lossAt(house, { ...air, indoor_c: least_c });
  const missing_kw = sum(cold) - solar_kw;
  if (missing_kw > 0) return { ...common, ...cold, indoor_c: least_c, heating_kw: missing_kw };

  const most_c = Math.max(least_c, conditions.ventilation_c);
  const warm = lossAt(house, { ...air, indoor_c: most_c });
  const surplus_kw = solar_kw - sum(warm);
  if (surplus_kw > 0) {
    const vents = ventilationOf(house, surplus_kw, most_c - weather.temp_c);
    return { ...common, ...vents, ...warm, indoor_c: most_c, heating_kw: 0 };
  }
  // Between the setpoints the sun alone holds it: the loss grows with the difference.
  const span_kw = sum(warm) - sum(cold);
  const indoor_c = span_kw > 0 ? least_c - (missing_kw / span_kw) * (most_c - least_c) : least_c;
  return { ...common, ...lossAt(house, { ...air, indoor_c }), indoor_c, heating_kw: 0 };
}

type LossTerms = Pick<HourBalance, 'transmission_kw' | 'infiltration_kw' | 'latent_kw' | 'ground_kw'>;

interface AirCase {
  weather: WeatherHour;
  /** Moisture outside, kg/kg. */
  outdoor: number;
  isNight: boolean;
  indoor_c: number;
}

function lossAt(house: StudyHouse, { weather, outdoor, isNight, indoor_c }: AirCase): LossTerms {
  const rate = isNight ? house.night : house.day;
  const rise_k = Math.max(0, indoor_c - weather.temp_c);
  return {
    transmission_kw: rate.transmission_kw_k * rise_k,
    infiltration_kw: rate.infiltration_kw_k * rise_k,
    latent_kw: rise_k > 0 ? latentLeak_kw(house, outdoor, indoor_c) : 0,
    ground_kw: rate.ground_kw_k * Math.max(0, rise_k - rate.ground_offset_k),
  };
}

function sum(loss: LossTerms): number {
  return loss.transmission_kw + loss.infiltration_kw + loss.latent_kw + loss.ground_kw;
}

/** Heat spent on evaporating the vapour that leaks out, kW; 0 when the air outside is as moist. */
export function latentLeak_kw(house: StudyHouse, outdoor: number, indoor_c: number): number {
  const { humidity_pct, wind_factor } = house.conditions;
  const drier = Math.max(0, moisture(house, { temp_c: indoor_c, humidity_pct }) - outdoor);
  return (house.air_kg_m3 * leakage_m3_s(house) * latentHeat_j_kg * drier * wind_factor) / 1000;
}

function ventilationOf(
  house: StudyHouse,
  surplus_kw: number,
  rise_k: number,
): Pick<HourBalance, 'ventilation_m3h' | 'isTooHot'> {
  const most_m3h = Math.max(house.natural_m3h, house.fan_m3h ?? 0);
  const needed_m3h = rise_k > 0 ? (surplus_kw * 1000 * 3600) / (house.air_kg_m3 * dryAirHeat_j_kgk * rise_k) : Infinity;
  return { ventilation_m3h: Math.min(most_m3h, needed_m3h), isTooHot: needed_m3h > most_m3h };
}
