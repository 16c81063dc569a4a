import fc from 'fast-check';
import { expect, it } from 'vitest';
import { saturationPressure_pa, vapourDensity_kg_m3 } from '../../../../server/domain/climate/air.ts';
import {
  expanded,
  floorHeat_j_m2k,
  houseHeat_j_m2k,
  latentHeat_j_kg,
  leafTransfer_m_s,
  modelAirHeat_j_m3k,
  photosynthesis,
  solarHeatShare,
  type GreenhouseState,
} from '../../../../server/domain/climate/greenhouse-model.ts';
import { weatherAt, type Weather } from '../../../../server/domain/climate/weather.ts';
import {
  afterDay,
  allOff,
  crops,
  modelInputs,
  stepHouse,
  type Equipment,
  type ModelHouse,
} from '../../../../server/domain/simulation/house-model.ts';
import { modelOfHouse } from '../../../../server/domain/simulation/model-of-house.ts';
import { simulatedHouse } from '../../../../server/domain/simulation/simulated-house.ts';
import type { StandingCrop } from '../../../../server/contract/standing-crop.ts';
import { drawnHouse } from '../../../support/drawn-house.ts';

const isLong = process.env['TEST_SCALE'] === 'long';
/** A day of five-second steps is a second's work, and a minute's on a machine that is busy with others. */
const longestMs = isLong ? 3_600_000 : 120_000;
const half_s = 5;
/** A step with a flow that deviates from a straight line by this share of itself is walked in so many. */
const bentShare = 0.01;
const bentParts = 50;
const quantities = ['heat', 'water', 'co2'] as const;
const hour_s = 3600;

interface Around {
  equipment: Equipment;
  weather: Weather;
}

/**
 * What comes in and goes out, written down once more from the sources of the model: W/m2, and kg/m2s of water and of
 * CO2.
 */
function flows(model: ModelHouse, state: GreenhouseState, around: Around) {
  const inputs = modelInputs(model, around, state);
  const { ventilation_m_s, leakage_m_s = 0, fog_kg_m2s, condensed_kg_m2s = 0, loss_w_m2k = 0 } = inputs;
  const air = expanded(state, inputs.gases_at_c);
  const canopy = 1 - Math.exp(-53 * state.dry_matter_kg_m2);
  const leaf_kg_m3 = (9348 / (8314 * (state.temp_c + 273.15))) * Math.exp((17.4 * state.temp_c) / (state.temp_c + 239));
  // Fog evaporates all but at saturation; what stays liquid neither takes heat nor becomes vapour.
  const deficit_kg_m3 = vapourDensity_kg_m3(state.temp_c, 100) - air.vapour_kg_m3;
  const evaporated_kg_m2s = fog_kg_m2s > 0 ? fog_kg_m2s * (1 - Math.exp((-0.08 * deficit_kg_m3) / fog_kg_m2s)) : 0;
  const warmer_k = state.temp_c - inputs.outdoor_c;
  const exchange_m_s = ventilation_m_s + leakage_m_s;
  return {
    heat: [
      inputs.heating_w_m2,
      solarHeatShare * inputs.radiation_w_m2,
      0.06 * (1 - canopy) * inputs.radiation_w_m2,
      -modelAirHeat_j_m3k * ventilation_m_s * warmer_k,
      -loss_w_m2k * warmer_k,
      -latentHeat_j_kg * evaporated_kg_m2s,
    ],
    water: [
      canopy * leafTransfer_m_s * (leaf_kg_m3 - air.vapour_kg_m3),
      evaporated_kg_m2s,
      -condensed_kg_m2s,
      -exchange_m_s * (state.vapour_kg_m3 - inputs.outdoor_vapour_kg_m3),
    ],
    co2: [
      inputs.co2_kg_m2s,
      -photosynthesis(air, inputs.radiation_w_m2),
      4.87e-7 * state.dry_matter_kg_m2 * 2 ** (0.1 * state.temp_c - 2.5),
      -exchange_m_s * (state.co2_kg_m3 - inputs.outdoor_co2_kg_m3),
    ],
  };
}
type Flows = ReturnType<typeof flows>;

function stored(
  { volume_m3, floor_area_m2 }: ModelHouse,
  { temp_c, floor_c, vapour_kg_m3, co2_kg_m3 }: GreenhouseState,
): Record<keyof Flows, number> {
  const column_m = volume_m3 / floor_area_m2;
  return {
    heat: houseHeat_j_m2k * temp_c + floorHeat_j_m2k * floor_c,
    water: column_m * vapour_kg_m3,
    co2: column_m * co2_kg_m3,
  };
}

/** Everything is used at some hour of the day; heat and vents never together for long. */
function equipmentAt(hour: number): Equipment {
  const isNight = hour < 7 || hour > 19;
  const open = hour >= 11 && hour <= 16;
  return {
    ...allOff,
    heater: isNight ? 0.35 : 0.1,
    screen: isNight ? 0.9 : 0,
    roof_vent: open ? 0.3 : 0.02,
    side_vent: open ? 0.1 : 0,
    co2: hour >= 8 && hour <= 10 ? 0.6 : 0,
    fogger: hour === 14 ? 0.3 : 0,
    fan: hour === 15 ? 0.1 : 0,
    lighting: hour >= 17 && hour <= 18 ? 1 : 0,
  };
}

interface Passed {
  end: GreenhouseState;
  /** What flowed meanwhile, by Simpson's rule. */
  sums: Flows;
  /**
   * Whether a flow was no straight line, as when condensation begins or a vent has just opened: Simpson's rule then
   * errs.
   */
  isBent: boolean;
}

function isBent(first: number, middle: number, last: number): boolean {
  const most = Math.max(Math.abs(first), Math.abs(middle), Math.abs(last));
  return Math.abs(first - 2 * middle + last) > bentShare * most;
}

function pass(model: ModelHouse, state: GreenhouseState, around: Around, half_s: number): Passed {
  const middle = stepHouse(model, state, around, half_s);
  const end = stepHouse(model, middle, around, half_s);
  const [a, b, c] = [flows(model, state, around), flows(model, middle, around), flows(model, end, around)];
  const sumsOf = (what: keyof Flows): number[] =>
    a[what].map((flow, index) => ((flow + 4 * (b[what][index] ?? 0) + (c[what][index] ?? 0)) * half_s) / 3);
  return {
    end,
    sums: { heat: sumsOf('heat'), water: sumsOf('water'), co2: sumsOf('co2') },
    isBent: quantities.some((what) => a[what].some((flow, at) => isBent(flow, b[what][at] ?? 0, c[what][at] ?? 0))),
  };
}

/** Lets a day pass, and holds what the house stores against all that came and went. */
function closes(model: ModelHouse, crop: StandingCrop, fromMs: number): void {
  const weatherOf = (atMs: number): Weather => weatherAt(52, atMs, 5);
  let state = afterDay(model, (before_s) => weatherOf(fromMs - before_s * 1000), crop);
  expect(state.dry_matter_kg_m2).toBe(crops[crop]);
  const first = stored(model, state);
  const net = { heat: 0, water: 0, co2: 0 };
  const gross = { heat: 0, water: 0, co2: 0 };
  const add = ({ end, sums }: Passed): void => {
    for (const what of quantities)
      for (const sum of sums[what]) {
        net[what] += sum;
        gross[what] += Math.abs(sum);
      }
    state = end;
  };
  for (let s = 0; s < 24 * hour_s; s += 2 * half_s) {
    const hour = Math.floor(s / hour_s);
    const around = { equipment: equipmentAt(hour), weather: weatherOf(fromMs + hour * hour_s * 1000) };
    const whole = pass(model, state, around, half_s);
    if (!whole.isBent) add(whole);
    else for (let part = 0; part < bentParts; part += 1) add(pass(model, state, around, half_s / bentParts));
    const saturated_kg_m3 = (saturationPressure_pa(state.temp_c) * 0.018) / (8.314 * (state.temp_c + 273.15));
    expect(expanded(state, 20).vapour_kg_m3).toBeLessThan(1.01 * saturated_kg_m3); // drips from the covering before the air is full
  }
  const last = stored(model, state);
  for (const what of quantities)
    expect(Math.abs(last[what] - first[what] - net[what]) / gross[what], what).toBeLessThan(1e-6);
}

const days = { winter: Date.UTC(2026, 0, 14), spring: Date.UTC(2026, 3, 9), summer: Date.UTC(2026, 6, 12) };

it.each([
  ['a bare house in winter', 'none', days.winter, simulatedHouse],
  ['a young crop in spring', 'young', days.spring, simulatedHouse],
  ['a full crop in summer', 'full', days.summer, simulatedHouse],
  ['a house with more fog than its air can hold', 'none', days.winter, { ...simulatedHouse, fogger_kg_h: 100 }],
] as const)(
  'energy, water and CO2 of %s are conserved over a day',
  { timeout: longestMs },
  (_, crop, fromMs, model) => {
    closes(model, crop, fromMs);
  },
);

it(
  'energy, water and CO2 of any drawn house are conserved over a day',
  () => {
    const seasons = fc.constantFrom(...Object.values(days));
    fc.assert(
      fc.property(drawnHouse, fc.constantFrom('none', 'young', 'full'), seasons, (facility, crop, fromMs) => {
        closes(modelOfHouse(facility, { lat: 52, lng: 5 }).model, crop, fromMs);
      }),
      { numRuns: isLong ? 100 : 2 },
    );
  },
  longestMs,
);
