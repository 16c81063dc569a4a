import type { EvaporativeStudy } from '../../contract/study.ts';
import { forcedVentilation } from '../capacity/cooling.ts';
import { meanTransmission } from '../capacity/covering.ts';
import { wetBulb_c } from '../climate/air.ts';
import {
  dryAirHeat_j_kgk,
  latentHeat_j_kg,
  moisture,
  type StudyHouse,
  type WeatherHour,
  type WeatherYear,
} from './house.ts';

/**
 * Corrugated cellulose pads, 100 and 150 mm thick: face velocity m/s; for the thick one the minimum water in l/min for
 * each metre of length, and the sump in l/m2 of pad. ASAE EP406.4.
 */
const pads = { thin: { face_m_s: 1.27 }, thick: { face_m_s: 1.78, water_l_min_m: 9.9, sump_l_m2: 40 } } as const;
/** Usual efficiency of a wetted pad: the share of the way from dry to wet bulb. ASAE EP406.4. */
const padEffect = 0.8;
/** Share of the hours of a year that are hotter than the design hour: 1 %, as for ASHRAE's 1 % dry bulb. */
const hotterShare = 0.01;

/** Evaporative cooling in the design hour of summer: pads with fans, or fog with vents. */
export function evaporativeStudy(house: StudyHouse, year: WeatherYear): EvaporativeStudy {
  const outside = hotHour(year);
  const { conditions } = house;
  const wet_c = wetBulb_c(outside.temp_c, outside.humidity_pct, house.pressure_pa);
  const radiation_w_m2 = conditions.radiation_w_m2;
  const pad_c = outside.temp_c - padEffect * (outside.temp_c - wet_c);
  return {
    outdoor_c: outside.temp_c,
    wet_bulb_c: wet_c,
    radiation_w_m2,
    pad_air_c: pad_c,
    ...padOf(house, { outside, radiation_w_m2, pad_c }),
    ...fogOf(house, { outside, radiation_w_m2, held_c: pad_c + conditions.ventilation_rise_k }),
  };
}

/** The hour that 1 % of the year's hours exceed, with the mean humidity of the hours within half a kelvin. */
function hotHour(year: WeatherYear): WeatherHour {
  const sorted = year.map(({ temp_c }) => temp_c).sort((a, b) => b - a);
  const temp_c = sorted[Math.floor(hotterShare * sorted.length)] ?? 0;
  const near = year.filter((hour) => Math.abs(hour.temp_c - temp_c) <= 0.5);
  const mean = (pick: (hour: WeatherHour) => number): number =>
    near.reduce((sum, hour) => sum + pick(hour), 0) / Math.max(1, near.length);
  return {
    temp_c,
    humidity_pct: mean((hour) => hour.humidity_pct),
    radiation_w_m2: mean((hour) => hour.radiation_w_m2),
  };
}

interface PadCase {
  outside: WeatherHour;
  radiation_w_m2: number;
  pad_c: number;
}

type PadFigures = Pick<
  EvaporativeStudy,
  | 'fan_m3h'
  | 'end_of_house_c'
  | 'pad_thin_m2'
  | 'pad_thick_m2'
  | 'pad_water_l_min_m'
  | 'pad_sump_l'
  | 'pad_evaporation_l_h'
  | 'fans_missing_m3h'
>;

function padOf(house: StudyHouse, { outside, radiation_w_m2, pad_c }: PadCase): PadFigures {
  const { geometry, covering, conditions } = house;
  const ventilation = forcedVentilation(geometry, {
    cooling_kw: house.sun_kw_m2_w * radiation_w_m2 * covering.shade_factor,
    rise_k: conditions.ventilation_rise_k,
    ...meanTransmission(geometry, covering.day),
    elevation_m: conditions.elevation_m,
    natural_m3h: house.natural_m3h,
    fans: [],
  });
  const flow_m3_s = ventilation.forced_m3h / 3600;
  const wetted =
    moisture(house, { temp_c: pad_c, humidity_pct: padHumidity_pct(house, outside, pad_c) }) - moisture(house, outside);
  const thick_m2 = flow_m3_s / pads.thick.face_m_s;
  return {
    fan_m3h: ventilation.forced_m3h,
    end_of_house_c: pad_c + conditions.ventilation_rise_k,
    pad_thin_m2: flow_m3_s / pads.thin.face_m_s,
    pad_thick_m2: thick_m2,
    pad_water_l_min_m: pads.thick.water_l_min_m,
    pad_sump_l: thick_m2 * pads.thick.sump_l_m2,
    pad_evaporation_l_h: house.air_kg_m3 * flow_m3_s * Math.max(0, wetted) * 3600,
    fans_missing_m3h: house.fan_m3h === null ? null : Math.max(0, ventilation.forced_m3h - house.fan_m3h),
  };
}

/** Humidity behind the pad: the air follows the line of its wet bulb, cp dT = hfg dW. */
function padHumidity_pct(house: StudyHouse, outside: WeatherHour, pad_c: number): number {
  const target = moisture(house, outside) + (dryAirHeat_j_kgk * (outside.temp_c - pad_c)) / latentHeat_j_kg;
  let low = 0;
  let high = 100;
  for (let halving = 0; halving < 40; halving += 1) {
    const middle = (low + high) / 2;
    if (moisture(house, { temp_c: pad_c, humidity_pct: middle }) < target) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Fog that keeps the temperature that pads reach at the fans, at the limit of humidity: all of the sun's heat must
 * leave with the air, Q = U A dT + rho V (h_in - h_out), and the vapour that the air takes up beyond the crop's is
 * fogged. After Arbel, Yekutieli & Barak 1999, Journal of Agricultural Engineering Research 72, 129-136.
 */
function fogOf(
  house: StudyHouse,
  { outside, radiation_w_m2, held_c }: { outside: WeatherHour; radiation_w_m2: number; held_c: number },
): Pick<EvaporativeStudy, 'fog_ventilation_m3h' | 'fog_l_h' | 'fog_g_m2h'> {
  const { conditions, covering, geometry } = house;
  const inside = { temp_c: held_c, humidity_pct: conditions.humidity_pct };
  const rise_k = inside.temp_c - outside.temp_c;
  const drier = moisture(house, inside) - moisture(house, outside);
  const heat_j_kg = dryAirHeat_j_kgk * rise_k + latentHeat_j_kg * drier;
  const sun_w = covering.transmittance * covering.shade_factor * radiation_w_m2 * geometry.floor_area_m2;
  const crop_w = sun_w * conditions.latent_share;
  const sensible_w = house.sun_kw_m2_w * radiation_w_m2 * covering.shade_factor * 1000;
  const { roof_u_w_m2k, wall_u_w_m2k } = meanTransmission(geometry, covering.day);
  const walls_m2 = geometry.side_area_m2 + geometry.end_area_m2;
  const conduction_w = (roof_u_w_m2k * geometry.roof_area_m2 + wall_u_w_m2k * walls_m2) * rise_k;
  const total_w = sensible_w + crop_w - conduction_w;
  if (heat_j_kg <= 0 || drier <= 0) return { fog_ventilation_m3h: null, fog_l_h: null, fog_g_m2h: null };
  const flow_kg_s = Math.max(0, total_w) / heat_j_kg;
  const fog_kg_s = Math.max(0, flow_kg_s * drier - crop_w / latentHeat_j_kg);
  return {
    fog_ventilation_m3h: (flow_kg_s / house.air_kg_m3) * 3600,
    fog_l_h: fog_kg_s * 3600,
    fog_g_m2h: (fog_kg_s * 3.6e6) / geometry.floor_area_m2,
  };
}
