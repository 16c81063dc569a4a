import type { QueryOf } from '../contract/endpoint.ts';
import type { proxyEndpoints } from '../contract/proxy.ts';
import type { WmsLayer } from '../contract/wms-layer.ts';
import { isNorthFirst } from './axis-order.ts';
import { dayMs, hourMs, minuteMs, type ProviderQuestion } from './question.ts';
import { enteredUpstream } from './upstreams.ts';

/** The address of a service, and the log-in. */
interface WmsAccess {
  /** Identifies its pace. */
  id: string;
  url: string;
  username: string | undefined;
  password: string | undefined;
}

interface Asked {
  layer: WmsLayer;
  query: QueryOf<typeof proxyEndpoints.wms>;
  password: string | undefined;
}

/** GetMap of WMS 1.1.1 (OGC 01-068r3) and 1.3.0 (OGC 06-042). */
export function wmsQuestion({ layer, query, password }: Asked): ProviderQuestion {
  const values = { REQUEST: 'GetMap', ...viewOf(layer, query) };
  const access = { id: layer.unique_id, url: layer.url, username: layer.username, password };
  return { ...asked(access, values), expects: 'picture', fresh_ms: hourMs, keep_ms: 30 * dayMs };
}

/** GetFeatureInfo: what the service knows about a point of a picture. Every server has text, few have JSON. */
export function wmsInfoQuestion({ layer, query, password }: Asked & { query: InfoQuery }): ProviderQuestion {
  const isNew = layer.version === '1.3.0';
  const values = {
    REQUEST: 'GetFeatureInfo',
    ...viewOf(layer, query),
    QUERY_LAYERS: layer.layers,
    INFO_FORMAT: 'text/plain',
    FEATURE_COUNT: '10',
    [isNew ? 'I' : 'X']: String(query.i),
    [isNew ? 'J' : 'Y']: String(query.j),
  };
  const access = { id: layer.unique_id, url: layer.url, username: layer.username, password };
  return { ...asked(access, values), expects: 'text', maxBytes: 200_000, fresh_ms: 5 * minuteMs, keep_ms: dayMs };
}

type InfoQuery = QueryOf<typeof proxyEndpoints.wmsInfo>;

/** GetCapabilities: asked anew each time, as it is used while a layer is set up. */
export function wmsCapabilitiesQuestion(access: WmsAccess): ProviderQuestion {
  const values = { REQUEST: 'GetCapabilities', VERSION: '1.3.0' };
  return { ...asked(access, values), expects: 'xml', maxBytes: mostCapabilityBytes, fresh_ms: 0, keep_ms: 0 };
}

/** Those of national services have a few MB. */
const mostCapabilityBytes = 8_000_000;

function viewOf(layer: WmsLayer, query: QueryOf<typeof proxyEndpoints.wms>): Record<string, string> {
  const crs = query.crs ?? layer.crs;
  const isNew = layer.version === '1.3.0';
  return {
    VERSION: layer.version,
    LAYERS: layer.layers,
    STYLES: layer.styles ?? '',
    FORMAT: layer.format,
    TRANSPARENT: layer.format === 'image/jpeg' ? 'FALSE' : 'TRUE',
    [isNew ? 'CRS' : 'SRS']: crs,
    BBOX: isNew && isNorthFirst(crs) ? northFirst(query.bbox) : query.bbox,
    WIDTH: String(query.width),
    HEIGHT: String(query.height),
  };
}

/** WMS 1.3.0 has a box in the order of the axes (6.7.2), 1.1.1 always east before north. */
function northFirst(bbox: string): string {
  const [west, south, east, north] = bbox.split(',');
  return [south, west, north, east].join(',');
}

/** The query in the service's own address, e.g. `map=`, stays; requested parameters appear once. */
function asked(
  { id, url: address, username, password }: WmsAccess,
  wanted: Record<string, string>,
): Pick<ProviderQuestion, 'upstream' | 'path' | 'credentials'> {
  const url = new URL(address);
  const values: Record<string, string> = { SERVICE: 'WMS', ...wanted };
  for (const name of [...url.searchParams.keys()]) if (name.toUpperCase() in values) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return {
    upstream: enteredUpstream(`wms ${id}`, address),
    path: `${url.pathname}${url.search}`,
    ...(username !== undefined && { credentials: { headers: basic(username, password ?? '') } }),
  };
}

function basic(username: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}
