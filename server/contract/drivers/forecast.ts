import { z } from 'zod';
import { secretSent } from '../secret.ts';
import type { Driver, InputChannelOffer } from './driver.ts';

const forecastOptions = z.strictObject({
  latitude: z.number().min(-90).max(90).describe('Latitude of the farm in degrees, -90 to 90'),
  longitude: z.number().min(-180).max(180).describe('Longitude of the farm in degrees, -180 to 180'),
  lead_h: z
    .number()
    .min(0)
    .max(72)
    .optional()
    .meta({ description: 'How far ahead of now, 0 to 72', unit: 'h', default: 3 }),
  longest_age_h: z
    .number()
    .min(1)
    .max(48)
    .optional()
    .meta({ description: 'A forecast that is older gives no weather any more, 1 to 48', unit: 'h', default: 6 }),
  base_url: z
    .string()
    .trim()
    .max(500, { abort: true })
    .regex(/^https?:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/, 'must be http:// or https:// with a host, and no password')
    .optional()
    .describe('Address of an Open-Meteo server of your own; that of Open-Meteo when absent'),
  password: secretSent.optional().describe('Key of Open-Meteo, for commercial use; write only'),
});
export type ForecastOptions = z.infer<typeof forecastOptions>;

/** The forecast values, by channel; the last is the age of the forecast. */
export const forecastChannels = [
  { channel: 0, name: 'Temperature', measurement: 'temperature' },
  { channel: 1, name: 'Humidity', measurement: 'humidity' },
  { channel: 2, name: 'Wind speed', measurement: 'wind_speed' },
  { channel: 3, name: 'Wind direction', measurement: 'wind_direction' },
  { channel: 4, name: 'Radiation', measurement: 'radiation' },
  { channel: 5, name: 'Rain', measurement: 'rain' },
  { channel: 6, name: 'Age of the forecast', measurement: 'duration' },
] as const satisfies readonly InputChannelOffer[];

export const forecast = {
  title: 'Weather forecast',
  summary: 'The weather that Open-Meteo expects some hours ahead; one that is too old gives none',
  options: forecastOptions,
  input: () => [...forecastChannels],
  place: ['base_url'],
} satisfies Driver<ForecastOptions>;
