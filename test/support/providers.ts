import { mapServiceIds } from '../../server/contract/map-service.ts';
import type { Origins } from '../../server/upstream/upstreams.ts';
import { serve, startUpstream, upstreamOutboundOptions, type Answering, type TestUpstream } from './upstream.ts';

/** One pixel of a PNG. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const json = (body: object) => ({ type: 'application/json; charset=utf-8', body: JSON.stringify(body) });
const png = { type: 'image/png', body: pixel };

export const frameTime = 1_609_401_600;

export const parcelRing = [
  [127, 37],
  [127.001, 37],
  [127.001, 37.0002],
  [127, 37.0002],
  [127, 37],
];

/** Answers in the documented form of each provider, with figures of our own. */
const pages = {
  '/public/weather-maps.json': json({
    version: '2.0',
    generated: frameTime + 600,
    host: 'https://tiles.elsewhere.example',
    radar: {
      past: [
        { time: frameTime, path: `/v2/radar/${frameTime}` },
        { time: frameTime + 600, path: '/v2/radar/a1b2c3' },
      ],
      nowcast: [],
    },
    satellite: { infrared: [] },
  }),
  '/soilgrids/v2.0/properties/query': json({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [127.1, 37.5] },
    properties: {
      layers: [
        {
          name: 'phh2o',
          unit_measure: { d_factor: 10, mapped_units: 'pH*10', target_units: '-', uncertainty_unit: '' },
          depths: [
            {
              range: { top_depth: 0, bottom_depth: 5, unit_depth: 'cm' },
              label: '0-5cm',
              values: { mean: 58, 'Q0.5': null },
            },
          ],
        },
      ],
    },
    query_time_s: 0.3,
  }),
  '/data/2.5/weather': json({
    coord: { lon: 127.1, lat: 37.5 },
    weather: [{ id: 500, main: 'Rain', description: 'light rain', icon: '10d' }],
    main: { temp: 8.4, pressure: 1012, humidity: 81 },
    wind: { speed: 2.1, deg: 220 },
    dt: frameTime,
    name: 'Farm',
  }),
  '/v1/forecast': json({
    latitude: 37.5,
    longitude: 127.1,
    utc_offset_seconds: 0,
    timezone: 'UTC',
    hourly_units: { time: 'iso8601', temperature_2m: '°C' },
    hourly: { time: ['2026-03-01T00:00', '2026-03-01T01:00'], temperature_2m: [4.2, null] },
  }),
  '/req/address': json({
    response: {
      status: 'OK',
      input: { type: 'parcel', address: '12 Orchard Lane' },
      refined: { text: '12 Orchard Lane' },
      result: { crs: 'EPSG:4326', point: { x: '127.0005', y: '37.0001' } },
    },
  }),
  '/req/data': json({
    response: {
      status: 'OK',
      record: { total: '1', current: '1' },
      result: {
        featureCollection: {
          type: 'FeatureCollection',
          features: [
            {
              type: 'Feature',
              geometry: { type: 'MultiPolygon', coordinates: [[parcelRing]] },
              properties: { pnu: '4111113400100120000', jibun: '12', addr: 'Orchard Lane 12' },
              id: 'LP_PA_CBND_BUBUN.1',
            },
          ],
        },
      },
    },
  }),
};

const capabilities = `<WMS_Capabilities version="1.3.0"><Service><Title>Land</Title></Service><Capability>
  <Request><GetMap><Format>image/png</Format></GetMap></Request>
  <Layer queryable="1"><Name>soil</Name><Title>Soil</Title><CRS>EPSG:3857</CRS></Layer>
</Capability></WMS_Capabilities>`;

/** A Web Map Service's answers other than pictures, by REQUEST. */
const wmsPages: Record<string, { type: string; body: string }> = {
  GetCapabilities: { type: 'text/xml', body: capabilities },
  GetFeatureInfo: { type: 'text/plain', body: 'pH 6.1' },
};

/** Every provider in one place: JSON by its path, a picture for everything else. */
export const allProviders: Answering = (request, response) => {
  const page = wmsPages[new URL(request.url ?? '/', 'https://localhost').searchParams.get('REQUEST') ?? ''];
  if (page !== undefined) return void response.writeHead(200, { 'content-type': page.type }).end(page.body);
  const isJson = Object.keys(pages).some((path) => request.url?.startsWith(path));
  if (isJson) serve(pages)(request, response);
  else response.writeHead(200, { 'content-type': png.type }).end(png.body);
};

export interface TestOutside {
  provider: TestUpstream;
  outside: { outbound: ReturnType<typeof upstreamOutboundOptions>; origins: Origins; timeoutMs: number };
}

/** All outside services on loopback. */
export async function startProviders(): Promise<TestOutside> {
  const provider = await startUpstream(allProviders);
  const { origin } = provider;
  const origins: Origins = {
    rainviewer: origin,
    rainviewer_tiles: origin,
    isric: origin,
    openmeteo: origin,
    openmeteo_customer: origin,
    openweather: origin,
    openweather_tiles: origin,
    nominatim: origin,
    ...Object.fromEntries(mapServiceIds.map((id) => [id, origin])),
  };
  return { provider, outside: { outbound: upstreamOutboundOptions(), origins, timeoutMs: 2_000 } };
}
