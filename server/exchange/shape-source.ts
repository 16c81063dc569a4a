import { Refusal } from '../contract/errors.ts';
import { readGeoJson } from './geojson.ts';
import { readGeoPackageLayers } from './geopackage.ts';
import { readShapefiles } from './shapefile.ts';
import { unreadable, type SourceFile } from './source-file.ts';
import { openZip } from './zip.ts';

/**
 * Everything with geometries in a ZIP of Shapefiles or GeoJSON, a GeoPackage, or GeoJSON. Throws `unreadable_file`,
 * `payload_too_large`.
 */
export function readShapeSources(bytes: Buffer, mostFeatures: number): SourceFile[] {
  const sources = sourcesOf(bytes, mostFeatures);
  if (sources.reduce((sum, { count }) => sum + count, 0) > mostFeatures) {
    throw new Refusal('payload_too_large', `it has more than ${mostFeatures} features`);
  }
  return sources;
}

function sourcesOf(bytes: Buffer, mostFeatures: number): SourceFile[] {
  if (bytes.toString('latin1', 0, 15) === 'SQLite format 3') return readGeoPackageLayers(bytes, mostFeatures);
  if (bytes.toString('latin1', 0, 2) !== 'PK') return [readGeoJson(bytes)];
  const entries = openZip(bytes);
  const json = entries.filter(({ name }) => /\.(geo)?json$/i.test(name)).map((entry) => readGeoJson(entry.bytes));
  const sources = [...readShapefiles(entries), ...json];
  if (sources.length === 0) throw unreadable('the ZIP has neither a Shapefile nor GeoJSON');
  return sources;
}
