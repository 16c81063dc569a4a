import type { QueryOf } from '../contract/endpoint.ts';
import type { proxyEndpoints } from '../contract/proxy.ts';
import type { WmsLayer } from '../contract/wms-layer.ts';
import { dayMs, hourMs, type ProviderQuestion } from './question.ts';
import { enteredUpstream } from './upstreams.ts';

/** EPSG codes whose first axis is north, from and to, by the EPSG Geodetic Parameter Dataset. */
const northFirst: readonly (readonly [number, number])[] = [
  [4001, 4999], // geographic: latitude, longitude
  [5167, 5188], // Korea 2000
  [2443, 2461], // Japan, JGD2000
  [6669, 6687], // Japan, JGD2011
  [3034, 3035], // Europe, ETRS89
  [31466, 31469], // Germany, Gauss-Kruger
  [2180, 2180], // Poland
];

interface Asked {
  layer: WmsLayer;
  query: QueryOf<typeof proxyEndpoints.wms>;
  password: string | undefined;
}

/** GetMap of WMS 1.1.1 (OGC 01-068r3) and 1.3.0 (OGC 06-042). What the address of the layer says itself, e.g. `map=`, stays. */
export function wmsQuestion({ layer, query, password }: Asked): ProviderQuestion {
  const url = new URL(layer.url);
  const crs = query.crs ?? layer.crs;
  const isNew = layer.version === '1.3.0';
  const values = {
    SERVICE: 'WMS',
    REQUEST: 'GetMap',
    VERSION: layer.version,
    LAYERS: layer.layers,
    STYLES: layer.styles ?? '',
    FORMAT: layer.format,
    TRANSPARENT: layer.format === 'image/jpeg' ? 'FALSE' : 'TRUE',
    [isNew ? 'CRS' : 'SRS']: crs,
    BBOX: bboxOf(query.bbox, { crs, isNew }),
    WIDTH: String(query.width),
    HEIGHT: String(query.height),
  };
  for (const name of [...url.searchParams.keys()]) if (name.toUpperCase() in values) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return {
    upstream: enteredUpstream(`wms ${layer.unique_id}`, layer.url),
    path: `${url.pathname}${url.search}`,
    ...(layer.username !== undefined && { credentials: { headers: basic(layer.username, password ?? '') } }),
    expects: 'picture',
    fresh_ms: hourMs,
    keep_ms: 30 * dayMs,
  };
}

/** WMS 1.3.0 has a box in the order of the axes (6.7.2), 1.1.1 always east before north. */
function bboxOf(bbox: string, { crs, isNew }: { crs: string; isNew: boolean }): string {
  const code = Number(/^EPSG:(\d+)$/.exec(crs)?.[1]);
  const isNorthFirst = northFirst.some(([from, to]) => code >= from && code <= to);
  if (!isNew || !isNorthFirst) return bbox;
  const [west, south, east, north] = bbox.split(',');
  return [south, west, north, east].join(',');
}

function basic(username: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}
