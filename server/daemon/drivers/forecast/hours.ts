import { z } from 'zod';

/** Open-Meteo's names, in the order of the channels. */
export const variables = [
  'temperature_2m',
  'relative_humidity_2m',
  'wind_speed_10m',
  'wind_direction_10m',
  'shortwave_radiation',
  'precipitation',
] as const;
type Variable = (typeof variables)[number];

const column = z.array(z.number().nullable()).max(1_000);

/** Hours in epoch s, with parallel columns. */
export const forecastHours = z.object({
  hourly: z.object({
    time: z.array(z.int().min(0).max(8_640_000_000_000)).max(1_000),
    ...(Object.fromEntries(variables.map((name) => [name, column])) as Record<Variable, typeof column>), // by the same names
  }),
});
export type ForecastHours = z.infer<typeof forecastHours>['hourly'];

const hourS = 3_600;
/** Means and sums over the hour before their time (Open-Meteo, hourly parameter definition). */
const ofHourBefore: readonly Variable[] = ['shortwave_radiation', 'precipitation'];

/** The values expected at a time (epoch s), by variable; null when the forecast has none. */
export function expectedAt(hours: ForecastHours, at_s: number): (number | null)[] {
  const next = hours.time.findIndex((time) => time >= at_s);
  const time = hours.time[next];
  if (time === undefined || time - at_s >= hourS) return variables.map(() => null);
  const share = (time - at_s) / hourS;
  return variables.map((variable) => {
    const [before, after] = [hours[variable][next - 1] ?? null, hours[variable][next] ?? null];
    if (ofHourBefore.includes(variable) || share === 0) return after;
    // North lies between 350 and 10 degrees, so the numbers must not be averaged.
    if (variable === 'wind_direction_10m') return share < 0.5 ? after : before;
    return before === null || after === null ? null : before * share + after * (1 - share);
  });
}
