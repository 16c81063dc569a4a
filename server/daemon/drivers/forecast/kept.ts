import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../../db/replace-file.ts';
import { forecastHours, type ForecastHours } from './hours.ts';

const content = forecastHours.extend({
  /** Without the key. */
  question: z.string(),
  asked_at_ms: z.number(),
});

/** A forecast, and when it was asked for, epoch ms. */
export interface Kept {
  hours: ForecastHours;
  asked_at_ms: number;
}

/** The last forecast of a device in a file of its own, so that a restart without internet goes on with it. */
export class KeptForecast {
  readonly #file: string | undefined;

  /** Keeps nothing where there is no folder. */
  constructor(dataDirectory: string | undefined, device_id: string) {
    const name = `${device_id.replaceAll(/[^\w-]/g, '')}.json`;
    this.#file = dataDirectory && join(dataDirectory, 'forecasts', name);
  }

  /** What was kept for that question; undefined where there is none, or none that can be read. */
  async read(question: string): Promise<Kept | undefined> {
    if (this.#file === undefined) return undefined;
    try {
      const kept = content.parse(JSON.parse(await readFile(this.#file, 'utf8')));
      return kept.question === question ? { hours: kept.hourly, asked_at_ms: kept.asked_at_ms } : undefined;
    } catch {
      return undefined;
    }
  }

  /** A disk that takes nothing costs the forecast at the next start, and nothing now. */
  async write(question: string, { hours: hourly, asked_at_ms }: Kept): Promise<void> {
    if (this.#file === undefined) return;
    try {
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
      await replaceFile(
        this.#file,
        JSON.stringify({ question, asked_at_ms, hourly } satisfies z.infer<typeof content>),
      );
    } catch {
      // The next hour tries again.
    }
  }
}
