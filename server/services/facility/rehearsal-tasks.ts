import { join } from 'node:path';
import type { Rehearsal } from '../../contract/climate-rehearsal.ts';
import type { ClimateProgram } from '../../contract/climate-settings.ts';
import { refuseField } from '../../contract/errors.ts';
import { readYearFile } from '../../db/year-file.ts';
import { weatherAt } from '../../domain/climate/weather.ts';
import { WeatherFileError } from '../../domain/climate/weather-file.ts';
import { weatherOfYear } from '../../domain/climate/weather-year.ts';
import { rehearse, type Rehearsing } from '../../domain/rehearsal/rehearse.ts';
import { weatherSource } from '../../domain/study/weather-year.ts';
import { throwIfCancelled, type CancelFlag } from '../../worker/cancelling.ts';
import { withKnownMaterials } from './check.ts';

/** Days that are done, of all programs together; on shared memory, for the thread answers when all are. */
export type DaysDone = Int32Array<SharedArrayBuffer>;

export interface RehearsalTask extends Omit<Rehearsing, 'weatherAt' | 'dayDone' | 'programs'> {
  present: ClimateProgram;
  changed: ClimateProgram | null;
  weather_file: string | null;
}

export const rehearsalTasks = {
  rehearse: (
    dataDirectory: string,
    task: RehearsalTask,
    { flag, done }: { flag: CancelFlag; done: DaysDone },
  ): Pick<Rehearsal, 'programs' | 'assumed' | 'weather' | 'calibration'> =>
    withKnownMaterials(() => {
      const { present, changed, weather_file, ...rest } = task;
      const { weather, at } = weatherOf(dataDirectory, weather_file, rest.place);
      const dayDone = (): void => {
        throwIfCancelled(flag);
        Atomics.add(done, 0, 1);
      };
      const programs = [
        { which: 'present' as const, program: present },
        ...(changed === null ? [] : [{ which: 'changed' as const, program: changed }]),
      ];
      return { weather, ...rehearse({ ...rest, programs, weatherAt: at, dayDone }) };
    }),
};
export type RehearsalTasks = typeof rehearsalTasks;

/** Throws `unknown_reference` without the file, `invalid_field` where it is no year of weather. */
function weatherOf(dataDirectory: string, name: string | null, { lat, lng }: Rehearsing['place']) {
  if (name === null) {
    const { value } = weatherSource({ lat, lng });
    return { weather: String(value), at: (atMs: number) => weatherAt(lat, atMs, lng) };
  }
  try {
    const year = readYearFile(join(dataDirectory, 'weather', name), Math.round(lng / 15));
    return { weather: name, at: (atMs: number) => weatherOfYear(year, atMs) };
  } catch (error) {
    if (error instanceof WeatherFileError) throw refuseField('invalid_field', 'weather_file', error.message);
    throw refuseField('unknown_reference', 'weather_file', 'is no file in the folder weather of the data directory');
  }
}
