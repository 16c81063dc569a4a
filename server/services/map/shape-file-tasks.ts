import { Refusal } from '../../contract/errors.ts';
import { geometry, type Feature, type Geometry } from '../../contract/overlay.ts';
import { mostShapes, mostSkippedNames, nameOfColumns, type ShapesOfFile } from '../../contract/shape-file.ts';
import { writtenSystemOf, type ToDegrees } from '../../exchange/coordinate-system.ts';
import { writeGeoPackage } from '../../exchange/geopackage-writer.ts';
import { readShapeSources } from '../../exchange/shape-source.ts';
import { writeShapefiles } from '../../exchange/shapefile-writer.ts';
import { unreadable, type SourceFeature } from '../../exchange/source-file.ts';
import { systemOf } from '../../exchange/source-system.ts';
import { converted, propertiesOfRow, writtenFeature } from '../../exchange/written-feature.ts';

export type ShapeFileFormat = 'shapefile' | 'geopackage';

interface WriteSent {
  /** JSON of a map. */
  design: Uint8Array;
  format: ShapeFileFormat;
  crs: string;
}

/** The tasks of the shape-file worker, which has no state. */
export const shapeFileTasks = { readShapeFile, writeShapeFile };
export type ShapeFileTasks = typeof shapeFileTasks;

/** Eleven decimals of a degree are a micrometre: less than the error of a conversion there and back. */
const decimals = 11;

/** JSON of the shapes in a file. Throws `unreadable_file`, `unknown_crs`, `payload_too_large`. */
function readShapeFile(_own: null, { bytes, crs: said }: { bytes: Uint8Array; crs: string | undefined }): string {
  const read: ShapesOfFile = { crs: [], features: [], skipped_count: 0, skipped_names: [] };
  for (const source of readShapeSources(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), mostShapes)) {
    const { crs, toDegrees } = systemOf(source, said);
    if (!read.crs.includes(crs)) read.crs.push(crs);
    for (const feature of source.features) {
      const found = geometryOf(feature, toDegrees);
      if (found === null) {
        read.skipped_count += 1;
        if (read.skipped_names.length < mostSkippedNames) read.skipped_names.push(nameOfColumns(propertiesOf(feature)));
      } else read.features.push({ type: 'Feature', geometry: found, properties: propertiesOf(feature) });
    }
  }
  if (read.features.length === 0 && read.skipped_count > 0) {
    throw unreadable('none of its rows has a geometry that lies on the earth in this coordinate system');
  }
  return JSON.stringify(read);
}

function geometryOf({ geometry: stored }: SourceFeature, toDegrees: ToDegrees): Geometry | null {
  if (stored === null) return null;
  const inDegrees = (position: readonly number[]): number[] =>
    toDegrees(position).map((degrees) => Number(degrees.toFixed(decimals)));
  const read = geometry.safeParse({ type: stored.type, coordinates: converted(stored.coordinates, inDegrees) });
  return read.success && isOnEarth(read.data.coordinates) ? read.data : null;
}

function isOnEarth(value: readonly unknown[]): boolean {
  const [first, second] = value;
  if (typeof first !== 'number') return value.every((inner) => isOnEarth(inner as unknown[])); // lists down to positions
  return Math.abs(first) <= 180 && Math.abs(Number(second)) <= 90;
}

function propertiesOf({ properties }: SourceFeature): ShapesOfFile['features'][number]['properties'] {
  return propertiesOfRow(properties) as ShapesOfFile['features'][number]['properties']; // of JSON
}

/** Throws `unknown_crs`. */
function writeShapeFile(_own: null, { design, format, crs }: WriteSent): Uint8Array {
  const system = writtenSystemOf(crs);
  if (system === null) throw new Refusal('unknown_crs', `files are not written in ${crs}`);
  const map = JSON.parse(new TextDecoder().decode(design)) as Written; // a map as the service answers it
  const features = map.features.features.map((feature) => writtenFeature(feature, system));
  const bytes =
    format === 'geopackage'
      ? writeGeoPackage(features, { name: map.name, system, at: map.updated_at })
      : writeShapefiles(features, { stem: 'map', wkt: system.wkt });
  return new Uint8Array(bytes);
}

interface Written {
  name: string;
  updated_at: string;
  features: { features: Feature[] };
}
