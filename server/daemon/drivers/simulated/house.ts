import type { SimulatedOptions, SimulatedPart } from '../../../contract/drivers/simulated.ts';
import type { GreenhouseState } from '../../../domain/climate/greenhouse-model.ts';
import {
  afterDay,
  allOff,
  readModel,
  stepHouse,
  type Equipment,
  type IndoorReading,
  type ModelHouse,
} from '../../../domain/simulation/house-model.ts';
import { weatherAt, type Weather } from '../../../domain/climate/weather.ts';
import { weatherOfYear, type WeatherYear } from '../../../domain/climate/weather-year.ts';

/** Default place of the weather: Seoul, where the map opens too. */
const defaultLat_deg = 37.5665;
export const defaultLng_deg = 126.978;
/** The weather counts as steady for this long, s of model time; longer gaps take at most `mostSteps` steps. */
const step_s = 300;
const mostSteps = 500;

interface Surroundings {
  now: () => number;
  /** The house as it is built now: it may be built differently while it runs. */
  model: () => ModelHouse;
  /** Recorded weather to stand in, the same every year; weather is made where absent or null. */
  year?: WeatherYear | null;
}

/**
 * A greenhouse that exists only as a model. At every start of the daemon it begins as a day of its weather would leave
 * it, everything off: its state is not stored. `speed` runs model and weather faster than its clock.
 */
export class SimulatedHouse {
  readonly #options: SimulatedOptions;
  readonly #year: WeatherYear | null;
  readonly #model: () => ModelHouse;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #equipment: Equipment = { ...allOff };
  /** undefined until first used: a standalone switch or sensor has no house. */
  #state: GreenhouseState | undefined;
  /** Model time, epoch ms. */
  #modelTime: number;

  constructor(options: SimulatedOptions, surroundings: Surroundings) {
    this.#options = options;
    this.#year = surroundings.year ?? null;
    this.#model = surroundings.model;
    this.#now = surroundings.now;
    this.#startedAt = this.#now();
    this.#modelTime = this.#startedAt;
  }

  /** Moves a piece of equipment, 0 off or shut to 1 full; unknown parts are ignored. */
  set(part: SimulatedPart, position: number): void {
    if (!isEquipment(part)) return;
    this.#advance();
    this.#equipment[part] = position;
  }

  indoor(): IndoorReading {
    return readModel(this.#model(), this.#advance(), { equipment: this.#equipment, weather: this.weather() });
  }

  weather(): Weather {
    return this.#weatherAt(this.#targetTime());
  }

  #advance(): GreenhouseState {
    let state = (this.#state ??= this.#atStart());
    const gapS = (this.#targetTime() - this.#modelTime) / 1000;
    if (gapS <= 0) return state; // the clock was set back: the model waits for it
    const steps = Math.min(Math.ceil(gapS / step_s), mostSteps);
    const model = this.#model();
    for (let step = 0; step < steps; step += 1) {
      const weather = this.#weatherAt(this.#modelTime);
      state = stepHouse(model, state, { equipment: this.#equipment, weather }, gapS / steps);
      this.#modelTime += (gapS * 1000) / steps;
    }
    this.#state = state;
    return state;
  }

  #atStart(): GreenhouseState {
    const weatherOf = (before_s: number): Weather => this.#weatherAt(this.#modelTime - 1000 * before_s);
    return afterDay(this.#model(), weatherOf, this.#options.crop);
  }

  #targetTime(): number {
    return this.#startedAt + (this.#now() - this.#startedAt) * (this.#options.speed ?? 1);
  }

  #weatherAt(time: number): Weather {
    if (this.#year !== null) return weatherOfYear(this.#year, time);
    return weatherAt(this.#options.lat ?? defaultLat_deg, time, this.#options.lng ?? defaultLng_deg);
  }
}

function isEquipment(part: SimulatedPart): part is keyof Equipment & SimulatedPart {
  return Object.hasOwn(allOff, part);
}
