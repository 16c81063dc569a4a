import { z } from 'zod';
import type { ParcelService } from '../contract/parcel-service.ts';
import { dayMs, hourMs, type ProviderQuestion } from './question.ts';
import { enteredUpstream } from './upstreams.ts';

/** Degrees. */
interface Place {
  lat: number;
  lng: number;
}

const mostFound = '20';
/** Some 0.1 m: the box that stands for a point. */
const reach_deg = 1e-6;
const wgs84 = 'urn:ogc:def:crs:EPSG::4326';

/** GetFeature around a place: the box in the order of the axes, north first (OGC 09-025r2, 7.9.2.4.2). */
export function wfsAtQuestion(service: ParcelService, { lat, lng }: Place): ProviderQuestion {
  const box = [lat - reach_deg, lng - reach_deg, lat + reach_deg, lng + reach_deg];
  return wfsQuestion(service, { BBOX: [...box.map((degrees) => degrees.toFixed(8)), wgs84].join(',') });
}

/** GetFeature by part of a text, ignoring case (OGC 09-026r2, 7.7.3.4). */
export function wfsFindQuestion(
  service: ParcelService,
  { field, text }: { field: string; text: string },
): ProviderQuestion {
  const literal = xmlText(`*${text.replaceAll(/[\\*?]/g, String.raw`\$&`)}*`);
  const like = `<fes:PropertyIsLike wildCard="*" singleChar="?" escapeChar="\\" matchCase="false"><fes:ValueReference>${xmlText(field)}</fes:ValueReference><fes:Literal>${literal}</fes:Literal></fes:PropertyIsLike>`;
  return wfsQuestion(service, {
    FILTER: `<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0">${like}</fes:Filter>`,
  });
}

function wfsQuestion(
  { id, url: address, layer = '' }: ParcelService,
  values: Record<string, string>,
): ProviderQuestion {
  const path = withQuery(address, {
    SERVICE: 'WFS',
    VERSION: '2.0.0',
    REQUEST: 'GetFeature',
    TYPENAMES: layer,
    SRSNAME: wgs84,
    COUNT: mostFound,
    ...values,
  });
  return { ...entered(id, address), path, expects: 'xml', maxBytes: 4_000_000 };
}

const number = z.number();
/** GeoJSON of a query to a feature service, which reports refusals with status 200. */
export const arcgisAnswer = z.union([
  z.looseObject({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z.looseObject({
        geometry: z.looseObject({ type: z.string(), coordinates: z.unknown() }).nullable(),
        properties: z.record(z.string(), z.union([z.string(), number, z.boolean(), z.null()])).nullable(),
      }),
    ),
  }),
  z.object({ error: z.looseObject({ code: number.optional() }) }),
]);

export function arcgisAtQuestion(service: ParcelService, { lat, lng }: Place): ProviderQuestion {
  const point = { geometry: `${lng},${lat}`, geometryType: 'esriGeometryPoint', inSR: '4326' };
  return arcgisQuestion(service, { where: '1=1', ...point, spatialRel: 'esriSpatialRelIntersects' });
}

/**
 * Characters with a meaning in LIKE become a wildcard for one character: there is no escape that every server supports.
 */
export function arcgisFindQuestion(
  service: ParcelService,
  { field, text }: { field: string; text: string },
): ProviderQuestion {
  const like = text.toUpperCase().replaceAll(/[%_]/g, '_').replaceAll("'", "''");
  return arcgisQuestion(service, { where: `UPPER(${field}) LIKE '%${like}%'` });
}

function arcgisQuestion({ id, url }: ParcelService, values: Record<string, string>): ProviderQuestion {
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/\/$/, '')}/query`;
  const path = withQuery(address.href, {
    f: 'geojson',
    outFields: '*',
    outSR: '4326',
    returnGeometry: 'true',
    resultRecordCount: mostFound,
    ...values,
  });
  return { ...entered(id, url), path, expects: arcgisAnswer, maxBytes: 4_000_000 };
}

function entered(
  id: string,
  address: string,
): Pick<ProviderQuestion, 'upstream' | 'limit_ms' | 'fresh_ms' | 'keep_ms'> {
  const upstream = { ...enteredUpstream(`parcels ${id}`, address), perMinute: 300, atOnce: 60 };
  return { upstream, limit_ms: 10_000, fresh_ms: hourMs, keep_ms: 30 * dayMs };
}

/** The query in the address itself, e.g. `map=`, stays; requested parameters appear once. */
function withQuery(address: string, values: Record<string, string>): string {
  const url = new URL(address);
  const names = Object.keys(values).map((name) => name.toUpperCase());
  for (const name of [...url.searchParams.keys()])
    if (names.includes(name.toUpperCase())) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return `${url.pathname}${url.search}`;
}

function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
