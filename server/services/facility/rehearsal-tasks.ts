import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { climateFaultAt } from '../../contract/climate-fault.ts';
import type { Rehearsal } from '../../contract/climate-rehearsal.ts';
import type { ClimateProgram } from '../../contract/climate-settings.ts';
import { refuseFault, refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { readYearFile } from '../../db/year-file.ts';
import { weatherAt } from '../../domain/climate/weather.ts';
import { WeatherFileError } from '../../domain/climate/weather-file.ts';
import { weatherOfYear } from '../../domain/climate/weather-year.ts';
import { rehearse, type Rehearsing } from '../../domain/rehearsal/rehearse.ts';
import { storedWeather, type StoredQuarters } from '../../domain/rehearsal/stored-weather.ts';
import { weatherSource } from '../../domain/study/weather-year.ts';
import { throwIfCancelled, type CancelFlag } from '../../worker/cancelling.ts';
import { withKnownMaterials } from './check.ts';

/** Fraction of a day that must have been measured for its mean to be reported. */
const leastShare = 0.75;

/** Days done, of all programs together; in shared memory, because the thread answers only at the end. */
export type DaysDone = Int32Array<SharedArrayBuffer>;

export interface RehearsalTask extends Omit<
  Rehearsing,
  'weatherAt' | 'isStored' | 'left_out' | 'dayDone' | 'programs'
> {
  present: ClimateProgram;
  changed: ClimateProgram | null;
  weather_file: string | null;
  /** The house's stored data for these days, instead of a year. */
  stored: (StoredQuarters & { indoor_c: readonly (number | null)[] | null }) | null;
}

export const rehearsalTasks = {
  rehearse: (
    dataDirectory: string,
    task: RehearsalTask,
    { flag, done }: { flag: CancelFlag; done: DaysDone },
  ): Omit<Rehearsal, 'from' | 'days' | 'crop'> =>
    withKnownMaterials(() => {
      const { present, changed, weather_file, stored: measured, ...rest } = task;
      const { weather, stored, at, left_out } =
        measured === null
          ? { ...yearOf(dataDirectory, weather_file, rest.place), stored: null, left_out: undefined }
          : daysOf(measured, rest);
      const dayDone = (): void => {
        throwIfCancelled(flag);
        Atomics.add(done, 0, 1);
      };
      const programs = [
        { which: 'present' as const, program: present },
        ...(changed === null ? [] : [{ which: 'changed' as const, program: changed }]),
      ];
      return {
        weather,
        stored,
        ...rehearse({ ...rest, programs, weatherAt: at, isStored: stored !== null, left_out, dayDone }),
      };
    }),
};
export type RehearsalTasks = typeof rehearsalTasks;

/** Throws `unknown_reference` without the file, `invalid_field` when it is no year of weather. */
function yearOf(dataDirectory: string, name: string | null, { lat, lng }: Rehearsing['place']) {
  if (name === null) {
    const { value } = weatherSource({ lat, lng });
    return { weather: String(value), at: (atMs: number) => weatherAt(lat, atMs, lng) };
  }
  try {
    const year = readYearFile(join(dataDirectory, 'weather', name), Math.round(lng / 15));
    return { weather: name, at: (atMs: number) => weatherOfYear(year, atMs) };
  } catch (error) {
    if (error instanceof WeatherFileError) throw refuseField('invalid_field', 'weather_file', error.said);
    throw refuseField('unknown_reference', 'weather_file', why('no_such_weather_file'));
  }
}

/** Throws `invalid_field` when no weather is stored for any of these days. */
function daysOf(
  { indoor_c, ...stored }: NonNullable<RehearsalTask['stored']>,
  { place, midnights_ms }: Pick<Rehearsing, 'place' | 'midnights_ms'>,
) {
  const { at, left_out, ...told } = storedWeather(stored, place);
  const starts_ms = midnights_ms.slice(0, -1);
  if (left_out.size >= starts_ms.length) throw refuseFault(climateFaultAt('from', 'none_stored'));
  const dateOf = (day: number): string =>
    Temporal.Instant.fromEpochMilliseconds(midnights_ms[day] ?? NaN)
      .toZonedDateTimeISO(place.time_zone)
      .toPlainDate()
      .toString();
  const stepOf = (atMs: number): number => Math.round((atMs - (midnights_ms[0] ?? NaN)) / 1000 / stored.step_s);
  const measured_c = starts_ms.map((startMs, day) => {
    const [first, end] = [stepOf(startMs), stepOf(midnights_ms[day + 1] ?? NaN)];
    return meanOfMost((indoor_c ?? []).slice(first, end), end - first);
  });
  return { weather: null, at, left_out, stored: { ...told, left_out: [...left_out].map(dateOf), measured_c } };
}

/** null when too little was measured to represent the whole. */
function meanOfMost(values: readonly (number | null)[], count: number): number | null {
  const known = values.filter((value) => value !== null);
  return known.length < leastShare * count ? null : known.reduce((sum, one) => sum + one, 0) / known.length;
}
