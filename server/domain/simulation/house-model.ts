import {
  co2Density_kg_m3,
  co2OfDensity_ppm,
  humidityOfDensity_pct,
  vapourDensity_kg_m3,
  vapourPressure_pa,
  zeroCelsius_k,
} from '../climate/air.ts';
import { lampRadiantShare } from '../capacity/usual-equipment.ts';
import type { StandingCrop } from '../../contract/standing-crop.ts';
import { coverCondensation_kg_m2s, type Cover } from '../climate/condensation.ts';
import {
  expanded,
  floorExcess_k,
  floorSun_w_m2,
  modelAirHeat_j_m3k,
  publishedStart,
  solarHeatShare,
  type GreenhouseInputs,
  type GreenhouseState,
} from '../climate/greenhouse-model.ts';
import { stepGreenhouse } from '../climate/greenhouse-step.ts';
import type { Weather } from '../climate/weather.ts';
import type { ExposedHouse } from '../wind/faces.ts';
import type { PlacedOpening } from '../wind/openings.ts';
import { ventilate } from '../wind/ventilation.ts';

/** Positions of the equipment, each from 0 (off, shut, open to the sky) to 1 (full). */
export interface Equipment {
  heater: number;
  fan: number;
  side_vent: number;
  roof_vent: number;
  co2: number;
  lighting: number;
  shade: number;
  /** Energy screen. */
  screen: number;
  fogger: number;
}

export const allOff: Equipment = {
  heater: 0,
  fan: 0,
  side_vent: 0,
  roof_vent: 0,
  co2: 0,
  lighting: 0,
  shade: 0,
  screen: 0,
  fogger: 0,
};

/** A house in the model: shape, covering and equipment. Per m2 is per m2 of floor. */
export interface ModelHouse {
  floor_area_m2: number;
  volume_m3: number;
  perimeter_m: number;
  exposure: ExposedHouse;
  /** Each fully open. */
  vents: { side_vent: readonly PlacedOpening[]; roof_vent: readonly PlacedOpening[] };
  /** Through the covering, with the energy screen open and closed, W/m2K. */
  loss_w_m2k: number;
  screened_w_m2k: number;
  /** Into the ground along the walls, W/mK of perimeter above an offset, as in the heating load. */
  ground: { ground_loss_w_mk: number; ground_offset_k: number };
  cover: Cover;
  /** Fraction of outdoor light that passes the covering. */
  light_transmittance: number;
  heater_w: number;
  fan_m3h: number;
  co2_kg_h: number;
  fogger_kg_h: number;
  /** Radiant power of the lamps. */
  lighting_w_m2: number;
  /** Fraction of sunlight that the closed shade blocks. */
  shade_share: number;
}

/**
 * Dry matter of each, kg/m2, from which the model derives the fraction of floor covered by leaves, 1 - exp(-53 W): 0,
 * 13 % at the start of the published runs, and over 99 %.
 */
export const crops: Readonly<Record<StandingCrop, number>> = {
  none: 0,
  young: publishedStart.dry_matter_kg_m2,
  full: 0.1,
};

/** Readings of indoor sensors: C, %, ppm, and light in W/m2. */
export interface IndoorReading {
  temp_c: number;
  humidity_pct: number;
  co2_ppm: number;
  light_w_m2: number;
}

interface Around {
  equipment: Equipment;
  weather: Weather;
}

/** Gases are counted at this temperature, C: as mixing ratios, which heating does not change. */
export const gases_at_c = 20;
/**
 * Carbon dioxide from soil and litter, 0.15 g/m2h: at the lower end of the 0.1 to 0.5 measured in greenhouse soils,
 * because a young crop sheds no litter. It halves for each 10 K that the soil is below 20 C, as respiration usually
 * does (Q10 of 2).
 */
const soil_co2_kg_m2s = 0.15e-3 / 3600;
const soilCo2_kg_m2s = (floor_c: number): number => soil_co2_kg_m2s * 2 ** Math.min(0, (floor_c - 20) / 10);
/** Light transmittance of the house for which the model was published; other houses scale by it. */
const publishedTransmittance = 0.7;
const day_s = 86_400;
const step_s = 300;

/**
 * Leakage of the closed house, m/s: 1e-4 times the wind, but at least that at 0.25 m/s. Vanthoor (2011), A model-based
 * greenhouse design method, PhD thesis, Wageningen, eq. 8.71.
 */
export function leakageOf_m_s(wind_m_s: number): number {
  return 1e-4 * Math.max(0.25, wind_m_s);
}

/** Flow through the vents from wind and buoyancy, m3/s. */
export function ventFlowOf_m3_s(house: ModelHouse, { equipment, weather }: Around, indoor_c: number): number {
  const open = (['side_vent', 'roof_vent'] as const).flatMap((kind) => opened(house.vents[kind], equipment[kind]));
  if (open.length === 0) return 0;
  const air = { indoor_c, outdoor_c: weather.temp_c };
  const wind = { windSpeed_m_s: weather.wind_m_s, windFrom_deg: weather.wind_dir_deg };
  return ventilate(open, house.exposure, { ...air, ...wind }).ventilation_m3h / 3600;
}

function opened(vents: readonly PlacedOpening[], share: number): PlacedOpening[] {
  return share <= 0 ? [] : vents.map((one) => ({ ...one, area_m2: one.area_m2 * share }));
}

/** The model's inputs from equipment positions, weather and indoor air. */
export function modelInputs(house: ModelHouse, around: Around, state: GreenhouseState): GreenhouseInputs {
  const { equipment, weather } = around;
  const fan_m3_s = (house.fan_m3h * equipment.fan) / 3600;
  const leakage_m_s = leakageOf_m_s(weather.wind_m_s);
  const light_share = house.light_transmittance / publishedTransmittance;
  const lamps_w_m2 = house.lighting_w_m2 * equipment.lighting;
  return {
    co2_kg_m2s: perFloorSecond(house, house.co2_kg_h * equipment.co2) + soilCo2_kg_m2s(state.floor_c),
    ventilation_m_s: (fan_m3_s + ventFlowOf_m3_s(house, around, state.temp_c)) / house.floor_area_m2,
    heating_w_m2:
      (house.heater_w * equipment.heater) / house.floor_area_m2 +
      lamps_w_m2 * (1 / lampRadiantShare - 1) -
      groundLoss_w_m2(house, state, weather),
    fog_kg_m2s: perFloorSecond(house, house.fogger_kg_h * equipment.fogger),
    // As of the sun outside the published house: the light of lamps passes no covering.
    radiation_w_m2: sunUnder_w_m2(house, around) * light_share + lamps_w_m2 / publishedTransmittance,
    outdoor_c: weather.temp_c,
    outdoor_vapour_kg_m3: counted(vapourDensity_kg_m3(weather.temp_c, weather.humidity_pct), weather.temp_c),
    outdoor_co2_kg_m3: co2Density_kg_m3(weather.co2_ppm, gases_at_c),
    condensed_kg_m2s: condensationOf(house, state, weather),
    leakage_m_s,
    gases_at_c,
    air_column_m: house.volume_m3 / house.floor_area_m2,
    has_floor: true,
    loss_w_m2k:
      house.loss_w_m2k +
      equipment.screen * (house.screened_w_m2k - house.loss_w_m2k) +
      modelAirHeat_j_m3k * leakage_m_s,
  };
}

/** The house `dt_s` seconds later, with constant equipment and weather. */
export function stepHouse(house: ModelHouse, state: GreenhouseState, around: Around, dt_s: number): GreenhouseState {
  return stepGreenhouse(state, (now) => modelInputs(house, around, now), dt_s);
}

/**
 * The house with its crop after a day of the weather, all off and the vents shut. It begins with outdoor air, which a
 * day makes it forget, and with the floor temperature of such days. @param weatherOf the weather a number of seconds, 0
 * to 86,400, before the moment
 */
export function afterDay(
  house: ModelHouse,
  weatherOf: (before_s: number) => Weather,
  crop: StandingCrop = 'young',
): GreenhouseState {
  const first = weatherOf(day_s);
  // The day is for the air: the crop stays as it is.
  const dry_matter_kg_m2 = crops[crop];
  const outside = {
    dry_matter_kg_m2,
    temp_c: first.temp_c,
    vapour_kg_m3: counted(vapourDensity_kg_m3(first.temp_c, first.humidity_pct), first.temp_c),
    co2_kg_m3: co2Density_kg_m3(first.co2_ppm, gases_at_c),
    floor_c: first.temp_c,
  };
  let state: GreenhouseState = { ...outside, floor_c: usualFloor_c(house, weatherOf, outside) };
  for (let before_s = day_s; before_s > 0; before_s -= step_s) {
    const next = stepHouse(house, state, { equipment: allOff, weather: weatherOf(before_s) }, step_s);
    state = { ...next, dry_matter_kg_m2 };
  }
  return state;
}

/** The temperature of a floor that, averaged over such days, gives back the solar heat it absorbs. */
function usualFloor_c(house: ModelHouse, weatherOf: (before_s: number) => Weather, crop: GreenhouseState): number {
  const hours = Array.from({ length: 24 }, (_, hour) => weatherOf((hour + 0.5) * 3600));
  const means = hours.map((weather) => {
    const { radiation_w_m2, loss_w_m2k = house.loss_w_m2k } = modelInputs(house, { equipment: allOff, weather }, crop);
    const sun_w_m2 = floorSun_w_m2(crop, radiation_w_m2);
    const air_c = weather.temp_c + (solarHeatShare * radiation_w_m2 + sun_w_m2) / loss_w_m2k;
    return { air_c, sun_w_m2 };
  });
  const meanOf = (key: 'air_c' | 'sun_w_m2'): number => means.reduce((sum, one) => sum + one[key], 0) / means.length;
  return meanOf('air_c') + floorExcess_k(meanOf('sun_w_m2'));
}

export function readModel(house: ModelHouse, state: GreenhouseState, around: Around): IndoorReading {
  const sun_w_m2 = house.light_transmittance * sunUnder_w_m2(house, around);
  return {
    temp_c: state.temp_c,
    humidity_pct: Math.min(100, humidityOfDensity_pct(state.temp_c, expanded(state, gases_at_c).vapour_kg_m3)),
    co2_ppm: co2OfDensity_ppm(state.co2_kg_m3, gases_at_c),
    light_w_m2: sun_w_m2 + house.lighting_w_m2 * around.equipment.lighting,
  };
}

function sunUnder_w_m2({ shade_share }: ModelHouse, { equipment, weather }: Around): number {
  return weather.radiation_w_m2 * (1 - shade_share * equipment.shade);
}

/** Into the ground along the walls, as in the load, W/m2 of floor. */
function groundLoss_w_m2(house: ModelHouse, state: GreenhouseState, weather: Weather): number {
  const { ground_loss_w_mk, ground_offset_k } = house.ground;
  const excess_k = Math.max(0, state.temp_c - weather.temp_c - ground_offset_k);
  return (ground_loss_w_mk * house.perimeter_m * excess_k) / house.floor_area_m2;
}

function condensationOf({ cover }: ModelHouse, state: GreenhouseState, weather: Weather): number {
  const { temp_c } = state;
  const { vapour_kg_m3 } = expanded(state, gases_at_c);
  const air = { temp_c, vapour_pa: vapourPressure_pa(temp_c, humidityOfDensity_pct(temp_c, vapour_kg_m3)) };
  return coverCondensation_kg_m2s(air, weather.temp_c, cover);
}

/** Converts a density at some temperature to that at which the house counts gases. */
function counted(density_kg_m3: number, temp_c: number): number {
  return (density_kg_m3 * (temp_c + zeroCelsius_k)) / (gases_at_c + zeroCelsius_k);
}

function perFloorSecond({ floor_area_m2 }: ModelHouse, amount_per_h: number): number {
  return amount_per_h / floor_area_m2 / 3600;
}
