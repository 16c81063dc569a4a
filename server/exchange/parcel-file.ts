import { readGeoJson } from './geojson.ts';
import { readGeoPackage } from './geopackage.ts';
import { readShapefile } from './shapefile.ts';
import { openZip } from './zip.ts';
import type { SourceFile } from './source-file.ts';

/** Reads GeoJSON, a Shapefile in a ZIP, GeoJSON in a ZIP, or a GeoPackage, by its content. Throws `unreadable_file`. */
export function readParcelFile(bytes: Buffer): SourceFile {
  if (bytes.toString('latin1', 0, 4) === 'PK\x03\x04') {
    const entries = openZip(bytes);
    const json = entries.find(({ name }) => /\.(geo)?json$/i.test(name));
    return json === undefined ? readShapefile(entries) : readGeoJson(json.bytes);
  }
  if (bytes.toString('latin1', 0, 15) === 'SQLite format 3') return readGeoPackage(bytes);
  return readGeoJson(bytes);
}
