import { humidityOfDensity_pct } from './air.ts';
import { airColumn_m, houseHeat_j_m2k, latentHeat_j_kg, type GreenhouseState } from './greenhouse-model.ts';

/**
 * The state with its humidity capped at 100 %: the rest condenses on the covering, whose heat is lost outwards. Of what
 * was fogged in the last step, `fogged_kg_m2`, as much as has no room stays liquid and gives back the heat it took.
 */
export function condense(state: GreenhouseState, fogged_kg_m2: number): GreenhouseState {
  if (supersaturation_kg_m3(state) <= 0) return state;
  const settled = fogged_kg_m2 > 0 ? withoutFog(state, liquidFog_kg_m2(state, fogged_kg_m2)) : state;
  return { ...settled, vapour_kg_m3: settled.vapour_kg_m3 - Math.max(0, supersaturation_kg_m3(settled)) };
}

function supersaturation_kg_m3(state: GreenhouseState): number {
  return state.vapour_kg_m3 * (1 - 100 / humidityOfDensity_pct(state.temp_c, state.vapour_kg_m3));
}

/** The state had `liquid_kg_m2` of the fog not evaporated: drier by it, and warmer by its latent heat. */
function withoutFog(state: GreenhouseState, liquid_kg_m2: number): GreenhouseState {
  return {
    ...state,
    temp_c: state.temp_c + (latentHeat_j_kg * liquid_kg_m2) / houseHeat_j_m2k,
    vapour_kg_m3: state.vapour_kg_m3 - liquid_kg_m2 / airColumn_m,
  };
}

/** How much of the fog stays liquid for the air to be just saturated; all of it where even that is not enough. */
function liquidFog_kg_m2(state: GreenhouseState, fogged_kg_m2: number): number {
  let low = 0;
  let high = fogged_kg_m2;
  for (let halving = 0; halving < 40; halving += 1) {
    const middle = (low + high) / 2;
    if (supersaturation_kg_m3(withoutFog(state, middle)) > 0) low = middle;
    else high = middle;
  }
  return high;
}
