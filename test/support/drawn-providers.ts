import { encode } from 'fast-png';
import type { Answering } from './upstream.ts';

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

const hourMs = 60 * 60_000;
const frameEvery_s = 600;
const frames = 7;

/** A picture whose pixel at a position, each 0 to 1, has that colour. */
function drawn(size: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const data = new Uint8Array(size * size * 4);
  for (let at = 0; at < size * size; at += 1) {
    data.set(colourAt((at % size) / size, Math.floor(at / size) / size), at * 4);
  }
  return Buffer.from(encode({ width: size, height: size, data, channels: 4 }));
}

const nothing: Colour = [0, 0, 0, 0];

/** A shower that moves east by a part of the tile each frame. */
function rain(frame: number): Buffer {
  const middle = 0.2 + (0.6 * frame) / frames;
  return drawn(512, (x, y) => {
    const distance = Math.hypot(x - middle, y - 0.5);
    if (distance > 0.42) return nothing;
    return distance > 0.25 ? [136, 221, 238, 255] : distance > 0.1 ? [0, 119, 170, 255] : [255, 170, 0, 255];
  });
}

const clouds = drawn(256, (x, y) => [255, 255, 255, Math.round(200 * Math.abs(Math.sin(9 * x) * Math.cos(7 * y)))]);
const soilTypes = drawn(256, (x, y) =>
  Math.floor(x * 4 + y * 4) % 2 === 0 ? [150, 90, 40, 255] : [210, 170, 110, 255],
);
const land = drawn(256, (x, y) => (Math.min(x, y) < 0.02 ? [120, 140, 110, 255] : [196, 214, 180, 255]));

const json = (body: object) => ({ type: 'application/json', body: JSON.stringify(body) });
const png = (body: Buffer) => ({ type: 'image/png', body });

function radarMeta(now_s: number) {
  const last = Math.floor(now_s / frameEvery_s) * frameEvery_s;
  const frame = (at: number) => ({ time: last - (frames - 3 - at) * frameEvery_s, path: `/v2/radar/frame${at}` });
  const all = Array.from({ length: frames }, (_, at) => frame(at));
  return json({
    version: '2.0',
    generated: now_s,
    host: 'https://tilecache.rainviewer.com',
    radar: { past: all.slice(0, -2), nowcast: all.slice(-2) },
    satellite: { infrared: [] },
  });
}

const soilOf: Record<string, [d_factor: number, unit: string, mean: number]> = {
  phh2o: [10, '-', 58],
  clay: [10, '%', 214],
  sand: [10, '%', 401],
  silt: [10, '%', 385],
  soc: [10, 'g/kg', 187],
  nitrogen: [100, 'g/kg', 163],
};

function soil() {
  const depth = (label: string, mean: number) => ({
    label,
    range: { top_depth: 0, bottom_depth: 5, unit_depth: 'cm' },
    values: { mean },
  });
  const layers = Object.entries(soilOf).map(([name, [d_factor, target_units, mean]]) => ({
    name,
    unit_measure: { d_factor, mapped_units: '', target_units, uncertainty_unit: '' },
    depths: [depth('0-5cm', mean), depth('5-15cm', mean - 4), depth('15-30cm', mean - 9)],
  }));
  const geometry = { type: 'Point', coordinates: [127, 37.5] };
  return json({ type: 'Feature', geometry, properties: { layers }, query_time_s: 0.2 });
}

/** From midnight UTC of the day, like the service: a cool morning, rain in the second night. */
function forecast(query: URLSearchParams, nowMs: number) {
  const from = Math.floor(nowMs / (24 * hourMs)) * 24 * hourMs;
  const hours = Array.from({ length: 96 }, (_, at) => from + at * hourMs);
  const day = (at: number): number => Math.sin(((at - 9) / 24) * 2 * Math.PI);
  const valueAt: Record<string, (at: number) => number> = {
    temperature_2m: (at) => 14 + 6 * day(at),
    relative_humidity_2m: (at) => 70 - 20 * day(at),
    precipitation: (at) => (at > 26 && at < 34 ? 1.4 : 0),
    wind_speed_10m: (at) => 9 + 4 * day(at + 3),
    shortwave_radiation: (at) => Math.max(0, 620 * day(at + 3)),
  };
  const names = (query.get('hourly') ?? '').split(',');
  return json({
    latitude: 37.5,
    longitude: 127,
    utc_offset_seconds: 0,
    timezone: 'UTC',
    hourly_units: {},
    hourly: {
      time: hours.map((at) => new Date(at).toISOString().slice(0, 16)),
      ...Object.fromEntries(names.map((name) => [name, hours.map((_, at) => valueAt[name]?.(at) ?? 0)])),
    },
  });
}

const layer = (name: string, title: string) =>
  `<Layer queryable="1"><Name>${name}</Name><Title>${title}</Title><CRS>EPSG:3857</CRS><CRS>EPSG:4326</CRS></Layer>`;
const capabilities = `<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms">
  <Service><Title>Soil survey</Title></Service><Capability>
  <Request><GetMap><Format>image/png</Format><Format>image/jpeg</Format></GetMap></Request>
  <Layer><Title>All</Title>${layer('soil_types', '토양 종류 Soil types')}${layer('drainage', '배수 Drainage')}</Layer>
</Capability></WMS_Capabilities>`;
const info = 'GetFeatureInfo results:\n\nLayer soil_types\n  Feature 12:\n    type = "sandy loam"\n    pH = 6.1\n';

/** Outside services with answers to look at: moving showers, soil, a forecast, a Web Map Service. */
export const drawnProviders: Answering = (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'https://localhost');
  const nowMs = Date.now();
  const frame = /^\/v2\/radar\/frame(\d)\//.exec(pathname)?.[1];
  const wms = searchParams.get('REQUEST');
  const page =
    (frame !== undefined && png(rain(Number(frame)))) ||
    (pathname === '/public/weather-maps.json' && radarMeta(Math.floor(nowMs / 1000))) ||
    (pathname.startsWith('/soilgrids/') && soil()) ||
    (pathname === '/v1/forecast' && forecast(searchParams, nowMs)) ||
    (pathname.startsWith('/map/') && png(clouds)) ||
    (wms === 'GetCapabilities' && { type: 'text/xml', body: capabilities }) ||
    (wms === 'GetFeatureInfo' && { type: 'text/plain', body: info }) ||
    (wms === 'GetMap' && png(soilTypes)) ||
    png(land);
  response.writeHead(200, { 'content-type': page.type }).end(page.body);
};
