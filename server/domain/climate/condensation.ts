import { humidityOfDensity_pct, saturationPressure_pa } from './air.ts';
import {
  airColumn_m,
  expanded,
  houseHeat_j_m2k,
  latentHeat_j_kg,
  type GreenhouseInputs,
  type GreenhouseState,
} from './greenhouse-model.ts';

type Air = Pick<GreenhouseInputs, 'gases_at_c' | 'air_column_m'>;

/**
 * The state with its humidity capped at 100 %: the rest condenses on the covering, and its heat is lost outwards. Of
 * the last step's fog, `fogged_kg_m2`, the part that the air cannot hold stays liquid and returns the heat it took.
 * `air` as in the inputs of the model.
 */
export function condense(state: GreenhouseState, fogged_kg_m2: number, air: Air = {}): GreenhouseState {
  const column_m = air.air_column_m ?? airColumn_m;
  const over = (at: GreenhouseState): number => supersaturation_kg_m3(at, air.gases_at_c);
  const drier = (liquid_kg_m2: number): GreenhouseState => withoutFog(state, liquid_kg_m2, column_m);
  if (over(state) <= 0) return state;
  const settled = fogged_kg_m2 > 0 ? drier(liquidFog_kg_m2(fogged_kg_m2, (liquid) => over(drier(liquid)))) : state;
  return { ...settled, vapour_kg_m3: settled.vapour_kg_m3 - Math.max(0, over(settled)) };
}

/** Vapour beyond saturation, counted as the state counts it. */
function supersaturation_kg_m3(state: GreenhouseState, gases_at_c: number | undefined): number {
  const { temp_c, vapour_kg_m3 } = expanded(state, gases_at_c);
  return state.vapour_kg_m3 * (1 - 100 / humidityOfDensity_pct(temp_c, vapour_kg_m3));
}

/** The state with `liquid_kg_m2` of the fog not evaporated: drier by it, and warmer by its latent heat. */
function withoutFog(state: GreenhouseState, liquid_kg_m2: number, column_m: number): GreenhouseState {
  return {
    ...state,
    temp_c: state.temp_c + (latentHeat_j_kg * liquid_kg_m2) / houseHeat_j_m2k,
    vapour_kg_m3: state.vapour_kg_m3 - liquid_kg_m2 / column_m,
  };
}

/** How much of the fog stays liquid when the air is just saturated; all of it if even that is not enough. */
function liquidFog_kg_m2(fogged_kg_m2: number, overWith: (liquid_kg_m2: number) => number): number {
  let low = 0;
  let high = fogged_kg_m2;
  for (let halving = 0; halving < 40; halving += 1) {
    const middle = (low + high) / 2;
    if (overWith(middle) > 0) low = middle;
    else high = middle;
  }
  return high;
}

/** The covering, on which vapour condenses when it is colder than the dew point. */
export interface Cover {
  /** Covering over floor. */
  area_share: number;
  /** Heat transmission, W/m2K, and the film on its outside. */
  u_w_m2k: number;
  outsideFilm_w_m2k: number;
}

/**
 * Condensation on the inside of a single covering, kg/m2s of floor, never negative: the vapour exchange 6.4e-9 HEC
 * (e_air - e_s(T_cover)) with HEC = 1.86 |T_air - T_cover|^0.33 A_cover/A_floor of Vanthoor (2011), A model-based
 * greenhouse design method, PhD thesis, Wageningen, eqs. 8.39 and 8.43. The covering has the temperature at which its
 * outside film passes on the heat that comes through it.
 */
export function coverCondensation_kg_m2s(
  air: { temp_c: number; vapour_pa: number },
  outdoor_c: number,
  cover: Cover,
): number {
  const cover_c = outdoor_c + ((air.temp_c - outdoor_c) * cover.u_w_m2k) / cover.outsideFilm_w_m2k;
  const film_w_m2k = 1.86 * Math.abs(air.temp_c - cover_c) ** 0.33 * cover.area_share;
  return Math.max(0, 6.4e-9 * film_w_m2k * (air.vapour_pa - saturationPressure_pa(cover_c)));
}
