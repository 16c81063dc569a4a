import type { ActuatorBinding, ActuatorRole, Facility, Face } from '../../contract/facility.ts';
import { computeCapacity } from '../capacity/compute.ts';
import { readCovering } from '../capacity/covering.ts';
import { materials } from '../capacity/materials.ts';
import { co2Gas_kg_m3, lampRadiantShare, usual } from '../capacity/usual-equipment.ts';
import { airHeat_j_m3k, co2Density_kg_m3, vapourDensity_kg_m3 } from '../climate/air.ts';
import { houseHeat_j_m2k, latentHeat_j_kg } from '../climate/greenhouse-model.ts';
import { houseGeometry, roofTypeOf } from '../geometry/house.ts';
import { exposedHouse } from '../wind/faces.ts';
import { placeOpenings, type PlacedOpening } from '../wind/openings.ts';
import { ventilate } from '../wind/ventilation.ts';
import { quantityFacts, type Quantity } from './quantity.ts';
import type { Following } from './regressor.ts';

/** The effect of a sound actuator on a quantity, fully on. */
export interface Expected {
  following: Following;
  /**
   * In the unit of the quantity: a second (rate), at once (level), or per distance to outdoors and second (exchange).
   */
  size: number;
  /**
   * It is based on a rating or on the openings, so that a smaller effect means weakness and not merely another machine.
   */
  isRated: boolean;
  /** Much else moves it too, or removes it: it can show that the actuator works, not that it does not. */
  isSign?: true;
  /** Unmeasured wind may have many times the effect. */
  isUnbounded?: true;
}

export type ExpectedEffects = Partial<Record<Quantity, Expected>>;

/** The properties of the house that determine what its actuators can do. */
export interface RatedHouse {
  floor_m2: number;
  volume_m3: number;
  heating_kw: number;
  fan_m3h: number | null;
  /** Flow through the openings that a vent moves, fully open, m3/h. */
  ventFlow_m3h: (binding: ActuatorBinding, air: Surroundings) => number;
  /** Share of the light that a drawn shade blocks; null when unknown. */
  shadeShare: number | null;
}

/** The air in and around the house during the trial. */
export interface Surroundings {
  isWindKnown: boolean;
  wind_m_s: number;
  wind_from_deg: number;
  indoor_c: number;
  outdoor_c: number;
  humidity_pct: number;
  light_w_m2: number;
}

/** Light that assimilation lamps provide at least. */
const usualLight_w_m2 = 30;
/** Light that a drawn screen blocks when nothing more is known. */
const usualScreenShare = 0.4;
/** Soil, crop and air of a house, J/m2K (van Henten 1994): the most that a machine has to heat. */
const heat_j_m2k = houseHeat_j_m2k;

/** Geometry, load and openings of a house; usual values if its figures cannot be computed. */
export function ratedHouse(facility: Facility): RatedHouse {
  const geometry = houseGeometry(facility);
  const { floor_area_m2: floor_m2, volume_m3 } = geometry;
  const fans = facility.fans.filter(({ kind }) => kind !== 'circulation').map(fanFlow_m3h);
  return {
    floor_m2,
    volume_m3,
    heating_kw: heatingOf_kw(facility, floor_m2),
    fan_m3h: fans.length === 0 ? null : fans.reduce((sum, one) => sum + one, 0),
    ventFlow_m3h: (binding, air) => ventFlowOf_m3h(facility, binding, air),
    shadeShare: shadeShareOf(facility),
  };
}

function fanFlow_m3h({ count, flow_m3h }: Facility['fans'][number]): number {
  return count * flow_m3h;
}

/** Share of the sun that the covering transmits, without its screens; 1 for one that is not in the table. */
export function transmittanceOf(facility: Facility): number {
  try {
    return readCovering(facility, materials).transmittance;
  } catch {
    return 1;
  }
}

function heatingOf_kw(facility: Facility, floor_m2: number): number {
  try {
    return computeCapacity(facility).heating_load_kw;
  } catch {
    // A covering from the user's own table: approximate loss of a single covering.
    return 0.2 * floor_m2;
  }
}

function ventFlowOf_m3h(facility: Facility, binding: ActuatorBinding, air: Surroundings): number {
  const geometry = houseGeometry(facility);
  const house = exposedHouse(geometry, {
    ...facility.envelope,
    bay_count: facility.bay_count,
    roof: roofTypeOf(facility.envelope),
    orientation_deg: facility.view_3d.orientation_deg ?? 0,
  });
  const { wind_m_s: windSpeed_m_s, wind_from_deg: windFrom_deg, indoor_c, outdoor_c } = air;
  const openings = openingsOf(facility, binding);
  return ventilate(openings, house, { windSpeed_m_s, windFrom_deg, indoor_c, outdoor_c }).ventilation_m3h;
}

function shadeShareOf({ curtains }: Facility): number | null {
  const shades = curtains.filter(({ kind, transmittance }) => kind === 'shade' && transmittance !== undefined);
  return shades.length === 0 ? null : 1 - Math.max(...shades.map((one) => one.transmittance ?? 0));
}

const sides: readonly Face[] = ['right', 'left'];
const roofs: readonly Face[] = ['ridge', 'roof_right', 'roof_left'];

/** The openings that a vent moves: those of its face, else of its kind; with the area that its binding states. */
function openingsOf(facility: Facility, { role, wall, opening_area_m2 }: ActuatorBinding): PlacedOpening[] {
  const { openings } = placeOpenings(facility.openings, houseGeometry(facility), facility.envelope);
  const faces = wall === undefined ? (role === 'side_vent' ? sides : roofs) : [wall];
  const own = openings.filter(({ face }) => faces.includes(face));
  const total_m2 = own.reduce((sum, { area_m2 }) => sum + area_m2, 0);
  if (opening_area_m2 === undefined || total_m2 === 0) return own;
  return own.map((one) => ({ ...one, area_m2: (one.area_m2 * opening_area_m2) / total_m2 }));
}

type EffectOf = (binding: ActuatorBinding, house: RatedHouse, air: Surroundings) => ExpectedEffects;

/** Relative humidity falls by about this share for each kelvin of warming (the slope of saturation at 20 C). */
const dryingShare_k = 0.06;

const heating: EffectOf = ({ rating_kw }, { floor_m2, heating_kw }, { humidity_pct }) => {
  const size = (1000 * (rating_kw ?? heating_kw)) / floor_m2 / heat_j_m2k;
  return {
    temp: { following: 'rate', size, isRated: true },
    humidity: { following: 'rate', size: -dryingShare_k * humidity_pct * size, isRated: false, isSign: true },
  };
};

/** A machine that removes heat: half of a heater's effect when no rating is known. */
const cooling: EffectOf = (binding, house, air) => {
  const { temp } = heating(binding, house, air);
  return temp === undefined
    ? {}
    : { temp: { ...temp, size: -temp.size / 2, isRated: binding.rating_kw !== undefined } };
};

const fogging: EffectOf = ({ rating_lph }, { floor_m2, volume_m3 }, { indoor_c, humidity_pct }) => {
  const fog_kg_s = (rating_lph ?? usual.fog_kg_h_m2 * floor_m2) / 3600;
  const isRated = rating_lph !== undefined;
  const vapour_g_m3s = (1000 * fog_kg_s) / volume_m3;
  const cooling_k_s = (latentHeat_j_kg * fog_kg_s) / floor_m2 / heat_j_m2k;
  const saturation_g_m3 = 1000 * vapourDensity_kg_m3(indoor_c, 100);
  const humidity_pct_s = (100 * vapour_g_m3s) / saturation_g_m3 + dryingShare_k * humidity_pct * cooling_k_s;
  return {
    vapour: { following: 'rate', size: vapour_g_m3s, isRated },
    humidity: { following: 'rate', size: humidity_pct_s, isRated: false, isSign: true },
    temp: { following: 'rate', size: -cooling_k_s, isRated: false, isSign: true },
  };
};

const enriching: EffectOf = ({ rating_m3h }, { floor_m2, volume_m3 }) => {
  const gas_kg_h = rating_m3h === undefined ? usual.co2_kg_h_m2 * floor_m2 : rating_m3h * co2Gas_kg_m3;
  const size = gas_kg_h / 3600 / volume_m3 / co2Density_kg_m3(1, 20);
  return { co2: { following: 'rate', size, isRated: rating_m3h !== undefined } };
};

/** Exchanged air carries vapour and gas away at once, but warmth comes from everything warm in the house. */
function exchanging(flow_m3h: number, { floor_m2, volume_m3 }: RatedHouse, isRated: boolean): ExpectedEffects {
  const perSecond = flow_m3h / 3600 / volume_m3;
  return {
    vapour: { following: 'exchange', size: perSecond, isRated },
    co2: { following: 'exchange', size: perSecond, isRated },
    temp: {
      following: 'exchange',
      size: ((flow_m3h / 3600 / floor_m2) * airHeat_j_m3k) / heat_j_m2k,
      isRated: false,
    },
  };
}

const blowing: EffectOf = ({ rating_m3h }, house) => {
  const flow_m3h = rating_m3h ?? house.fan_m3h ?? usual.fan_m3h_m2 * house.floor_m2;
  return exchanging(flow_m3h, house, rating_m3h !== undefined || house.fan_m3h !== null);
};

const venting: EffectOf = (binding, house, air) => {
  const made = exchanging(house.ventFlow_m3h(binding, air), house, true);
  if (air.isWindKnown) return made;
  return Object.fromEntries(Object.entries(made).map(([name, one]) => [name, { ...one, isUnbounded: true }]));
};

/** All power of lamps but what evaporates water becomes warmth: by day the sun hides it. */
const shining: EffectOf = ({ rating_kw }, { floor_m2 }) => {
  const power_w_m2 = rating_kw === undefined ? usualLight_w_m2 / lampRadiantShare : (1000 * rating_kw) / floor_m2;
  const isRated = rating_kw !== undefined;
  return {
    light: { following: 'level', size: lampRadiantShare * power_w_m2, isRated },
    temp: { following: 'rate', size: power_w_m2 / heat_j_m2k, isRated: false, isSign: true },
  };
};

const level = (quantity: Quantity, sign: 1 | -1 = 1): ExpectedEffects => ({
  [quantity]: { following: 'level', size: sign * leastOf(quantity), isRated: false },
});

function leastOf(quantity: Quantity): number {
  return 2 * quantityFacts[quantity].least;
}

const leastTaken_w_m2 = quantityFacts.light.least / 2;

const drawing =
  (shareOf: (house: RatedHouse) => number | null): EffectOf =>
  (_binding, house, { light_w_m2 }) => {
    const share = shareOf(house);
    const taken_w_m2 = (share ?? usualScreenShare) * light_w_m2;
    // At dusk a sensor cannot see what a screen blocks.
    const size = taken_w_m2 < leastTaken_w_m2 ? 0 : -taken_w_m2;
    return { light: { following: 'level', size, isRated: share !== null } };
  };

const effects: Readonly<Record<ActuatorRole, EffectOf>> = {
  heater: heating,
  // It heats or cools: its effect shows which.
  heat_pump: heating,
  cooler: cooling,
  fogger: fogging,
  pad_pump: fogging,
  co2_supply: enriching,
  exhaust_fan: blowing,
  intake_fan: blowing,
  side_vent: venting,
  roof_vent: venting,
  // It moves air inside and changes none of it.
  circulation_fan: () => ({}),
  thermal_curtain: drawing(() => null),
  shade_curtain: drawing(({ shadeShare }) => shadeShare),
  lighting: shining,
  irrigation_pump: () => ({ ...level('pressure'), ...level('flow') }),
  irrigation_valve: () => ({ ...level('flow'), ...level('soil_moisture'), ...level('pressure', -1) }),
  mixing_valve: () => ({}),
};

/** The effects of a sound actuator, fully on, in the present wind and warmth. */
export function expectedEffects(binding: ActuatorBinding, house: RatedHouse, air: Surroundings): ExpectedEffects {
  return effects[binding.role](binding, house, air);
}
