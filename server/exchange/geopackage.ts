import Sqlite from 'better-sqlite3';
import wkx from 'wkx';
import { Refusal } from '../contract/errors.ts';
import { unreadable, type SourceFeature, type SourceFile } from './source-file.ts';

type Database = Sqlite.Database;

interface Layer {
  table: string;
  column: string;
  /** Its geometry type, in any case. */
  kind: string;
  organization: string;
  code: number;
  wkt: string;
}

/** Bytes of the envelope by its kind (OGC 12-128r19, 2.1.3.1.1). */
const envelopeBytes = [0, 32, 48, 48, 64] as const;
const emptyFlag = 0b10000;

const outlines = ['POLYGON', 'MULTIPOLYGON', 'GEOMETRY', 'SURFACE', 'MULTISURFACE'];
const mostLayers = 100;

/** The only layer of outlines in a GeoPackage, which is read in memory. Throws `unreadable_file`. */
export function readGeoPackage(bytes: Buffer): SourceFile {
  const db = opened(bytes);
  try {
    const [layer, other] = layersOf(db).filter(({ kind }) => outlines.includes(kind.toUpperCase()));
    if (layer === undefined) throw unreadable('the GeoPackage has no outlines');
    if (other !== undefined)
      throw unreadable('the GeoPackage has several layers of outlines: keep the one with the parcels');
    return { system: systemOf(layer), count: countOf(db, layer), features: closing(db, layer) };
  } catch (error) {
    db.close();
    throw damaged(error);
  }
}

/**
 * Every layer with geometries, of at most `mostFeatures` features together. Throws `unreadable_file`,
 * `payload_too_large`.
 */
export function readGeoPackageLayers(bytes: Buffer, mostFeatures: number): SourceFile[] {
  const db = opened(bytes);
  try {
    const layers = layersOf(db);
    if (layers.length === 0) throw unreadable('the GeoPackage has no layer with geometries');
    const counts = layers.map((layer) => countOf(db, layer));
    if (counts.reduce((sum, count) => sum + count, 0) > mostFeatures) {
      throw new Refusal('payload_too_large', `it has more than ${mostFeatures} features`);
    }
    return layers.map((layer, at) => ({
      system: systemOf(layer),
      count: counts[at] ?? 0,
      features: [...iterate(db, layer)],
    }));
  } catch (error) {
    throw damaged(error);
  } finally {
    db.close();
  }
}

function systemOf({ organization, code, wkt }: Layer): SourceFile['system'] {
  return organization.toUpperCase() === 'EPSG' ? { code: `EPSG:${code}`, wkt } : { wkt };
}

function countOf(db: Database, { table }: Layer): number {
  return (
    db
      .prepare<[], number>(`SELECT count(*) FROM ${quoted(table)}`)
      .pluck()
      .get() ?? 0
  );
}

function damaged(error: unknown): unknown {
  return error instanceof Sqlite.SqliteError ? unreadable('the GeoPackage is damaged', error) : error;
}

function opened(bytes: Buffer): Database {
  try {
    const db = new Sqlite(bytes);
    db.pragma('trusted_schema = OFF'); // the file comes from elsewhere, and its tables may be views
    db.pragma('query_only = ON');
    return db;
  } catch (cause) {
    throw unreadable('the GeoPackage is damaged', cause);
  }
}

function layersOf(db: Database): Layer[] {
  return db
    .prepare<[], Layer>(
      `SELECT g.table_name AS "table", g.column_name AS "column", g.geometry_type_name AS kind, s.organization,
        s.organization_coordsys_id AS code, s.definition AS wkt
      FROM gpkg_geometry_columns g JOIN gpkg_spatial_ref_sys s ON s.srs_id = g.srs_id LIMIT ${mostLayers}`,
    )
    .all();
}

function* closing(db: Database, layer: Layer): Generator<SourceFeature> {
  try {
    yield* iterate(db, layer);
  } catch (error) {
    throw damaged(error);
  } finally {
    db.close();
  }
}

function* iterate(db: Database, { table, column }: Layer): Generator<SourceFeature> {
  for (const row of db.prepare<[], Record<string, unknown>>(`SELECT * FROM ${quoted(table)}`).iterate()) {
    const { [column]: stored, ...properties } = row;
    yield { properties, geometry: Buffer.isBuffer(stored) ? geometryOf(stored) : null };
  }
}

/** A header, then well-known binary; null when it is invalid. */
function geometryOf(stored: Buffer): SourceFeature['geometry'] {
  const flags = stored[3] ?? 0;
  const envelope = envelopeBytes[(flags >> 1) & 0b111];
  if (stored.toString('latin1', 0, 2) !== 'GP' || envelope === undefined || (flags & emptyFlag) !== 0) return null;
  try {
    return wkx.Geometry.parse(stored.subarray(8 + envelope)).toGeoJSON() as SourceFeature['geometry']; // GeoJSON
  } catch {
    return null;
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
