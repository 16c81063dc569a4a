import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { name } from './identifier.ts';
import { mapServiceIds, mapServices, type MapServiceId } from './map-service.ts';
import { parcelServices } from './parcel-service.ts';
import { secretSent, secretSet } from './secret.ts';

/** A source of map tiles beside the built-in layers. */
export const tileTemplate = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9_-]{1,64}$/, 'must be 1 to 64 of a-z, 0-9, _ and -')
    .describe('Names the layer, e.g. as base_layer'),
  name,
  url: z
    .string()
    .max(1000, { abort: true })
    .regex(/^https?:\/\/[^\s{}]+(\{[xyz]\}[^\s{}]*){3}$/, 'must be an http(s) address with {z}, {x} and {y}')
    .describe('Address with {z}, {x} and {y}'),
  attribution: z.string().max(500).optional(),
  max_zoom: z.int().min(0).max(25).optional().describe('Deepest level that the service has, 0 to 25'),
  may_download: z
    .boolean()
    .optional()
    .describe('Whether its owner allows to store areas for use without internet; not when absent'),
});
export type TileTemplate = z.infer<typeof tileTemplate>;

const tileTemplates = z
  .array(tileTemplate)
  .max(50)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'must have ids that differ');

const enabled = z.boolean().describe('Whether this site may ask it');
const open = z.strictObject({ enabled });
const keyed = open.extend({ key: secretSet.optional() });
const domain = z.string().min(1).max(253).optional().describe('The address that the key was registered for');

/** One entry for each service of the list. */
function perMapService<Schema>(schemaOf: (id: MapServiceId) => Schema): Record<MapServiceId, Schema> {
  return Object.fromEntries(mapServiceIds.map((id) => [id, schemaOf(id)])) as Record<MapServiceId, Schema>; // of all ids
}

/** Outside services that the site may use, by id. */
export const providers = z.strictObject({
  ...perMapService((id) => (mapServices[id].needs_key ? keyed : open)),
  rainviewer: open.describe('Rain radar'),
  isric: open.describe('Soil data (SoilGrids)'),
  openmeteo: keyed.describe('Weather forecast; a key only for commercial use'),
  openweather: keyed.describe('Weather and its map layers; needs a key'),
  vworld: keyed.extend({ domain }).describe('Parcels, addresses and aerial images of Korea; needs a key'),
  tiles: open.extend({ templates: tileTemplates }).describe('Map tiles by address'),
  nominatim: open.describe('Places of addresses (OpenStreetMap)'),
  parcels: open.extend({ services: parcelServices }).describe('Parcels of entered servers (WFS, ArcGIS)'),
});
export type Providers = z.infer<typeof providers>;
export type ProviderId = keyof Providers;

const openPatch = open.partial();
const keyedPatch = openPatch.extend({ key: secretSent.nullable().optional() });

/** A change of some of them: what is not named stays, null clears. */
export const providersPatch = z.strictObject({
  ...perMapService((id) => (mapServices[id].needs_key ? keyedPatch : openPatch).optional()),
  rainviewer: openPatch.optional(),
  isric: openPatch.optional(),
  openmeteo: keyedPatch.optional(),
  openweather: keyedPatch.optional(),
  vworld: keyedPatch.extend({ domain: domain.nullable() }).optional(),
  tiles: openPatch.extend({ templates: tileTemplates.optional() }).optional(),
  nominatim: openPatch.optional(),
  parcels: openPatch.extend({ services: parcelServices.optional() }).optional(),
});
export type ProvidersPatch = z.infer<typeof providersPatch>;

/** Errors caused by outside services. */
export const providerErrors: readonly ErrorCode[] = [
  'provider_not_configured',
  'provider_unreachable',
  'provider_failed',
  'provider_refused',
  'provider_key_refused',
  'provider_quota_spent',
  'provider_paused',
  'provider_answer_invalid',
  'provider_timeout',
];

/** The attribution that the terms of each require beside its answers. */
export const providerAttribution = {
  rainviewer: 'Rain radar: Rain Viewer (rainviewer.com)',
  isric: 'Soil: ISRIC SoilGrids (soilgrids.org, CC BY 4.0)',
  openmeteo: 'Weather data by Open-Meteo.com (CC BY 4.0)',
  openweather: 'Weather data provided by OpenWeather (openweathermap.org)',
  vworld: mapServices.vworld.attribution,
  nominatim: 'Addresses: Nominatim, © OpenStreetMap contributors (ODbL, openstreetmap.org/copyright)',
} as const satisfies Partial<Record<ProviderId, string>>;
