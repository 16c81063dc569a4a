import type { Face } from '../../contract/facility.ts';
import type { StandingCrop } from '../../contract/standing-crop.ts';
import { outsideFilm_w_m2k } from '../capacity/cooling.ts';
import { heatingLoad, infiltration, seriesTransmission } from '../capacity/heating.ts';
import { findMaterial } from '../capacity/materials.ts';
import type { GreenhouseInputs, GreenhouseState } from '../climate/greenhouse-model.ts';
import type { Weather } from '../climate/weather.ts';
import { houseGeometry, roofTypeOf } from '../geometry/house.ts';
import { exposedHouse } from '../wind/faces.ts';
import { defaultDischargeCoefficient, type PlacedOpening } from '../wind/openings.ts';
import {
  afterDay,
  modelInputs,
  readModel,
  stepHouse,
  ventFlowOf_m3_s,
  type Equipment,
  type IndoorReading,
  type ModelHouse,
} from './house-model.ts';
import { simulatedEnvelope as envelope, simulatedVents } from './simulated-envelope.ts';

export { allOff, leakageOf_m_s, type Equipment, type IndoorReading } from './house-model.ts';

const geometry = houseGeometry({ envelope, bay_count: 1 });
const floor_area_m2 = geometry.floor_area_m2;

const cover = findMaterial(envelope.material, 'envelope.material');
/** The heating load that holds 18 C at -12 C: the heater is the one the product itself would propose. */
const load = heatingLoad(geometry, {
  indoor_c: 18,
  outdoor_c: -12,
  wind_factor: 1,
  roof_u_w_m2k: cover.u_w_m2k,
  wall_u_w_m2k: cover.u_w_m2k,
  air_changes_per_h: infiltration(cover.layers, 0),
});
const walls_m2 = geometry.side_area_m2 + geometry.end_area_m2;
const coverArea_m2 = geometry.roof_area_m2 + walls_m2;
const screened_u_w_m2k = seriesTransmission(cover.u_w_m2k, [findMaterial('aluminised_screen', 'curtains').u_w_m2k]);
const { side_vent_area_m2, roof_vent_area_m2 } = simulatedVents;

/** The equipment of the simulated house. */
export const simulatedHouse = {
  envelope,
  floor_area_m2,
  volume_m3: geometry.volume_m3,
  perimeter_m: geometry.perimeter_m,
  exposure: exposedHouse(geometry, {
    bay_width_m: envelope.bay_width_m,
    length_m: envelope.length_m,
    bay_count: 1,
    roof: roofTypeOf(envelope),
    orientation_deg: 0,
  }),
  vents: {
    side_vent: [vent('right', side_vent_area_m2), vent('left', side_vent_area_m2)],
    roof_vent: [vent('roof_right', roof_vent_area_m2 / 2), vent('roof_left', roof_vent_area_m2 / 2)],
  },
  /** As in the load. */
  loss_w_m2k: (cover.u_w_m2k * coverArea_m2) / floor_area_m2,
  /** With an aluminised screen under the roof. */
  screened_w_m2k: (screened_u_w_m2k * geometry.roof_area_m2 + cover.u_w_m2k * walls_m2) / floor_area_m2,
  ground: load,
  cover: { area_share: coverArea_m2 / floor_area_m2, u_w_m2k: cover.u_w_m2k, outsideFilm_w_m2k },
  light_transmittance: 0.7,
  heater_w: 1000 * Math.ceil(load.load_kw),
  /** 0.04 m3/s per m2 of floor, ASABE EP406. */
  fan_m3h: 0.04 * 3600 * floor_area_m2,
  /** Each of the two sides, fully open. */
  side_vent_area_m2,
  roof_vent_area_m2,
  /** 5 g/m2h. */
  co2_kg_h: 0.005 * floor_area_m2,
  lighting_w_m2: 60,
  /** 150 g/m2h. */
  fogger_kg_h: 0.15 * floor_area_m2,
  shade_share: 0.5,
} as const satisfies ModelHouse & Record<string, unknown>;

/** A vent along the whole house, with a height according to its area. */
function vent(face: Face, area_m2: number): PlacedOpening {
  const height_m = face.startsWith('roof') ? envelope.ridge_height_m : envelope.eave_height_m / 2;
  const dischargeCoefficient = defaultDischargeCoefficient;
  return { id: face, face, area_m2, height_m, dischargeCoefficient, tall_m: area_m2 / envelope.length_m };
}

/** Flow through the vents from wind and buoyancy, m3/s. */
export function ventFlow_m3_s(equipment: Equipment, weather: Weather, indoor_c: number): number {
  return ventFlowOf_m3_s(simulatedHouse, { equipment, weather }, indoor_c);
}

/** The model's inputs from equipment positions, weather and indoor air. */
export function inputsOf(equipment: Equipment, weather: Weather, state: GreenhouseState): GreenhouseInputs {
  return modelInputs(simulatedHouse, { equipment, weather }, state);
}

/** The house `dt_s` seconds later, with constant equipment and weather. */
export function stepSimulatedHouse(
  state: GreenhouseState,
  around: { equipment: Equipment; weather: Weather },
  dt_s: number,
): GreenhouseState {
  return stepHouse(simulatedHouse, state, around, dt_s);
}

/**
 * The house with its crop after a day of the weather, all off and the vents shut. @param weatherOf the weather a number
 * of seconds, 0 to 86,400, before the moment
 */
export function houseAfterDay(weatherOf: (before_s: number) => Weather, crop?: StandingCrop): GreenhouseState {
  return afterDay(simulatedHouse, weatherOf, crop);
}

export function readIndoor(state: GreenhouseState, around: { equipment: Equipment; weather: Weather }): IndoorReading {
  return readModel(simulatedHouse, state, around);
}
