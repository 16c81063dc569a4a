import { deviceSays } from '../../../contract/device-words.ts';
import { forecastChannels, type ForecastOptions } from '../../../contract/drivers/forecast.ts';
import { baseAddress } from '../../../outbound/base-address.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';
import type { Outbound } from '../../../outbound/outbound.ts';
import { Backoff } from '../../backoff.ts';
import type { Clock } from '../../clock.ts';
import { DriverError, type Reading, type Sensing } from '../driver.ts';
import { expectedAt, forecastHours, variables, type ForecastHours } from './hours.ts';
import type { KeptForecast } from './kept.ts';

const publicService = 'https://api.open-meteo.com';
const customerService = 'https://customer-api.open-meteo.com';
const hourMs = 3_600_000;
/** The service's models run hourly. */
const refreshMs = hourMs;
const [firstPauseMs, longestPauseMs] = [60_000, 30 * 60_000];
const timeoutMs = 10_000;
/** Covers the longest lead. */
const forecastDays = 5;
const [defaultLeadH, defaultLongestAgeH] = [3, 6];

interface Known {
  hours: ForecastHours;
  /** Elapsed ms. */
  asked_ms: number;
}

interface ForecastParts {
  kept: KeptForecast;
  outbound: Pick<Outbound, 'fetch'>;
  clock: Clock;
  channels: readonly number[];
}

/**
 * The forecast for a number of hours ahead. The last one stays in use while there is no newer one, until it is too old.
 */
export class ForecastDevice implements Sensing {
  readonly #options: ForecastOptions;
  readonly #parts: ForecastParts;
  readonly #backoff = new Backoff(firstPauseMs, longestPauseMs);
  #known: Known | undefined;
  #askAgainAt_ms = Number.NEGATIVE_INFINITY;
  #fault: unknown;
  #isRestored = false;

  constructor(options: ForecastOptions, parts: ForecastParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** The current values; of a forecast that is too old only its age. */
  async read(signal: AbortSignal): Promise<readonly Reading[]> {
    const { clock, channels } = this.#parts;
    if (!this.#isRestored) await this.#restore();
    if (clock.elapsed() >= this.#askAgainAt_ms) await this.#ask(signal);
    if (this.#known === undefined) throw this.#fault;
    const { lead_h = defaultLeadH, longest_age_h = defaultLongestAgeH } = this.#options;
    const ageMs = clock.elapsed() - this.#known.asked_ms;
    const isOld = ageMs > longest_age_h * hourMs;
    const expected = expectedAt(this.#known.hours, (clock.now() + lead_h * hourMs) / 1_000);
    const values = [...expected.map((value) => (isOld ? null : value)), ageMs / 1_000];
    return forecastChannels
      .filter(({ channel }) => channels.includes(channel))
      .map(({ channel }) => ({ channel, value: values[channel] ?? null }));
  }

  /** Continues with the forecast that an earlier run kept. If that is dated in the future, its age is unknown. */
  async #restore(): Promise<void> {
    const { clock, kept } = this.#parts;
    const found = await kept.read(this.#question());
    this.#isRestored = true;
    const ageMs = found === undefined ? -1 : clock.now() - found.asked_at_ms;
    if (found === undefined || ageMs < 0) return;
    const askedMs = clock.elapsed() - ageMs;
    this.#known = { hours: found.hours, asked_ms: askedMs };
    this.#askAgainAt_ms = askedMs + refreshMs;
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { clock, kept } = this.#parts;
    const [asked_ms, asked_at_ms] = [clock.elapsed(), clock.now()];
    try {
      const hours = await this.#fetch(signal);
      this.#known = { hours, asked_ms };
      await kept.write(this.#question(), { hours, asked_at_ms });
      this.#backoff.reset();
      this.#askAgainAt_ms = asked_ms + refreshMs;
    } catch (error) {
      this.#fault = error;
      this.#askAgainAt_ms = asked_ms + this.#backoff.next();
    }
  }

  async #fetch(signal: AbortSignal): Promise<ForecastHours> {
    const { outbound } = this.#parts;
    const policy = this.#options.base_url === undefined ? 'public' : 'lan';
    try {
      const headers = { accept: 'application/json' };
      const answer = await outbound.fetch(this.#address(), { policy, headers, signal, timeoutMs, redirects: 'none' });
      if (answer.status !== 200)
        throw new DriverError('refused', deviceSays('forecast_status', { status: answer.status }));
      return read(answer.body);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new DriverError('unreachable', error.message, { cause: error });
    }
  }

  #address(): string {
    const { password } = this.#options;
    const key = typeof password === 'string' ? `&${new URLSearchParams({ apikey: password }).toString()}` : '';
    return `${this.#question()}${key}`;
  }

  /** The request's address and parameters, without the key. */
  #question(): string {
    const { base_url, latitude, longitude, password } = this.#options;
    const service = base_url ?? (password === undefined ? publicService : customerService);
    const query = new URLSearchParams({
      latitude: String(latitude),
      longitude: String(longitude),
      hourly: variables.join(','),
      forecast_days: String(forecastDays),
      timeformat: 'unixtime',
      wind_speed_unit: 'ms',
    });
    return `${baseAddress(service)}/v1/forecast?${query.toString()}`;
  }
}

function read(body: Buffer): ForecastHours {
  try {
    return forecastHours.parse(JSON.parse(body.toString())).hourly;
  } catch (cause) {
    throw new DriverError('bad_answer', deviceSays('forecast_other'), { cause });
  }
}
