import { z } from 'zod';
import { unreadable, type SourceFeature, type SourceFile } from './source-file.ts';

const collection = z.looseObject({ type: z.literal('FeatureCollection'), features: z.array(z.unknown()) });
/** From the format before RFC 7946, which files of land registries still have. */
const named = z.looseObject({ crs: z.looseObject({ properties: z.looseObject({ name: z.string().max(200) }) }) });
const geometry = z.looseObject({ type: z.string(), coordinates: z.unknown() });

/** Reads a FeatureCollection in UTF-8. Throws `unreadable_file`. */
export function readGeoJson(bytes: Buffer): SourceFile {
  const read = collection.safeParse(parsed(bytes));
  if (!read.success) throw unreadable('it is no GeoJSON with features, no ZIP and no GeoPackage');
  const { features } = read.data;
  return { system: systemOf(read.data), count: features.length, features: iterate(features) };
}

function* iterate(features: readonly unknown[]): Generator<SourceFeature> {
  for (const one of features) {
    const { properties, geometry: sent } = recordOf(one);
    const shape = geometry.safeParse(sent);
    yield { properties: recordOf(properties), geometry: shape.success ? shape.data : null };
  }
}

/** `urn:ogc:def:crs:EPSG::5186`, `EPSG:5186` or CRS84; degrees when it states none. */
function systemOf(read: unknown): SourceFile['system'] {
  const name = named.safeParse(read).data?.crs.properties.name;
  if (name === undefined || /^(?:urn:ogc:def:crs:OGC:[\w.]{0,20}:)?CRS:?84$/i.test(name)) return { code: 'EPSG:4326' };
  const code = /^(?:urn:ogc:def:crs:)?EPSG:(?:[\w.]{0,20}:)?(\d{4,6})$/i.exec(name)?.[1];
  return code === undefined ? null : { code: `EPSG:${code}` };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw unreadable('it is neither GeoJSON in UTF-8, nor a ZIP, nor a GeoPackage', cause);
  }
}
