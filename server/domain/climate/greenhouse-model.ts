import { vapourDensity_kg_m3, zeroCelsius_k } from './air.ts';

/**
 * The four states of van Henten's greenhouse, per m2 of floor and m3 of air, and that of the floor, which his model
 * leaves out.
 */
export interface GreenhouseState {
  /** Crop dry matter, kg/m2. */
  dry_matter_kg_m2: number;
  co2_kg_m3: number;
  temp_c: number;
  vapour_kg_m3: number;
  /** Mean of the floor and the soil that follows the daily cycle. */
  floor_c: number;
}

export interface GreenhouseInputs {
  /** CO2 supplied, kg/m2s. */
  co2_kg_m2s: number;
  /** Ventilation through fans and vents, m3 of air a second and m2 of floor. */
  ventilation_m_s: number;
  heating_w_m2: number;
  /** Water fogged, kg/m2s. */
  fog_kg_m2s: number;
  /** Radiation that reaches the crop and the house, as outdoor global radiation, W/m2. */
  radiation_w_m2: number;
  outdoor_c: number;
  outdoor_vapour_kg_m3: number;
  outdoor_co2_kg_m3: number;
  /** Vapour that condenses on the covering, kg/m2s; its heat is lost outwards. Default none. */
  condensed_kg_m2s?: number;
  /** Leakage of the closed house, m/s, above 0; default 0.75e-4. */
  leakage_m_s?: number;
  /** Heat loss of the closed house, W/m2K of floor; default 6.1. */
  loss_w_m2k?: number;
  /**
   * Temperature, C, at which the gases of states and inputs are counted: so they are mixing ratios, which heating does
   * not change. Without it, they are densities at the temperature of the house, as published.
   */
  gases_at_c?: number;
  /** Volume of air over floor, m; default that of the published runs, 4.1. */
  air_column_m?: number;
  /** Whether the floor stores heat; default false, as published. */
  has_floor?: boolean;
}

/** Inputs that change with the state within a step, such as the flow through open vents. */
export type InputsOf = (state: GreenhouseState) => GreenhouseInputs;

/** Initial state of the published runs. */
export const publishedStart: GreenhouseState = {
  dry_matter_kg_m2: 2.7e-3,
  co2_kg_m3: 7.2e-4,
  temp_c: 15,
  vapour_kg_m3: 9.5e-3,
  floor_c: 15,
};

/** Leakage of the closed house of the published runs, m/s. */
export const leakage_m_s = 0.75e-4;
/** Volume of air over floor, m. */
export const airColumn_m = 4.1;
/** Heat capacity of the house, J/m2K. */
export const houseHeat_j_m2k = 30_000;
/** Heat capacity of air in the model, J/m3K. */
export const modelAirHeat_j_m3k = 1290;
/** Heat loss through the covering in the published runs, W/m2K of floor. */
const coverLoss_w_m2k = 6.1;
/** Share of the radiation that warms the air. */
export const solarHeatShare = 0.2;
/**
 * Share of the radiation that a bare floor also keeps. An estimate, fitted to nights of a bare house and days of a
 * closed one: about a fifth of the 0.3 that reaches the floor of Vanthoor (2011), as it reflects half and more,
 * radiates to the covering and evaporates water.
 */
const floorSunShare = 0.06;
/** Conductivity, W/mK, and heat capacity, J/m3K, of soil: Vanthoor (2011), electronic appendix. */
const soil = { conductivity_w_mk: 0.85, heat_j_m3k: 1.73e6 };
const daily_rad_s = (2 * Math.PI) / 86_400;
/** Heat capacity of floor and soil, J/m2K: what a deep soil absorbs over a day, sqrt(lambda rho c / omega). */
export const floorHeat_j_m2k = Math.sqrt((soil.conductivity_w_mk * soil.heat_j_m3k) / daily_rad_s);
/** Latent heat of vaporisation, J/kg. */
export const latentHeat_j_kg = 2.45e6;
/** Mass transfer from the leaves, m/s. */
export const leafTransfer_m_s = 3.6e-3;
/**
 * Mass transfer from fog to the air, m/s. Droplets of 40 um live 1.2 s / (1 - RH) at 20 C (d2 law with a wet-bulb
 * correction, Hinds 1999, Aerosol Technology, ch. 13) and fall 2 m in 40 s, so 3 % below saturation some no longer
 * evaporate; that is this many times the deficit for the usual 0.15 kg/m2h.
 */
export const fogTransfer_m_s = 0.08;
/** CO2 compensation point, kg/m3. */
const compensation_kg_m3 = 5.2e-5;

/** Share of the light and of the leaf transfer that the crop's cover intercepts, 0 to 1. */
function canopy(dry_matter_kg_m2: number): number {
  return 1 - Math.exp(-53 * dry_matter_kg_m2);
}

/**
 * Gross photosynthesis in kg CO2/m2s: van Henten (1994), as given by van Henten & Bontsema (2009). 0 without light,
 * below the compensation point, and outside about 2.9 to 42 C, where the temperature term turns negative.
 */
export function photosynthesis(state: GreenhouseState, radiation_w_m2: number): number {
  const { temp_c, co2_kg_m3 } = state;
  const light = 3.55e-9 * radiation_w_m2;
  const uptake = (-5.11e-6 * temp_c ** 2 + 2.3e-4 * temp_c - 6.29e-4) * (co2_kg_m3 - compensation_kg_m3);
  if (!(radiation_w_m2 > 0) || co2_kg_m3 <= compensation_kg_m3 || uptake <= 0) return 0;
  return (canopy(state.dry_matter_kg_m2) * light * uptake) / (light + uptake);
}

/** Transpiration in kg/m2s; negative when the crop absorbs vapour. van Henten (1994). */
function transpiration(state: GreenhouseState): number {
  return canopy(state.dry_matter_kg_m2) * leafTransfer_m_s * (leafVapour_kg_m3(state.temp_c) - state.vapour_kg_m3);
}

/** Vapour at the leaves, kg/m3, by the model's own saturation curve. */
function leafVapour_kg_m3(temp_c: number): number {
  return (9348 / (8314 * (temp_c + zeroCelsius_k))) * Math.exp((17.4 * temp_c) / (temp_c + 239));
}

/** Dry matter weighted by the temperature's effect on respiration, kg/m2. */
function respirationHold(state: GreenhouseState): number {
  return state.dry_matter_kg_m2 * 2 ** (0.1 * state.temp_c - 2.5);
}

/** The same air with its gases as densities at its own temperature. */
export function expanded(state: GreenhouseState, gases_at_c: number | undefined): GreenhouseState {
  if (gases_at_c === undefined) return state;
  const thinner = (gases_at_c + zeroCelsius_k) / (state.temp_c + zeroCelsius_k);
  return { ...state, co2_kg_m3: state.co2_kg_m3 * thinner, vapour_kg_m3: state.vapour_kg_m3 * thinner };
}

/**
 * Fog that evaporates, kg/m2s: all of it in dry air, ever less towards saturation, where it stays liquid and takes no
 * heat.
 */
function evaporation_kg_m2s(air: GreenhouseState, fog_kg_m2s: number): number {
  const deficit_kg_m3 = vapourDensity_kg_m3(air.temp_c, 100) - air.vapour_kg_m3;
  if (fog_kg_m2s <= 0 || deficit_kg_m3 <= 0) return 0;
  return fog_kg_m2s * -Math.expm1((-fogTransfer_m_s * deficit_kg_m3) / fog_kg_m2s);
}

/** Heat from the air into the floor, W/m2; negative when the floor warms the air. Vanthoor (2011) part 1, table 4. */
function floorUptake_w_m2({ temp_c, floor_c }: Pick<GreenhouseState, 'temp_c' | 'floor_c'>): number {
  const colder_k = temp_c - floor_c;
  return colder_k > 0 ? 1.3 * colder_k ** 1.25 : -1.7 * (-colder_k) ** (4 / 3);
}

/** How much warmer than the air a floor is that emits this heat, W/m2. */
export function floorExcess_k(given_w_m2: number): number {
  return (given_w_m2 / 1.7) ** (3 / 4);
}

/** Sun that warms the part of the floor that leaves do not cover, W/m2. */
export function floorSun_w_m2({ dry_matter_kg_m2 }: GreenhouseState, radiation_w_m2: number): number {
  return floorSunShare * (1 - canopy(dry_matter_kg_m2)) * radiation_w_m2;
}

/**
 * Rates of the states a second: van Henten (1994), Greenhouse climate management: an optimal control approach, PhD
 * thesis, Wageningen; van Henten (2003), Biosystems Engineering 84. Fog that evaporates adds to the vapour and takes
 * its heat. A floor stores heat for the night.
 */
export function greenhouseRates(state: GreenhouseState, inputs: GreenhouseInputs): GreenhouseState {
  const { ventilation_m_s } = inputs;
  const exchange_m_s = ventilation_m_s + (inputs.leakage_m_s ?? leakage_m_s);
  const column_m = inputs.air_column_m ?? airColumn_m;
  const air = expanded(state, inputs.gases_at_c);
  const fog_kg_m2s = evaporation_kg_m2s(air, inputs.fog_kg_m2s);
  const uptake = photosynthesis(air, inputs.radiation_w_m2);
  const hold = respirationHold(state);
  const warmer_k = state.temp_c - inputs.outdoor_c;
  const hasFloor = inputs.has_floor === true;
  const uptake_w_m2 = hasFloor ? floorUptake_w_m2(state) : 0;
  const sun_w_m2 = hasFloor ? floorSun_w_m2(state, inputs.radiation_w_m2) : 0;
  return {
    dry_matter_kg_m2: 0.544 * uptake - 2.65e-7 * hold,
    co2_kg_m3:
      (-uptake + 4.87e-7 * hold + inputs.co2_kg_m2s - exchange_m_s * (state.co2_kg_m3 - inputs.outdoor_co2_kg_m3)) /
      column_m,
    temp_c:
      (inputs.heating_w_m2 -
        (modelAirHeat_j_m3k * ventilation_m_s + (inputs.loss_w_m2k ?? coverLoss_w_m2k)) * warmer_k +
        solarHeatShare * inputs.radiation_w_m2 -
        uptake_w_m2 -
        latentHeat_j_kg * fog_kg_m2s) /
      houseHeat_j_m2k,
    vapour_kg_m3:
      (transpiration(air) +
        fog_kg_m2s -
        (inputs.condensed_kg_m2s ?? 0) -
        exchange_m_s * (state.vapour_kg_m3 - inputs.outdoor_vapour_kg_m3)) /
      column_m,
    floor_c: (uptake_w_m2 + sun_w_m2) / floorHeat_j_m2k,
  };
}
