import { join } from 'node:path';
import type { Assumption } from '../../contract/facility.ts';
import { refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { StudyRequest, StudyResult } from '../../contract/study.ts';
import { readYear, readYearFile } from '../../db/year-file.ts';
import type { SiteContext } from '../../domain/capacity/design.ts';
import { WeatherFileError } from '../../domain/climate/weather-file.ts';
import type { WeatherYear } from '../../domain/study/house.ts';
import { studyHouse } from '../../domain/study/study.ts';
import { recordedYear, weatherSource, yearAt } from '../../domain/study/weather-year.ts';
import { withKnownMaterials } from './check.ts';
import { noteOf } from '../../contract/assumption-note.ts';

/** What the thread needs: the data directory. */
export type StudyPlace = string;

export const studyTasks = {
  study: (dataDirectory: StudyPlace, { weather_file, ...request }: StudyRequest, site: SiteContext): StudyResult =>
    withKnownMaterials(() => {
      const elevation_m = request.design_conditions?.elevation_m ?? site.design_conditions?.elevation_m;
      const place = { lat: site.lat, lng: site.lng, elevation_m };
      const { year, weather } =
        weather_file === undefined
          ? { year: yearAt(place), weather: weatherSource(place) }
          : yearOfFile(join(dataDirectory, 'weather', weather_file), weather_file, place.lng);
      const found = studyHouse(request, year, site);
      return { ...found, assumptions: { weather, ...found.assumptions } };
    }),
  /** Throws `invalid_field` when a text is no year of weather. */
  checkYear: (_dataDirectory: StudyPlace, name: string, text: string): void => {
    try {
      readYear(name, text, 0);
    } catch (error) {
      if (error instanceof WeatherFileError) throw refuseField('invalid_field', 'file', error.said);
      throw error;
    }
  },
};
export type StudyTasks = typeof studyTasks;

/** Throws `unknown_reference` without the file, `invalid_field` when it is no year of weather. */
function yearOfFile(file: string, name: string, lng = 0): { year: WeatherYear; weather: Assumption } {
  try {
    const recorded = readYearFile(file, Math.round(lng / 15));
    const why = noteOf('weather_file');
    return { year: recordedYear(recorded), weather: { value: name, unit: null, source: 'request', ...why } };
  } catch (error) {
    if (error instanceof WeatherFileError) throw refuseField('invalid_field', 'weather_file', error.said);
    throw refuseField('unknown_reference', 'weather_file', why('no_such_weather_file'));
  }
}
