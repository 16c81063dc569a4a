import type { Calibration } from '../../contract/climate-rehearsal.ts';
import { gases_at_c, readModel, stepHouse, type Equipment, type ModelHouse } from '../simulation/house-model.ts';
import { co2Density_kg_m3, vapourDensity_kg_m3, zeroCelsius_k } from '../climate/air.ts';
import type { GreenhouseState } from '../climate/greenhouse-model.ts';
import type { Weather } from '../climate/weather.ts';

/** Measured history of a house: weather, equipment positions and sensor values. */
export interface HousePast {
  weather: Weather;
  equipment: Equipment;
  temp_c: number;
  humidity_pct: number | null;
}

export interface Recorded {
  /** Length of each step, s. */
  step_s: number;
  /** Consecutive steps; null where something was not measured. */
  steps: readonly (HousePast | null)[];
  /** Dry matter of the crop in the house, kg/m2. */
  dry_matter_kg_m2: number;
}

const day_s = 86_400;
/** Minimum number of days: one to judge, the others to fit. */
const leastDays = 2;
/** Fraction of a day that must have been measured. */
const leastShare = 0.75;
/** Limits of the factors: no house differs more from its drawing. */
const range = { least: 0.4, most: 2.5 };
/** Steps of the search, as factors: each is tried in both directions until none improves. */
const strides = [1.3, 1.1, 1.03];
const mostTries = 40;

type Factors = Pick<Calibration, 'loss_factor' | 'sun_factor'>;
const asDrawn: Factors = { loss_factor: 1, sun_factor: 1 };

export function fitted(model: ModelHouse, { loss_factor, sun_factor }: Factors): ModelHouse {
  return {
    ...model,
    loss_w_m2k: model.loss_w_m2k * loss_factor,
    screened_w_m2k: model.screened_w_m2k * loss_factor,
    light_transmittance: model.light_transmittance * sun_factor,
  };
}

/**
 * Fits a model's heat loss and solar gain to a house's history by the error of the indoor air, and judges it by the
 * last day, which was not used to fit. null when too little was measured.
 */
export function calibrated(model: ModelHouse, { steps, ...recorded }: Recorded): Calibration | null {
  const perDay = day_s / recorded.step_s;
  const days = Array.from({ length: Math.floor(steps.length / perDay) }, (_, day) =>
    steps.slice(day * perDay, (day + 1) * perDay),
  ).filter((day) => day.filter((one) => one !== null).length >= leastShare * perDay);
  const last = days.at(-1);
  if (last === undefined || days.length < leastDays) return null;
  const before = days.slice(0, -1).flat();
  const factors = search((tried) => errorsOf(fitted(model, tried), { ...recorded, steps: before }).temp_k);
  // The previous days warm up its floor.
  const whole = { ...recorded, steps: [...before, ...last] };
  const judged = (tried: Factors) => errorsOf(fitted(model, tried), whole, before.length);
  const [drawn, fit] = [judged(asDrawn), judged(factors)];
  // A fit that is no better on an unseen day is rejected.
  const [taken, found] = fit.temp_k < drawn.temp_k ? [factors, fit] : [asDrawn, drawn];
  const errors = { drawn_error_k: drawn.temp_k, error_k: found.temp_k, error_humidity_pct: found.humidity_pct };
  return { days: days.length, ...taken, ...errors };
}

/** Pattern search, starting from the house as drawn. */
function search(errorOf: (factors: Factors) => number): Factors {
  let best = asDrawn;
  let least = errorOf(best);
  let tries = 1;
  for (const stride of strides) {
    for (let isBetter = true; isBetter && tries < mostTries;) {
      isBetter = false;
      for (const next of neighbours(best, stride)) {
        const error = errorOf(next);
        tries += 1;
        if (error >= least) continue;
        [best, least, isBetter] = [next, error, true];
      }
    }
  }
  return best;
}

function neighbours({ loss_factor, sun_factor }: Factors, stride: number): Factors[] {
  return [
    { loss_factor: loss_factor * stride, sun_factor },
    { loss_factor: loss_factor / stride, sun_factor },
    { loss_factor, sun_factor: sun_factor * stride },
    { loss_factor, sun_factor: sun_factor / stride },
  ].filter((one) => Object.values(one).every((factor) => factor >= range.least && factor <= range.most));
}

/**
 * The model runs freely on weather and equipment; after a gap it restarts from the measurements. Errors count from step
 * `from`.
 */
function errorsOf(model: ModelHouse, { step_s, steps, dry_matter_kg_m2 }: Recorded, from = 0) {
  const [temps, humidities]: [number[], number[]] = [[], []];
  let state: GreenhouseState | null = null;
  let floor_c = firstDayMean_c(steps, step_s);
  for (const [index, past] of steps.entries()) {
    if (past === null) {
      state = null;
      continue;
    }
    const { equipment, weather } = past;
    state ??= measuredState(past, dry_matter_kg_m2, floor_c);
    const read = readModel(model, state, past);
    if (index >= from) {
      temps.push(read.temp_c - past.temp_c);
      if (past.humidity_pct !== null) humidities.push(read.humidity_pct - past.humidity_pct);
    }
    state = { ...stepHouse(model, state, { equipment, weather }, step_s), dry_matter_kg_m2 };
    floor_c = state.floor_c;
  }
  return { temp_k: rms(temps) ?? Infinity, humidity_pct: rms(humidities) };
}

function measuredState(past: HousePast, dry_matter_kg_m2: number, floor_c: number): GreenhouseState {
  const { temp_c, humidity_pct, weather } = past;
  const density = vapourDensity_kg_m3(temp_c, humidity_pct ?? weather.humidity_pct);
  return {
    dry_matter_kg_m2,
    temp_c,
    floor_c,
    co2_kg_m3: co2Density_kg_m3(weather.co2_ppm, gases_at_c),
    vapour_kg_m3: (density * (temp_c + zeroCelsius_k)) / (gases_at_c + zeroCelsius_k),
  };
}

/** An estimate of the floor's temperature at the beginning. */
function firstDayMean_c(steps: Recorded['steps'], step_s: number): number {
  const temps = steps.slice(0, day_s / step_s).flatMap((past) => (past === null ? [] : [past.temp_c]));
  return temps.reduce((sum, one) => sum + one, 0) / Math.max(temps.length, 1);
}

function rms(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.sqrt(values.reduce((sum, one) => sum + one ** 2, 0) / values.length);
}
