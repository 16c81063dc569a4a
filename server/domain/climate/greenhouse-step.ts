import { condense } from './condensation.ts';
import {
  airColumn_m,
  fogTransfer_m_s,
  greenhouseRates,
  leafTransfer_m_s,
  leakage_m_s,
  type GreenhouseInputs,
  type GreenhouseState,
  type InputsOf,
} from './greenhouse-model.ts';

/** Longest internal step, s, and its share of the fastest time constant: RK4 is stable to 2.78. */
const longestStep_s = 60;
const stepShare = 0.5;

/**
 * The state after `dt_s` (>= 0) seconds. Classical Runge-Kutta in internal steps of at most half the fastest time
 * constant, so any dt_s is stable. Humidity is capped at 100 %: the rest condenses on the covering, and its heat is
 * lost outwards.
 */
export function stepGreenhouse(
  state: GreenhouseState,
  inputs: GreenhouseInputs | InputsOf,
  dt_s: number,
): GreenhouseState {
  const inputsOf = typeof inputs === 'function' ? inputs : () => inputs;
  let now = state;
  let left_s = dt_s;
  while (left_s > 0) {
    const here = inputsOf(now);
    const count = Math.ceil(left_s / Math.min(longestStep_s, stepShare / fastestRate(here)));
    const step_s = left_s / count;
    now = condense(rungeKutta(now, inputsOf, step_s), here.gases_at_c);
    left_s = count === 1 ? 0 : left_s - step_s;
  }
  return now;
}

/** Inverse of the shortest time constant, 1/s: that of vapour, which ventilation, leaves and fog exchange. */
function fastestRate(inputs: GreenhouseInputs): number {
  const wet_m_s = leafTransfer_m_s + (inputs.fog_kg_m2s > 0 ? fogTransfer_m_s : 0);
  return (
    (inputs.ventilation_m_s + (inputs.leakage_m_s ?? leakage_m_s) + wet_m_s) / (inputs.air_column_m ?? airColumn_m)
  );
}

function rungeKutta(state: GreenhouseState, inputsOf: InputsOf, step_s: number): GreenhouseState {
  const rate = (at: GreenhouseState) => greenhouseRates(at, inputsOf(at));
  const k1 = rate(state);
  const k2 = rate(moved(state, k1, step_s / 2));
  const k3 = rate(moved(state, k2, step_s / 2));
  const k4 = rate(moved(state, k3, step_s));
  const mean = (key: keyof GreenhouseState) => (k1[key] + 2 * k2[key] + 2 * k3[key] + k4[key]) / 6;
  return moved(
    state,
    {
      dry_matter_kg_m2: mean('dry_matter_kg_m2'),
      co2_kg_m3: mean('co2_kg_m3'),
      temp_c: mean('temp_c'),
      vapour_kg_m3: mean('vapour_kg_m3'),
      floor_c: mean('floor_c'),
    },
    step_s,
  );
}

function moved(state: GreenhouseState, rate: GreenhouseState, step_s: number): GreenhouseState {
  return {
    dry_matter_kg_m2: state.dry_matter_kg_m2 + rate.dry_matter_kg_m2 * step_s,
    co2_kg_m3: state.co2_kg_m3 + rate.co2_kg_m3 * step_s,
    temp_c: state.temp_c + rate.temp_c * step_s,
    vapour_kg_m3: state.vapour_kg_m3 + rate.vapour_kg_m3 * step_s,
    floor_c: state.floor_c + rate.floor_c * step_s,
  };
}
