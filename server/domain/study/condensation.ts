import type { CondensationStudy } from '../../contract/study.ts';
import {
  airHeat_j_m3k,
  dewPoint_c,
  saturationPressure_pa,
  vapourDensity_kg_m3,
  zeroCelsius_k,
} from '../climate/air.ts';
import type { StudyHouse } from './house.ts';
import { leafBoundary_s_m } from './humidity.ts';
import type { HourBalance } from './hours.ts';

/**
 * Films on the inside of a surface, W/m2K: ISO 6946:2017, table 7 (Rsi 0.10 m2K/W for upward heat flow, 0.13
 * horizontal), and the convective part of the upward one, C.2.
 */
const roofFilm_w_m2k = 10;
const wallFilm_w_m2k = 1 / 0.13;
const roofConvection_w_m2k = 5;
/** Radiative exchange of leaf and the covering's inner face, both near black: 1/(1/1 + 1/0.85 - 1). */
const exchange = 0.85;
const stefanBoltzmann_w_m2k4 = 5.670374419e-8;

/**
 * Temperature of the inner face of a covering of U W/m2K with a film inside, C: Ti - U (Ti - To) / h. Never colder than
 * outside.
 */
export function innerFace_c(u_w_m2k: number, film_w_m2k: number, air: { indoor_c: number; outdoor_c: number }): number {
  const share = Math.min(1, u_w_m2k / film_w_m2k);
  return air.indoor_c - share * (air.indoor_c - air.outdoor_c);
}

/**
 * Temperature of a leaf under a colder roof by night, C: what it radiates to the roof it receives from the air on both
 * sides, eps sigma (Tl^4 - Tr^4) = 2 rho cp / rb (Ti - Tl); dry, without transpiration. By Newton's method, whose
 * function is convex: five steps reach 1e-9 K.
 */
export function leafAtNight_c(indoor_c: number, roof_c: number): number {
  const film_w_m2k = (2 * airHeat_j_m3k) / leafBoundary_s_m;
  const given_w_m2 = exchange * stefanBoltzmann_w_m2k4 * (roof_c + zeroCelsius_k) ** 4;
  let leaf_c = indoor_c;
  for (let step = 0; step < 5; step += 1) {
    const cube = exchange * stefanBoltzmann_w_m2k4 * (leaf_c + zeroCelsius_k) ** 3;
    const lost_w_m2 = cube * (leaf_c + zeroCelsius_k) - given_w_m2 - film_w_m2k * (indoor_c - leaf_c);
    leaf_c -= lost_w_m2 / (4 * cube + film_w_m2k);
  }
  return leaf_c;
}

/** Humidity of air at `indoor_c` from which water condenses on a surface, %. */
function settlingHumidity_pct(surface_c: number, indoor_c: number): number {
  return Math.min(100, (100 * saturationPressure_pa(surface_c)) / saturationPressure_pa(indoor_c));
}

/** Water that condenses on the roof, kg/m2h of roof: mass transfer by the Lewis relation, h / (rho cp). */
function settled_kg_m2h(indoor: { temp_c: number; humidity_pct: number }, surface_c: number): number {
  const drier_kg_m3 = vapourDensity_kg_m3(indoor.temp_c, indoor.humidity_pct) - vapourDensity_kg_m3(surface_c, 100);
  return Math.max(0, (roofConvection_w_m2k / airHeat_j_m3k) * drier_kg_m3 * 3600);
}

/** Where water condenses in the design night, and how often in a year at the house's humidity limit. */
export function condensationStudy(house: StudyHouse, hours: readonly HourBalance[]): CondensationStudy {
  const { conditions, covering, geometry } = house;
  const night = { indoor_c: conditions.heating_indoor_c, outdoor_c: conditions.heating_outdoor_c };
  const roof_c = innerFace_c(covering.night.roof_u_w_m2k, roofFilm_w_m2k, night);
  const wall_u_w_m2k = Math.max(covering.night.side_u_w_m2k, covering.night.end_u_w_m2k);
  const wall_c = innerFace_c(wall_u_w_m2k, wallFilm_w_m2k, night);
  const leaf_c = leafAtNight_c(night.indoor_c, roof_c);
  const { humidity_pct } = conditions;
  let roof_hours = 0;
  let leaf_hours = 0;
  let water_kg_m2 = 0;
  for (const { weather, isNight, indoor_c } of hours) {
    const air = { indoor_c, outdoor_c: weather.temp_c };
    const { roof_u_w_m2k } = isNight ? covering.night : covering.day;
    const cover_c = innerFace_c(roof_u_w_m2k, roofFilm_w_m2k, air);
    const dew_c = dewPoint_c(indoor_c, humidity_pct);
    if (dew_c === null || cover_c >= dew_c) continue;
    roof_hours += 1;
    water_kg_m2 += settled_kg_m2h({ temp_c: indoor_c, humidity_pct }, cover_c);
    if (isNight && leafAtNight_c(indoor_c, cover_c) < dew_c) leaf_hours += 1;
  }
  return {
    roof_inner_c: roof_c,
    wall_inner_c: wall_c,
    leaf_c,
    roof_settling_pct: settlingHumidity_pct(roof_c, night.indoor_c),
    wall_settling_pct: settlingHumidity_pct(wall_c, night.indoor_c),
    leaf_settling_pct: settlingHumidity_pct(leaf_c, night.indoor_c),
    humidity_pct,
    roof_hours,
    leaf_hours,
    water_l_m2: (water_kg_m2 * geometry.roof_area_m2) / geometry.floor_area_m2,
  };
}
