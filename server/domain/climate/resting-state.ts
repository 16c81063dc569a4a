import { condense } from './condensation.ts';
import {
  canopy,
  coverLoss_w_m2k,
  greenhouseRates,
  leafTransfer_m_s,
  leafVapour_kg_m3,
  leakage_m_s,
  respirationHold,
  solarHeatShare,
  type GreenhouseInputs,
  type GreenhouseState,
} from './greenhouse-model.ts';

/**
 * The state that a closed, unheated house comes to in unchanging weather, for a crop of `dry_matter_kg_m2`: the zeros
 * of the temperature, vapour and CO2 rates. Vapour is capped at 100 %.
 */
export function restingState(inputs: GreenhouseInputs, dry_matter_kg_m2: number): GreenhouseState {
  const leak = inputs.ventilation_m_s + (inputs.leakage_m_s ?? leakage_m_s);
  const temp_c = inputs.outdoor_c + (solarHeatShare * inputs.radiation_w_m2) / coverLoss_w_m2k;
  const leaves = canopy(dry_matter_kg_m2) * leafTransfer_m_s;
  const vapour_kg_m3 = (leaves * leafVapour_kg_m3(temp_c) + leak * inputs.outdoor_vapour_kg_m3) / (leaves + leak);
  const still = condense({ dry_matter_kg_m2, co2_kg_m3: inputs.outdoor_co2_kg_m3, temp_c, vapour_kg_m3 }, 0);
  return { ...still, co2_kg_m3: restingCo2(still, inputs, leak) };
}

/** Where uptake, respiration and leakage of CO2 cancel: their sum falls strictly with it, so bisection finds it. */
function restingCo2(state: GreenhouseState, inputs: GreenhouseInputs, leak_m_s: number): number {
  let low = 0;
  let high = inputs.outdoor_co2_kg_m3 + (4.87e-7 * respirationHold(state)) / leak_m_s;
  for (let halving = 0; halving < 60; halving += 1) {
    const co2_kg_m3 = (low + high) / 2;
    if (greenhouseRates({ ...state, co2_kg_m3 }, inputs).co2_kg_m3 > 0) low = co2_kg_m3;
    else high = co2_kg_m3;
  }
  return (low + high) / 2;
}
