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

/** Where the weather is made for when nothing is said: Seoul, as the map opens there. */
const defaultLat_deg = 37.5665;
export const defaultLng_deg = 126.978;
/** The weather is taken as steady for this long, s of model time; longer gaps are crossed in at most so many steps. */
const step_s = 300;
const mostSteps = 500;

/**
 * A greenhouse that exists only as a model. It starts as a day of its weather left it, all off, whenever the daemon starts: its
 * state is not kept. `speed` runs model and weather faster than the clock that it is given.
 */
export class SimulatedHouse {
  readonly #options: SimulatedOptions;
  readonly #year: WeatherYear | null;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #equipment: Equipment = { ...allOff };
  /** Undefined until somebody looks into it: a switch or sensor that stands alone has no house. */
  #state: GreenhouseState | undefined;
  /** The model's own time, epoch ms. */
  #modelTime: number;

  /** @param year recorded weather to stand in, the same every year; null for weather that is made */
  constructor(options: SimulatedOptions, now: () => number, year: WeatherYear | null = null) {
    this.#options = options;
    this.#year = year;
    this.#now = now;
    this.#startedAt = now();
    this.#modelTime = this.#startedAt;
  }

  /** Moves a piece of equipment, 0 off or shut to 1 full; a part that the model does not know changes nothing. */
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
