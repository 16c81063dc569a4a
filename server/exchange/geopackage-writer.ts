import Sqlite from 'better-sqlite3';
import wkx from 'wkx';
import { wgs84Wkt, type WrittenSystem } from './coordinate-system.ts';
import type { WrittenFeature } from './written-feature.ts';

/** `GPKG`, version 1.3 (OGC 12-128r19, 1.1.1.1.1). */
const applicationId = 0x47504b47;
const version = 10_300;

/** A GeoPackage with one layer of all features, named after the map. */
export function writeGeoPackage(
  features: readonly WrittenFeature[],
  { name, system, at }: { name: string; system: WrittenSystem; at: string },
): Buffer {
  const db = new Sqlite(':memory:');
  try {
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${version}`);
    db.exec(tables);
    addSystems(db, system);
    const points = features.flatMap(({ geometry }) => positionsOf(geometry.coordinates));
    const [low, high] = [Math.min, Math.max].map((pick) =>
      [0, 1].map((axis) => points.reduce((sum, point) => pick(sum, point[axis] ?? 0), points[0]?.[axis] ?? 0)),
    );
    db.prepare(
      `INSERT INTO gpkg_contents (table_name, data_type, identifier, last_change, min_x, min_y, max_x, max_y, srs_id)
      VALUES ('shapes', 'features', ?, ?, ?, ?, ?, ?, ?)`,
    ).run(name, at, ...(low ?? []), ...(high ?? []), system.epsg);
    db.prepare(`INSERT INTO gpkg_geometry_columns VALUES ('shapes', 'geom', 'GEOMETRY', ?, 0, 0)`).run(system.epsg);
    addFeatures(db, features, system.epsg);
    return db.serialize();
  } finally {
    db.close();
  }
}

const tables = `
  CREATE TABLE gpkg_spatial_ref_sys (
    srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY, organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL,
    definition TEXT NOT NULL, description TEXT);
  CREATE TABLE gpkg_contents (
    table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE, description TEXT DEFAULT '',
    last_change DATETIME NOT NULL, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE,
    srs_id INTEGER REFERENCES gpkg_spatial_ref_sys(srs_id));
  CREATE TABLE gpkg_geometry_columns (
    table_name TEXT NOT NULL UNIQUE REFERENCES gpkg_contents(table_name), column_name TEXT NOT NULL,
    geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL REFERENCES gpkg_spatial_ref_sys(srs_id),
    z TINYINT NOT NULL, m TINYINT NOT NULL, PRIMARY KEY (table_name, column_name));
  CREATE TABLE shapes (
    fid INTEGER PRIMARY KEY, geom GEOMETRY, unique_id TEXT, type TEXT, name TEXT, device_id TEXT, channel INTEGER, properties TEXT);`;

/** The systems that every GeoPackage must have, and that of the file. */
function addSystems(db: Sqlite.Database, { epsg, wkt }: WrittenSystem): void {
  const insert = db.prepare('INSERT OR REPLACE INTO gpkg_spatial_ref_sys VALUES (?, ?, ?, ?, ?, NULL)');
  insert.run('Undefined Cartesian', -1, 'NONE', -1, 'undefined');
  insert.run('Undefined geographic', 0, 'NONE', 0, 'undefined');
  insert.run('WGS 84', 4326, 'EPSG', 4326, wgs84Wkt);
  if (epsg !== 4326) insert.run(`EPSG:${epsg}`, epsg, 'EPSG', epsg, wkt);
}

function addFeatures(db: Sqlite.Database, features: readonly WrittenFeature[], srsId: number): void {
  const insert = db.prepare(
    `INSERT INTO shapes (geom, unique_id, type, name, device_id, channel, properties)
    VALUES (@geom, @unique_id, @type, @name, @device_id, @channel, @properties)`,
  );
  const head = Buffer.from([0x47, 0x50, 0, 1, 0, 0, 0, 0]); // little-endian, no envelope
  head.writeInt32LE(srsId, 4);
  db.transaction(() => {
    for (const { geometry, columns } of features) {
      const wkb = wkx.Geometry.parseGeoJSON(geometry).toWkb();
      insert.run({ geom: Buffer.concat([head, wkb]), ...columns });
    }
  })();
}

function positionsOf(value: unknown): number[][] {
  if (!Array.isArray(value)) return [];
  return value.every((one): one is number => typeof one === 'number') ? [value] : value.flatMap(positionsOf);
}
