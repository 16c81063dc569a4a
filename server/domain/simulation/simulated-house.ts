import type { Envelope, Face } from '../../contract/facility.ts';
import { houseGeometry, roofTypeOf } from '../geometry/house.ts';
import { exposedHouse } from '../wind/faces.ts';
import { defaultDischargeCoefficient, type PlacedOpening } from '../wind/openings.ts';
import { ventilate } from '../wind/ventilation.ts';
import { outsideFilm_w_m2k } from '../capacity/cooling.ts';
import { heatingLoad, infiltration } from '../capacity/heating.ts';
import { findMaterial } from '../capacity/materials.ts';
import {
  co2Density_kg_m3,
  co2OfDensity_ppm,
  humidityOfDensity_pct,
  vapourDensity_kg_m3,
  vapourPressure_pa,
  zeroCelsius_k,
} from '../climate/air.ts';
import { coverCondensation_kg_m2s } from '../climate/condensation.ts';
import {
  expanded,
  modelAirHeat_j_m3k,
  publishedStart,
  type GreenhouseInputs,
  type GreenhouseState,
} from '../climate/greenhouse-model.ts';
import { stepGreenhouse } from '../climate/greenhouse-step.ts';
import type { Weather } from '../climate/weather.ts';

/** Positions of the equipment, each from 0 (off, shut, open to the sky) to 1 (full). */
export interface Equipment {
  heater: number;
  fan: number;
  side_vent: number;
  roof_vent: number;
  co2: number;
  lighting: number;
  shade: number;
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
  fogger: 0,
};

/** A gable house whose air stands 4.1 m high over its floor, the column of the model. */
const envelope: Envelope = {
  material: 'glass_single',
  bay_width_m: 8,
  length_m: 50,
  eave_height_m: 3.3,
  ridge_height_m: 4.9,
};
const geometry = houseGeometry({ envelope, bay_count: 1 });
const floor_area_m2 = geometry.floor_area_m2;

const cover = findMaterial(envelope.material, 'envelope.material');
/** The heating load that holds 18 C at -12 C: the heater is what the product itself would install. */
const load = heatingLoad(geometry, {
  indoor_c: 18,
  outdoor_c: -12,
  wind_factor: 1,
  roof_u_w_m2k: cover.u_w_m2k,
  wall_u_w_m2k: cover.u_w_m2k,
  air_changes_per_h: infiltration(cover.layers, 0),
});
const coverArea_m2 = geometry.roof_area_m2 + geometry.side_area_m2 + geometry.end_area_m2;
/** Loss through the covering as the load has it, W/m2K of floor. */
const coverLoss_w_m2k = (cover.u_w_m2k * coverArea_m2) / floor_area_m2;
/** Gases are counted at this temperature, C: as mixing ratios, which heating does not change. */
const gases_at_c = 20;
/** Carbon dioxide from soil and litter, 0.3 g/m2h: the middle of 0.1 to 0.5 measured in greenhouse soils. */
const soil_co2_kg_m2s = 0.3e-3 / 3600;

/** What stands in the simulated house. */
export const simulatedHouse = {
  envelope,
  floor_area_m2,
  volume_m3: geometry.volume_m3,
  heater_w: 1000 * Math.ceil(load.load_kw),
  /** 0.04 m3/s per m2 of floor, ASABE EP406. */
  fan_m3h: 0.04 * 3600 * floor_area_m2,
  /** Each of the two sides, fully open. */
  side_vent_area_m2: 0.15 * floor_area_m2,
  roof_vent_area_m2: 0.1 * floor_area_m2,
  /** 5 g/m2h. */
  co2_kg_h: 0.005 * floor_area_m2,
  /** Radiant power of the lamps. */
  lighting_w_m2: 60,
  /** 150 g/m2h. */
  fogger_kg_h: 0.15 * floor_area_m2,
  /** Share of the sun that the closed shade takes. */
  shade_share: 0.5,
  /** Share of the outdoor light that a sensor inside sees. */
  light_transmittance: 0.7,
} as const;

const exposure = exposedHouse(geometry, {
  bay_width_m: envelope.bay_width_m,
  length_m: envelope.length_m,
  bay_count: 1,
  roof: roofTypeOf(envelope),
  orientation_deg: 0,
});

/** Flow through the vents by wind and warmth, m3/s. */
export function ventFlow_m3_s(equipment: Equipment, weather: Weather, indoor_c: number): number {
  const open = vents(equipment);
  if (open.length === 0) return 0;
  const air = { indoor_c, outdoor_c: weather.temp_c };
  const wind = { windSpeed_m_s: weather.wind_m_s, windFrom_deg: weather.wind_dir_deg };
  return ventilate(open, exposure, { ...air, ...wind }).ventilation_m3h / 3600;
}

function vents(equipment: Equipment): PlacedOpening[] {
  const { side_vent_area_m2, roof_vent_area_m2 } = simulatedHouse;
  const side = { area_m2: side_vent_area_m2, height_m: envelope.eave_height_m / 2 };
  const roof = { area_m2: roof_vent_area_m2 / 2, height_m: envelope.ridge_height_m };
  return [
    ...vent('right', side, equipment.side_vent),
    ...vent('left', side, equipment.side_vent),
    ...vent('roof_right', roof, equipment.roof_vent),
    ...vent('roof_left', roof, equipment.roof_vent),
  ];
}

/** A vent along the whole house, as high as its area makes it. */
function vent(face: Face, { area_m2, height_m }: { area_m2: number; height_m: number }, open: number): PlacedOpening[] {
  if (open <= 0) return [];
  const dischargeCoefficient = defaultDischargeCoefficient;
  const tall_m = area_m2 / envelope.length_m;
  return [{ id: face, face, area_m2: area_m2 * open, height_m, dischargeCoefficient, tall_m }];
}

/**
 * Leakage of the closed house, m/s: 1e-4 times the wind, that of 0.25 m/s at least. Vanthoor (2011), A model-based
 * greenhouse design method, PhD thesis, Wageningen, eq. 8.71.
 */
export function leakageOf_m_s(wind_m_s: number): number {
  return 1e-4 * Math.max(0.25, wind_m_s);
}

/** What the model takes from the positions of the equipment, the weather and the air in the house. */
export function inputsOf(equipment: Equipment, weather: Weather, state: GreenhouseState): GreenhouseInputs {
  const fan_m3_s = (simulatedHouse.fan_m3h * equipment.fan) / 3600;
  const leakage_m_s = leakageOf_m_s(weather.wind_m_s);
  return {
    co2_kg_m2s: perFloorSecond(simulatedHouse.co2_kg_h * equipment.co2) + soil_co2_kg_m2s,
    ventilation_m_s: (fan_m3_s + ventFlow_m3_s(equipment, weather, state.temp_c)) / floor_area_m2,
    heating_w_m2: (simulatedHouse.heater_w * equipment.heater) / floor_area_m2 - groundLoss_w_m2(state, weather),
    fog_kg_m2s: perFloorSecond(simulatedHouse.fogger_kg_h * equipment.fogger),
    radiation_w_m2:
      weather.radiation_w_m2 * (1 - simulatedHouse.shade_share * equipment.shade) +
      simulatedHouse.lighting_w_m2 * equipment.lighting,
    outdoor_c: weather.temp_c,
    outdoor_vapour_kg_m3: counted(vapourDensity_kg_m3(weather.temp_c, weather.humidity_pct), weather.temp_c),
    outdoor_co2_kg_m3: co2Density_kg_m3(weather.co2_ppm, gases_at_c),
    condensed_kg_m2s: condensationOf(state, weather),
    leakage_m_s,
    gases_at_c,
    loss_w_m2k: coverLoss_w_m2k + modelAirHeat_j_m3k * leakage_m_s,
  };
}

/** To the ground along the walls, as the load has it, W/m2 of floor. */
function groundLoss_w_m2(state: GreenhouseState, weather: Weather): number {
  const { ground_loss_w_mk, ground_offset_k } = load;
  const excess_k = Math.max(0, state.temp_c - weather.temp_c - ground_offset_k);
  return (ground_loss_w_mk * geometry.perimeter_m * excess_k) / floor_area_m2;
}

function condensationOf(state: GreenhouseState, weather: Weather): number {
  const { temp_c } = state;
  const { vapour_kg_m3 } = expanded(state, gases_at_c);
  const air = { temp_c, vapour_pa: vapourPressure_pa(temp_c, humidityOfDensity_pct(temp_c, vapour_kg_m3)) };
  const area_share = coverArea_m2 / floor_area_m2;
  return coverCondensation_kg_m2s(air, weather.temp_c, { area_share, u_w_m2k: cover.u_w_m2k, outsideFilm_w_m2k });
}

/** A density at some temperature as the house counts gases. */
function counted(density_kg_m3: number, temp_c: number): number {
  return (density_kg_m3 * (temp_c + zeroCelsius_k)) / (gases_at_c + zeroCelsius_k);
}

function perFloorSecond(amount_per_h: number): number {
  return amount_per_h / floor_area_m2 / 3600;
}

/** The house `dt_s` seconds later, equipment and weather unchanged in between. */
export function stepSimulatedHouse(
  state: GreenhouseState,
  around: { equipment: Equipment; weather: Weather },
  dt_s: number,
): GreenhouseState {
  return stepGreenhouse(state, (now) => inputsOf(around.equipment, around.weather, now), dt_s);
}

const day_s = 86_400;
const step_s = 300;

/**
 * The house with a young crop after a day of the weather, all off and the vents shut. It begins with the air outside,
 * which a day makes forget: the slowest of its quantities follows within hours.
 * @param weatherOf the weather so many seconds, 0 to 86,400, before the moment
 */
export function houseAfterDay(weatherOf: (before_s: number) => Weather): GreenhouseState {
  const first = weatherOf(day_s);
  let state: GreenhouseState = {
    dry_matter_kg_m2: publishedStart.dry_matter_kg_m2,
    temp_c: first.temp_c,
    vapour_kg_m3: counted(vapourDensity_kg_m3(first.temp_c, first.humidity_pct), first.temp_c),
    co2_kg_m3: co2Density_kg_m3(first.co2_ppm, gases_at_c),
  };
  for (let before_s = day_s; before_s > 0; before_s -= step_s) {
    state = stepSimulatedHouse(state, { equipment: allOff, weather: weatherOf(before_s) }, step_s);
  }
  // The day is for the air: the crop is as young as before.
  return { ...state, dry_matter_kg_m2: publishedStart.dry_matter_kg_m2 };
}

/** What sensors in the house read: C, %, ppm, and light in W/m2. */
export interface IndoorReading {
  temp_c: number;
  humidity_pct: number;
  co2_ppm: number;
  light_w_m2: number;
}

export function readIndoor(state: GreenhouseState, around: { equipment: Equipment; weather: Weather }): IndoorReading {
  const { equipment, weather } = around;
  const sun_w_m2 = weather.radiation_w_m2 * (1 - simulatedHouse.shade_share * equipment.shade);
  return {
    temp_c: state.temp_c,
    humidity_pct: Math.min(100, humidityOfDensity_pct(state.temp_c, expanded(state, gases_at_c).vapour_kg_m3)),
    co2_ppm: co2OfDensity_ppm(state.co2_kg_m3, gases_at_c),
    light_w_m2: simulatedHouse.light_transmittance * sun_w_m2 + simulatedHouse.lighting_w_m2 * equipment.lighting,
  };
}
