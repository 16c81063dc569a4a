import type { Envelope, Face } from '../../contract/facility.ts';
import { houseGeometry, roofTypeOf } from '../geometry/house.ts';
import { exposedHouse } from '../wind/faces.ts';
import { defaultDischargeCoefficient, type PlacedOpening } from '../wind/openings.ts';
import { ventilate } from '../wind/ventilation.ts';
import { co2Density_kg_m3, co2OfDensity_ppm, humidityOfDensity_pct, vapourDensity_kg_m3 } from './air.ts';
import { coverLoss_w_m2k, publishedStart, type GreenhouseInputs, type GreenhouseState } from './greenhouse-model.ts';
import { stepGreenhouse } from './greenhouse-step.ts';
import { restingState } from './resting-state.ts';
import type { Weather } from './weather.ts';

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

/** The heater holds 18 C at -12 C by the loss of the model, rounded up to a whole kilowatt. */
const heater_w = 1000 * Math.ceil((coverLoss_w_m2k * (18 - -12) * floor_area_m2) / 1000);

/** What stands in the simulated house. */
export const simulatedHouse = {
  envelope,
  floor_area_m2,
  volume_m3: geometry.volume_m3,
  heater_w,
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
  const side = { area_m2: side_vent_area_m2 * equipment.side_vent, height_m: envelope.eave_height_m / 2 };
  const roof = { area_m2: (roof_vent_area_m2 * equipment.roof_vent) / 2, height_m: envelope.ridge_height_m };
  return [
    ...tall('right', side, side_vent_area_m2 / envelope.length_m),
    ...tall('left', side, side_vent_area_m2 / envelope.length_m),
    ...tall('roof_right', roof, roof_vent_area_m2 / 2 / envelope.length_m),
    ...tall('roof_left', roof, roof_vent_area_m2 / 2 / envelope.length_m),
  ];
}

/**
 * A vent as high as `tall_m` as two halves that lie 4/9 of that apart: alone and in calm air they exchange
 * Cd A/3 sqrt(g H dT/T), the two-way flow through one large opening (Brown & Solvason 1962). A vent without extent would
 * exchange nothing when no other stands open.
 */
function tall(face: Face, vent: { area_m2: number; height_m: number }, tall_m: number): PlacedOpening[] {
  if (vent.area_m2 <= 0) return [];
  return [-1, 1].map((side) => ({
    id: face,
    face,
    area_m2: vent.area_m2 / 2,
    height_m: vent.height_m + (side * 2 * tall_m) / 9,
    dischargeCoefficient: defaultDischargeCoefficient,
  }));
}

/** What the model takes from the positions of the equipment, the weather and the air in the house. */
export function inputsOf(equipment: Equipment, weather: Weather, indoor_c: number): GreenhouseInputs {
  const fan_m3_s = (simulatedHouse.fan_m3h * equipment.fan) / 3600;
  return {
    co2_kg_m2s: perFloorSecond(simulatedHouse.co2_kg_h * equipment.co2),
    ventilation_m_s: (fan_m3_s + ventFlow_m3_s(equipment, weather, indoor_c)) / floor_area_m2,
    heating_w_m2: (simulatedHouse.heater_w * equipment.heater) / floor_area_m2,
    fog_kg_m2s: perFloorSecond(simulatedHouse.fogger_kg_h * equipment.fogger),
    radiation_w_m2:
      weather.radiation_w_m2 * (1 - simulatedHouse.shade_share * equipment.shade) +
      simulatedHouse.lighting_w_m2 * equipment.lighting,
    outdoor_c: weather.temp_c,
    outdoor_vapour_kg_m3: vapourDensity_kg_m3(weather.temp_c, weather.humidity_pct),
    outdoor_co2_kg_m3: co2Density_kg_m3(weather.co2_ppm, weather.temp_c),
  };
}

function perFloorSecond(amount_per_h: number): number {
  return amount_per_h / floor_area_m2 / 3600;
}

/** The house at rest in this weather: all off, vents shut, a young crop. */
export function equilibrium(weather: Weather): GreenhouseState {
  return restingState(inputsOf(allOff, weather, weather.temp_c), publishedStart.dry_matter_kg_m2);
}

/** The house `dt_s` seconds later, equipment and weather unchanged in between. */
export function stepSimulatedHouse(
  state: GreenhouseState,
  around: { equipment: Equipment; weather: Weather },
  dt_s: number,
): GreenhouseState {
  const { equipment, weather } = around;
  const closed = inputsOf({ ...equipment, side_vent: 0, roof_vent: 0 }, weather, state.temp_c);
  if (equipment.side_vent <= 0 && equipment.roof_vent <= 0) return stepGreenhouse(state, closed, dt_s);
  const withVents = (now: GreenhouseState): GreenhouseInputs => ({
    ...closed,
    ventilation_m_s: closed.ventilation_m_s + ventFlow_m3_s(equipment, weather, now.temp_c) / floor_area_m2,
  });
  return stepGreenhouse(state, withVents, dt_s);
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
    humidity_pct: Math.min(100, humidityOfDensity_pct(state.temp_c, state.vapour_kg_m3)),
    co2_ppm: co2OfDensity_ppm(state.co2_kg_m3, state.temp_c),
    light_w_m2: simulatedHouse.light_transmittance * sun_w_m2 + simulatedHouse.lighting_w_m2 * equipment.lighting,
  };
}
