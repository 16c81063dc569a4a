import Sqlite from 'better-sqlite3';
import wkx from 'wkx';
import { unreadable, type SourceFeature, type SourceFile } from './source-file.ts';

type Database = Sqlite.Database;

interface Layer {
  table: string;
  column: string;
  organization: string;
  code: number;
  wkt: string;
}

/** Bytes of the envelope by its kind (OGC 12-128r19, 2.1.3.1.1). */
const envelopeBytes = [0, 32, 48, 48, 64] as const;
const emptyFlag = 0b10000;

/** The one layer of outlines of a GeoPackage, which is read in memory. Throws `unreadable_file`. */
export function readGeoPackage(bytes: Buffer): SourceFile {
  const db = opened(bytes);
  try {
    const layer = layerOf(db);
    const { table, organization, code, wkt } = layer;
    const name = quoted(table);
    const count = db.prepare<[], number>(`SELECT count(*) FROM ${name}`).pluck().get() ?? 0;
    const isEpsg = organization.toUpperCase() === 'EPSG';
    return { system: isEpsg ? { code: `EPSG:${code}` } : { wkt }, count, features: iterate(db, layer) };
  } catch (error) {
    db.close();
    throw error instanceof Sqlite.SqliteError ? unreadable('the GeoPackage is damaged', error) : error;
  }
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

function layerOf(db: Database): Layer {
  const layers = db
    .prepare<[], Layer>(
      `SELECT g.table_name AS "table", g.column_name AS "column", s.organization, s.organization_coordsys_id AS code,
        s.definition AS wkt
      FROM gpkg_geometry_columns g JOIN gpkg_spatial_ref_sys s ON s.srs_id = g.srs_id
      WHERE upper(g.geometry_type_name) IN ('POLYGON', 'MULTIPOLYGON', 'GEOMETRY', 'SURFACE', 'MULTISURFACE') LIMIT 2`,
    )
    .all();
  const [layer, other] = layers;
  if (layer === undefined) throw unreadable('the GeoPackage has no outlines');
  if (other !== undefined)
    throw unreadable('the GeoPackage has several layers of outlines: keep the one with the parcels');
  return layer;
}

function* iterate(db: Database, { table, column }: Layer): Generator<SourceFeature> {
  try {
    for (const row of db.prepare<[], Record<string, unknown>>(`SELECT * FROM ${quoted(table)}`).iterate()) {
      const { [column]: stored, ...properties } = row;
      yield { properties, geometry: Buffer.isBuffer(stored) ? geometryOf(stored) : null };
    }
  } catch (error) {
    throw error instanceof Sqlite.SqliteError ? unreadable('the GeoPackage is damaged', error) : error;
  } finally {
    db.close();
  }
}

/** A header, then well-known binary; null for what is none. */
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
