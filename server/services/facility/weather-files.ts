import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../contract/code-of.ts';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { mostWeatherFiles, weatherFileName, type WeatherFile } from '../../contract/weather-file.ts';
import { replaceFile } from '../../db/replace-file.ts';
import type { FacilityStudy } from './study.ts';

interface WeatherFilesOptions {
  dataDirectory: string;
  /** Rejects with `invalid_field` when it is no year of weather. */
  study: Pick<FacilityStudy, 'checkYear'>;
  audit: AuditSink;
}

/** Years of recorded weather: files in the folder `weather`, where users may also put them by hand. */
export class WeatherFiles {
  readonly #options: WeatherFilesOptions;
  readonly #folder: string;

  constructor(options: WeatherFilesOptions) {
    this.#options = options;
    this.#folder = join(options.dataDirectory, 'weather');
  }

  /** Sorted by name; omits files whose name is not that of a weather file. */
  async list(): Promise<WeatherFile[]> {
    const names = (await this.#names()).filter((name) => weatherFileName.safeParse(name).success);
    const found = await Promise.all(names.sort().map((name) => this.#find(name)));
    return found.filter((one) => one !== undefined);
  }

  /** Rejects with `invalid_field` when it is no year of weather, or there are too many files. */
  async save(actor: Actor, name: string, file: string | Uint8Array): Promise<WeatherFile> {
    const text = typeof file === 'string' ? file : new TextDecoder().decode(file);
    const names = await this.#names();
    if (!names.includes(name) && names.length >= mostWeatherFiles) {
      throw refuseField('invalid_field', 'name', why('too_many_weather_files', { most: mostWeatherFiles }));
    }
    await this.#options.study.checkYear(name, text);
    await mkdir(this.#folder, { recursive: true });
    await replaceFile(join(this.#folder, name), text);
    this.#options.audit.record({ kind: 'weather_file.save', actor, target: name });
    const saved = await this.#find(name);
    if (saved === undefined) throw new Refusal('conflict', why('weather_file_deleted', { name }));
    return saved;
  }

  /** Rejects with `not_found`. */
  async remove(actor: Actor, name: string): Promise<void> {
    if ((await this.#find(name)) === undefined) throw new Refusal('not_found', `there is no weather file ${name}`);
    await rm(join(this.#folder, name), { force: true });
    this.#options.audit.record({ kind: 'weather_file.delete', actor, target: name });
  }

  /** Empty when the folder does not exist yet. */
  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async #find(name: string): Promise<WeatherFile | undefined> {
    try {
      const stats = await stat(join(this.#folder, name));
      return stats.isFile() ? { name, size_bytes: stats.size, saved_at: stats.mtime.toISOString() } : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}
