import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { deviceSays } from '../../../contract/device-words.ts';
import type { WeatherYear } from '../../../domain/climate/weather-year.ts';
import { workerEntry } from '../../../worker-entry.ts';
import { DriverError } from '../driver.ts';

export interface WeatherFileQuestion {
  file: string;
  /** For the hours of a CSV file; an EPW file contains it. */
  utc_offset_h: number;
}

export type WeatherFileAnswer = { year: WeatherYear } | { fault: 'unreadable' | 'malformed'; message: string };

/** Years of weather that the user put into the folder `weather` of the data directory. */
export class WeatherFolder {
  readonly #dataDirectory: string | undefined;
  /** Reads in progress: the devices of a house connect together and name one file. */
  readonly #reading = new Map<string, Promise<WeatherYear>>();

  constructor(dataDirectory: string | undefined) {
    this.#dataDirectory = dataDirectory;
  }

  /**
   * Reads a file in a thread of its own, because 8,760 lines would block the daemon too long. @param name of the file,
   * without a path; the options schema ensures that @param utc_offset_h of the hours of a CSV file @throws DriverError
   * unreachable without the file, bad_answer when it is no year of weather
   */
  read(name: string, utc_offset_h: number): Promise<WeatherYear> {
    const key = `${utc_offset_h} ${name}`;
    const begun = this.#reading.get(key) ?? this.#read(name, utc_offset_h).finally(() => this.#reading.delete(key));
    this.#reading.set(key, begun);
    return begun;
  }

  async #read(name: string, utc_offset_h: number): Promise<WeatherYear> {
    if (this.#dataDirectory === undefined) throw new DriverError('unsupported', deviceSays('no_weather_folder'));
    const answer = await ask({ file: join(this.#dataDirectory, 'weather', name), utc_offset_h });
    if ('year' in answer) return answer.year;
    const { message: said } = answer;
    if (answer.fault === 'malformed')
      throw new DriverError('bad_answer', deviceSays('weather_malformed', { name, said }));
    throw new DriverError('unreachable', deviceSays('weather_unread', { name, said }));
  }
}

function ask(question: WeatherFileQuestion): Promise<WeatherFileAnswer> {
  const worker = new Worker(workerEntry('weather-file-worker', import.meta.url), { workerData: question });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the weather was not read to its end')));
  });
}
