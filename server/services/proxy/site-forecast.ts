import {
  forecastAnswer,
  forecastAsked,
  forecastTimes,
  kmPerHourInMetresPerSecond,
  type ForecastAnswer,
  type ForecastVariable,
} from '../../contract/proxy.ts';
import type { ForecastWeather } from '../../domain/climate-program/foreseen.ts';
import type { ProxyService } from './proxy.ts';

interface SiteForecastOptions {
  proxies: Pick<ProxyService, 'forecast'>;
  settings: () => { lat: number; lng: number; providers: { openmeteo: { enabled: boolean } } };
  /** Epoch ms. */
  clock: () => number;
}

/** The longest wait for a forecast; one that comes later is cached for the next time. */
const waitMs = 2_000;
/** An older forecast is not used, s. */
const mostAge_s = 12 * 3600;
const hourMs = 3_600_000;

/** The forecast of the site by the service of the settings; null while that is switched off, slow, away or old. */
export class SiteForecast {
  readonly #options: SiteForecastOptions;

  constructor(options: SiteForecastOptions) {
    this.#options = options;
  }

  async read(): Promise<ForecastWeather | null> {
    if (!this.#options.settings().providers.openmeteo.enabled) return null;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), waitMs);
    });
    try {
      return await Promise.race([this.#ask(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whatever the provider refuses, there is no forecast then. */
  async #ask(): Promise<ForecastWeather | null> {
    const { proxies, settings, clock } = this.#options;
    const { lat, lng } = settings();
    try {
      const { body, age_s } = await proxies.forecast({ latitude: lat, longitude: lng, ...forecastAsked });
      if (age_s > mostAge_s) return null;
      const answer = forecastAnswer.parse(JSON.parse(body.toString()));
      return forecastWeather(answer, clock() - age_s * 1000);
    } catch {
      return null;
    }
  }
}

/** Interpolates the hours of an answer; null without hours. */
export function forecastWeather(answer: ForecastAnswer, asked_at_ms: number): ForecastWeather | null {
  const times = forecastTimes(answer);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return null;
  const valueAt = (name: ForecastVariable, index: number): number => Number(answer.hourly?.[name]?.[index] ?? NaN);
  return {
    asked_at_ms,
    until_ms: last,
    at: (atMs) => {
      const next = times.findIndex((time) => time >= atMs);
      const time = times[next];
      if (time === undefined || time - atMs >= hourMs) return null;
      const share = (time - atMs) / hourMs;
      const along = (name: ForecastVariable): number =>
        share === 0 ? valueAt(name, next) : valueAt(name, next - 1) * share + valueAt(name, next) * (1 - share);
      const weather = {
        temp_c: along('temperature_2m'),
        wind_m_s: along('wind_speed_10m') / kmPerHourInMetresPerSecond,
        // The mean of the hour before the time that it stands at (Open-Meteo, hourly parameter definition).
        radiation_w_m2: valueAt('shortwave_radiation', next),
      };
      return Object.values(weather).every(Number.isFinite) ? weather : null;
    },
  };
}
