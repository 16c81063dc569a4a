import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { countOf } from './quantity.ts';
import { timestamp } from './time.ts';

/** An EPW or CSV file in the folder `weather` of the data directory; a name, never a path. */
export const weatherFileName = z
  .string()
  .max(100, { abort: true })
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*\.(epw|EPW|csv|CSV)$/, 'must be the name of an .epw or .csv file, without a path');

/** A year of hours in EPW has 1.7 MB. */
export const mostWeatherBytes = 5 * 1024 * 1024;
/** Maximum number of stored files. */
export const mostWeatherFiles = 100;

export const weatherFile = z
  .strictObject({
    name: weatherFileName,
    size_bytes: countOf('Size of the file'),
    saved_at: timestamp,
  })
  .meta({ id: 'weather_file' });
export type WeatherFile = z.infer<typeof weatherFile>;

const path = '/api/geo/weather_files';
const params = z.strictObject({ name: weatherFileName });

export const weatherFileEndpoints = {
  list: endpoint({
    method: 'GET',
    path,
    tag: 'facilities',
    summary: 'List the years of weather that a study or a simulated house can run on',
    access: 'login',
    answer: z.strictObject({ weather_files: z.array(weatherFile).describe('By name') }),
    statuses: [200],
  }),
  save: endpoint({
    method: 'POST',
    path: `${path}/:name`,
    tag: 'facilities',
    summary: 'Save a year of hourly weather, EPW or CSV by its name; one of the same name is replaced',
    access: 'edit_settings',
    params,
    body: z.strictObject({
      file: z
        .string()
        .describe(
          'The text of the file, as multipart/form-data the file itself: EPW, or CSV with the columns temp_c, humidity_pct, ' +
            'global_radiation_w_m2 and, where known, wind, direction and rain; 8,760 hours',
        ),
    }),
    takesFile: true,
    answer: weatherFile,
    statuses: [200],
    errors: ['invalid_field'],
    maxBodyBytes: mostWeatherBytes,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:name`,
    tag: 'facilities',
    summary: 'Delete a year of weather',
    access: 'edit_settings',
    params,
    answer: z.strictObject({ name: weatherFileName, deleted: z.literal(true) }),
    statuses: [200],
    errors: ['not_found'],
  }),
};
