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

/** A forecast and when it was requested, epoch ms. */
export interface Kept {
  hours: ForecastHours;
  asked_at_ms: number;
}

/** The last forecast of a device in its own file, so that a restart without internet continues with it. */
export class KeptForecast {
  readonly #file: string | undefined;

  /** Without a folder it keeps nothing. */
  constructor(dataDirectory: string | undefined, device_id: string) {
    const name = `${device_id.replaceAll(/[^\w-]/g, '')}.json`;
    this.#file = dataDirectory && join(dataDirectory, 'forecasts', name);
  }

  /** The forecast kept for that question; undefined when there is none or it is unreadable. */
  async read(question: string): Promise<Kept | undefined> {
    if (this.#file === undefined) return undefined;
    try {
      const kept = content.parse(JSON.parse(await readFile(this.#file, 'utf8')));
      return kept.question === question ? { hours: kept.hourly, asked_at_ms: kept.asked_at_ms } : undefined;
    } catch {
      return undefined;
    }
  }

  /** If the disk fails, only the next start lacks the forecast. */
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
