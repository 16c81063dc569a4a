import type { SimulatedOptions, SimulatedPart } from '../../../contract/drivers/simulated.ts';
import type { GreenhouseState } from '../../../domain/climate/greenhouse-model.ts';
import {
  allOff,
  houseAfterDay,
  readIndoor,
  stepSimulatedHouse,
  type Equipment,
  type IndoorReading,
} from '../../../domain/simulation/simulated-house.ts';
import { weatherAt, type Weather } from '../../../domain/climate/weather.ts';
import { weatherOfYear, type WeatherYear } from '../../../domain/climate/weather-year.ts';

/** Default place of the weather: Seoul, where the map opens too. */
const defaultLat_deg = 37.5665;
export const defaultLng_deg = 126.978;
/** The weather counts as steady for this long, s of model time; longer gaps take at most `mostSteps` steps. */
const step_s = 300;
const mostSteps = 500;

/**
 * A greenhouse that exists only as a model. At every start of the daemon it begins as a day of its weather would leave
 * it, everything off: its state is not stored. `speed` runs model and weather faster than its clock.
 */
export class SimulatedHouse {
  readonly #options: SimulatedOptions;
  readonly #year: WeatherYear | null;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #equipment: Equipment = { ...allOff };
  /** undefined until first used: a standalone switch or sensor has no house. */
  #state: GreenhouseState | undefined;
  /** Model time, epoch ms. */
  #modelTime: number;

  /** @param year recorded weather, repeated every year; null for generated weather */
  constructor(options: SimulatedOptions, now: () => number, year: WeatherYear | null = null) {
    this.#options = options;
    this.#year = year;
    this.#now = now;
    this.#startedAt = now();
    this.#modelTime = this.#startedAt;
  }

  /** Moves a piece of equipment, 0 off or shut to 1 full; unknown parts are ignored. */
  set(part: SimulatedPart, position: number): void {
    if (!isEquipment(part)) return;
    this.#advance();
    this.#equipment[part] = position;
  }

  indoor(): IndoorReading {
    return readIndoor(this.#advance(), { equipment: this.#equipment, weather: this.weather() });
  }

  weather(): Weather {
    return this.#weatherAt(this.#targetTime());
  }

  #advance(): GreenhouseState {
    let state = (this.#state ??= this.#atStart());
    const gapS = (this.#targetTime() - this.#modelTime) / 1000;
    if (gapS <= 0) return state; // the clock was set back: the model waits for it
    const steps = Math.min(Math.ceil(gapS / step_s), mostSteps);
    for (let step = 0; step < steps; step += 1) {
      const weather = this.#weatherAt(this.#modelTime);
      state = stepSimulatedHouse(state, { equipment: this.#equipment, weather }, gapS / steps);
      this.#modelTime += (gapS * 1000) / steps;
    }
    this.#state = state;
    return state;
  }

  #atStart(): GreenhouseState {
    return houseAfterDay((before_s) => this.#weatherAt(this.#modelTime - 1000 * before_s), this.#options.crop);
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
