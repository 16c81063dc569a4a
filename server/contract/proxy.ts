import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { uuid } from './identifier.ts';
import { providerErrors } from './provider.ts';
import { measured } from './quantity.ts';
import { wmsAddress, wmsOffer } from './wms-layer.ts';

/** Whatever else a provider sends is passed on unchanged. */
const passed = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape);

const epochS = z.int().min(0).max(8_640_000_000_000).describe('Epoch s');
const lat = z.number().min(-90).max(90).describe('Latitude in degrees, -90 to 90');
const lon = z.number().min(-180).max(180).describe('Longitude in degrees, -180 to 180');
export const deepestTile = 25;
const zoom = z.int().min(0).max(deepestTile).describe('Zoom, 0 (the world) to 25');
const tileIndex = (what: string) =>
  z
    .int()
    .min(0)
    .max(2 ** deepestTile - 1)
    .describe(`${what}, 0 to 2^z - 1`);
const tile = { z: zoom, x: tileIndex('Column from the west'), y: tileIndex('Row from the north') };

/** A radar picture; `path` is the provider's. */
const radarFrame = passed({
  time: epochS,
  path: z.string().max(200),
});
/** Deepest zoom of the public rain radar since 2026. */
export const radarDeepestZoom = 7;

export const radarMeta = passed({
  generated: epochS,
  radar: passed({ past: z.array(radarFrame).max(1000), nowcast: z.array(radarFrame).max(1000).optional() }),
});
export type RadarMeta = z.infer<typeof radarMeta>;

/** The layers of SoilGrids 2.0 (Poggio et al. 2021). */
export const soilProperties = [
  'bdod',
  'cec',
  'cfvo',
  'clay',
  'nitrogen',
  'ocd',
  'ocs',
  'phh2o',
  'sand',
  'silt',
  'soc',
  'wv0010',
  'wv0033',
  'wv1500',
] as const;
export const soilDepths = ['0-5cm', '0-30cm', '5-15cm', '15-30cm', '30-60cm', '60-100cm', '100-200cm'] as const;
export const soilValues = ['mean', 'Q0.05', 'Q0.5', 'Q0.95', 'uncertainty'] as const;
const several = <Value extends z.ZodType>(one: Value, what: string) =>
  z.array(one).max(20).optional().describe(`${what}; may come more than once, all when absent`);

export const soilAnswer = passed({
  type: z.literal('Feature'),
  properties: passed({
    layers: z.array(
      passed({
        name: z.string(),
        unit_measure: passed({
          d_factor: measured('By which values are divided to be in target_units'),
          target_units: z.string(),
        }),
        depths: z.array(
          passed({
            label: z.string(),
            values: z.record(z.string(), measured('In mapped_units, null where nothing is known').nullable()),
          }),
        ),
      }),
    ),
  }),
});
export type SoilAnswer = z.infer<typeof soilAnswer>;

export const weatherNow = passed({
  dt: epochS.describe('When it was observed, epoch s'),
  main: passed({ temp: measured('In the units that were asked for') }),
  name: z.string().optional(),
});

const column = z.array(z.union([z.string(), measured('In its unit'), z.null()]));
const block = z.record(z.string(), column).describe('Columns by variable, beside time');
export const forecastAnswer = passed({
  latitude: lat,
  longitude: lon,
  hourly: block.optional(),
  daily: block.optional(),
});
export type ForecastAnswer = z.infer<typeof forecastAnswer>;

/** By Open-Meteo's names; in UTC, mm and km/h, as they come when nothing else is asked for. */
export const forecastVariables = [
  'temperature_2m',
  'relative_humidity_2m',
  'precipitation',
  'wind_speed_10m',
  'shortwave_radiation',
] as const;
export type ForecastVariable = (typeof forecastVariables)[number];
/** Every forecast query for a site asks for the same, so that one cached answer serves them all. */
export const forecastAsked = { hourly: forecastVariables.join(','), forecast_days: 4 };
export const kmPerHourInMetresPerSecond = 3.6;

/** The times of an answer, epoch ms. */
export function forecastTimes({ hourly }: ForecastAnswer): number[] {
  return (hourly?.['time'] ?? []).map((time) => Date.parse(`${String(time)}Z`));
}

const variables = z
  .string()
  .max(1000, { abort: true })
  .regex(/^[a-z0-9_]+(,[a-z0-9_]+)*$/, 'must be names with commas between')
  .optional()
  .describe('Variables with commas between');

export const weatherLayers = ['clouds_new', 'precipitation_new', 'pressure_new', 'wind_new', 'temp_new'] as const;

const side = z.int().min(1).max(2048).describe('Pixels, 1 to 2048');
const pixel = (what: string) => z.int().min(0).max(2047).describe(`${what}, 0 to 2047`);
const bbox = z
  .string()
  .max(200, { abort: true })
  .regex(/^-?\d+(\.\d+)?(,-?\d+(\.\d+)?){3}$/, 'must be four numbers with commas between')
  .describe('west,south,east,north in crs, whatever the order of its axes');
const crs = z
  .string()
  .max(20, { abort: true })
  .regex(/^(EPSG:\d{4,6}|CRS:84)$/, 'must be EPSG: with a number, or CRS:84')
  .optional()
  .describe('Of bbox; the one of the layer when absent');

const relay = { method: 'GET', tag: 'proxies', access: 'login', isRelay: true, errors: providerErrors } as const;
const picture = {
  ...relay,
  answer: z.unknown(),
  stream: 'image/*' as const,
  statuses: [200, 304] as const,
  errors: ['not_found', ...providerErrors] satisfies readonly ErrorCode[],
};

export const proxyEndpoints = {
  radarMeta: endpoint({
    ...relay,
    path: '/api/geo/proxy/rainviewer/meta',
    summary: 'List the frames of the rain radar',
    answer: radarMeta,
    statuses: [200],
  }),
  radarTile: endpoint({
    ...picture,
    path: '/api/geo/proxy/rainviewer/tile/:time/:z/:x/:y',
    summary: 'Get a tile of a radar frame; deeper than zoom 7 a part of that is enlarged',
    params: z.strictObject({ time: epochS.describe('Of a frame that meta lists, epoch s'), ...tile }),
  }),
  soil: endpoint({
    ...relay,
    path: '/api/geo/proxy/isric',
    summary: 'Get soil properties at a place (ISRIC SoilGrids)',
    query: z.strictObject({
      lon,
      lat,
      property: several(z.enum(soilProperties), 'Property'),
      depth: several(z.enum(soilDepths), 'Depth'),
      value: several(z.enum(soilValues), 'Statistic'),
    }),
    answer: soilAnswer,
    statuses: [200],
  }),
  weather: endpoint({
    ...relay,
    path: '/api/geo/proxy/openweather',
    summary: 'Get the weather of now at a place (OpenWeather)',
    query: z.strictObject({ lat, lon, units: z.enum(['standard', 'metric', 'imperial']).optional() }),
    answer: weatherNow,
    statuses: [200],
  }),
  weatherTile: endpoint({
    ...picture,
    path: '/api/geo/proxy/openweather/tile/:layer/:z/:x/:y',
    summary: 'Get a tile of a weather layer (OpenWeather)',
    params: z.strictObject({ layer: z.enum(weatherLayers), ...tile }),
  }),
  forecast: endpoint({
    ...relay,
    path: '/api/geo/proxy/openmeteo',
    summary: 'Get the weather forecast of a place (Open-Meteo)',
    query: z.strictObject({
      latitude: lat,
      longitude: lon,
      current: variables,
      hourly: variables,
      daily: variables,
      forecast_days: z.int().min(0).max(16).optional().describe('0 to 16; 7 when absent'),
      timezone: z
        .string()
        .max(64, { abort: true })
        .regex(/^[A-Za-z0-9_+/-]+$/)
        .optional()
        .describe('IANA name or auto, of the days and times; UTC when absent'),
    }),
    answer: forecastAnswer,
    statuses: [200],
  }),
  wms: endpoint({
    ...picture,
    path: '/api/geo/proxy/wms/:wms_layer_id',
    summary: 'Get a picture of a WMS layer of the settings',
    params: z.strictObject({ wms_layer_id: uuid }),
    query: z.strictObject({ bbox, width: side, height: side, crs }),
    anyCaseQuery: true,
  }),
  wmsInfo: endpoint({
    ...relay,
    path: '/api/geo/proxy/wms/:wms_layer_id/info',
    summary: 'Ask a WMS layer of the settings what is at a pixel of a picture (GetFeatureInfo)',
    params: z.strictObject({ wms_layer_id: uuid }),
    query: z.strictObject({
      bbox,
      width: side,
      height: side,
      crs,
      i: pixel('Column, from the left'),
      j: pixel('Row, from the top'),
    }),
    anyCaseQuery: true,
    answer: z.strictObject({ text: z.string().describe('As the service writes it, at most 20,000 characters') }),
    statuses: [200],
    errors: ['not_found', ...providerErrors],
  }),
  wmsCapabilities: endpoint({
    ...relay,
    method: 'POST',
    path: '/api/geo/wms_capabilities',
    summary: 'List the layers of a Web Map Service, to set one up',
    access: 'edit_settings',
    budget: 'calculation',
    body: wmsAddress,
    answer: wmsOffer,
    statuses: [200],
  }),
  tile: endpoint({
    ...picture,
    path: '/api/geo/tile_proxy',
    summary: 'Get a tile of a tile service of the settings',
    query: z.strictObject({
      layer: z.string().max(64).optional().describe('Id of a template, with z, x and y'),
      z: zoom.optional(),
      x: tile.x.optional(),
      y: tile.y.optional(),
      url: z.string().max(2000).optional().describe('Instead: the whole address, as a template makes it'),
    }),
  }),
};
