import { parseDbf, parseShp } from 'shpjs';
import { encodingOf } from './code-page.ts';
import { unreadable, type SourceFeature, type SourceFile } from './source-file.ts';
import type { ZipEntry } from './zip.ts';

type Shape = SourceFeature['geometry'];

/** The only Shapefile among the parts of a ZIP. Throws `unreadable_file`. */
export function readShapefile(entries: readonly ZipEntry[]): SourceFile {
  const [shape, ...others] = shapesIn(entries);
  if (shape === undefined) throw unreadable('the ZIP has neither a Shapefile nor GeoJSON');
  if (others.length > 0) throw unreadable('the ZIP has several Shapefiles: import them one by one');
  return read(shape, entries);
}

/** Every Shapefile among them. Throws `unreadable_file`. */
export function readShapefiles(entries: readonly ZipEntry[]): SourceFile[] {
  return shapesIn(entries).map((shape) => read(shape, entries));
}

function shapesIn(entries: readonly ZipEntry[]): ZipEntry[] {
  return entries.filter(({ name }) => /\.shp$/i.test(name));
}

function read(shape: ZipEntry, entries: readonly ZipEntry[]): SourceFile {
  const stem = shape.name.slice(0, -'.shp'.length).toLowerCase();
  const beside = (ending: string): Buffer | undefined =>
    entries.find(({ name }) => name.toLowerCase() === `${stem}.${ending}`)?.bytes;
  const wkt = beside('prj')?.toString().trim();
  const geometries = shapesOf(shape.bytes);
  const rows = rowsOf(beside('dbf'), beside('cpg')?.toString());
  return { system: wkt ? { wkt } : null, count: geometries.length, features: iterate(geometries, rows) };
}

function* iterate(geometries: readonly Shape[], rows: readonly Record<string, unknown>[]): Generator<SourceFeature> {
  for (const [at, geometry] of geometries.entries()) yield { properties: rows[at] ?? {}, geometry };
}

function shapesOf(bytes: Buffer): readonly Shape[] {
  checkRecords(bytes);
  try {
    return parseShp(viewOf(bytes)) as Shape[]; // GeoJSON geometries, null for the empty ones
  } catch (cause) {
    throw unreadable('the .shp is damaged', cause);
  }
}

/** The library walks by record lengths, and loops for ever on a negative one (ESRI Shapefile, 1998, p. 5). */
function checkRecords(bytes: Buffer): void {
  const [headerBytes, recordHeaderBytes, fileCode] = [100, 8, 9994];
  if (bytes.length < headerBytes || bytes.readInt32BE(0) !== fileCode) throw unreadable('the .shp is none');
  for (let at = headerBytes; at + recordHeaderBytes <= bytes.length;) {
    const words = bytes.readInt32BE(at + 4);
    if (words < 0) throw unreadable('the .shp is damaged');
    at += recordHeaderBytes + 2 * words;
  }
}

/** Throws when the header promises more records than there are: the library would create them all. */
function rowsOf(bytes: Buffer | undefined, said: string | undefined): Record<string, unknown>[] {
  if (bytes === undefined) return [];
  const headerBytes = 32;
  if (bytes.length <= headerBytes) throw unreadable('the .dbf is none');
  const [count, head, length] = [bytes.readUInt32LE(4), bytes.readUInt16LE(8), bytes.readUInt16LE(10)];
  if (length === 0 || head < headerBytes || head + count * length > bytes.length + 1) {
    throw unreadable('the .dbf is damaged');
  }
  try {
    return parseDbf(viewOf(bytes), encodingOf(bytes.subarray(head), { said, driver: bytes[29] ?? 0 })) as Record<
      string,
      unknown
    >[];
  } catch (cause) {
    throw unreadable('the .dbf is damaged', cause);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
