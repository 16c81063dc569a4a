import {
  featureTypes,
  geometry as geometrySchema,
  type Feature,
  type FeatureType,
  type Geometry,
} from '../../server/contract/overlay.ts';
import { nameOfColumns, propertiesOfColumns } from '../../server/contract/shape-file.ts';
import { checkGeometry, isFault, type GeometryFaultKind } from '../../server/domain/geometry/feature-geometry.ts';
import { FileFault } from './file-fault.ts';

/** A shape of a file, before it belongs to a map. */
export interface FoundShape {
  geometry: Geometry;
  name: string;
  /** Undefined where the file names none of ours. */
  type: FeatureType | undefined;
  /** Of a shape that was exported from a map. */
  unique_id: string | undefined;
  /** All that the file says of it beside the above. */
  others: Record<string, unknown>;
  /** Why no map takes its geometry; absent where one does, or it was not looked for. */
  fault?: GeometryFaultKind;
}

export interface FoundShapes {
  shapes: FoundShape[];
  /** Names of the entries with no geometry, or none that can be drawn; empty where they have none. */
  skipped: string[];
}

/** One entry of a file. */
export interface FoundEntry {
  name: string;
  /** None where it has no geometry, or none that can be drawn. */
  shapes: FoundShape[];
}

/** What is in a file. */
export interface FileEntries {
  /** At most so many. */
  count: number;
  /** Each, worked out as it is asked for. */
  found: Iterable<FoundEntry>;
}

type Members = Record<string, unknown>;

/** Text of a GeoJSON file (RFC 7946) with these features. */
export function writeGeoJson(features: readonly Feature[]): string {
  return JSON.stringify({ type: 'FeatureCollection', features });
}

/** The shapes of the text of a GeoJSON file, with rests. Throws FileFault. */
export function* readGeoJson(text: string): Generator<void, FoundShapes> {
  return yield* allShapes(geoJsonEntries(text));
}

/** A GeoJSON file: a collection, a feature or a bare geometry. Throws FileFault. */
export function geoJsonEntries(text: string): FileEntries {
  let root: unknown;
  try {
    root = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new FileFault('notJson');
  }
  return entriesOfGeoJson(root);
}

/** Properties from a file in which all are texts, and those without a place stand as `columnsOf` wrote them. */
export function propertiesOfTexts(texts: Members): Members {
  const properties = propertiesOfColumns(texts);
  const { device_id, channel } = properties;
  const isOurs = device_id !== undefined && typeof channel === 'string' && /^\d{1,9}$/.test(channel);
  return isOurs ? { ...properties, channel: Number(channel) } : properties;
}

/** The same of what was read from a file already. */
export function entriesOfGeoJson(root: unknown): FileEntries {
  if (!isMembers(root)) throw new FileFault('notGeoJson');
  refuseOtherCrs(root);
  const entries = entriesOf(root);
  return { count: entries.length, found: entriesOfEach(entries) };
}

/** Each feature as an entry; `read` makes its properties out of those of the file. */
export function* entriesOfEach(
  features: Iterable<unknown>,
  read: (properties: Members) => Members = (all) => all,
): Generator<FoundEntry> {
  for (const feature of features) yield entryOf(feature, read);
}

/** The same, each shape with its fault: long work. */
export function* withFaults(found: Iterable<FoundEntry>): Generator<FoundEntry> {
  for (const { name, shapes } of found) {
    const checked = shapes.map((shape): FoundShape => {
      const result = checkGeometry(shape.geometry, 'reference'); // which may have any form
      return isFault(result) ? { ...shape, fault: result.kind } : shape;
    });
    yield { name, shapes: checked };
  }
}

/** The shapes of all entries together, with rests. */
export function* allShapes({ found }: FileEntries): Generator<void, FoundShapes> {
  const all: FoundShapes = { shapes: [], skipped: [] };
  for (const entry of found) {
    gather(entry, all);
    yield;
  }
  return all;
}

/** Adds an entry to what was found before. */
export function gather({ name, shapes }: FoundEntry, all: FoundShapes): void {
  if (shapes.length === 0) all.skipped.push(name);
  all.shapes.push(...shapes);
}

function entriesOf(root: Members): unknown[] {
  if (root.type === 'FeatureCollection' && Array.isArray(root.features)) return root.features;
  if (root.type === 'Feature') return [root];
  if (Array.isArray(root.coordinates) || Array.isArray(root.geometries)) return [{ geometry: root, properties: {} }];
  throw new FileFault('notGeoJson');
}

/** RFC 7946 knows WGS 84 alone; older files may name another system, and would land somewhere else on the earth. */
function refuseOtherCrs({ crs }: Members): void {
  if (!isMembers(crs) || !isMembers(crs.properties)) return;
  const { name } = crs.properties;
  if (typeof name === 'string' && !/CRS84|\b4326$/i.test(name)) throw new FileFault('otherCrs', name);
}

function entryOf(entry: unknown, read: (properties: Members) => Members): FoundEntry {
  if (!isMembers(entry)) return { name: '', shapes: [] };
  const properties = isMembers(entry.properties) ? entry.properties : {};
  const name = nameOfColumns(properties);
  const shapes = geometriesOf(entry.geometry);
  return { name, shapes: shapes.map((geometry) => ({ geometry, name, ...describe(read(properties)) })) };
}

function geometriesOf(value: unknown): Geometry[] {
  if (!isMembers(value)) return [];
  if (Array.isArray(value.geometries)) return value.geometries.flatMap(geometriesOf);
  const read = geometrySchema.safeParse({ type: value.type, coordinates: value.coordinates });
  return read.success ? [read.data] : [];
}

function describe(properties: Members): Pick<FoundShape, 'type' | 'unique_id' | 'others'> {
  const { type, unique_id, map_uuid: _, ...others } = properties;
  const known = featureTypes.find((one) => one === type);
  if (typeof others.device_id === 'string') others.device_id = others.device_id.toLowerCase();
  delete others.name;
  delete others.__proto__; // as a member of its own it would be refused
  return {
    type: known,
    unique_id: typeof unique_id === 'string' ? unique_id.toLowerCase() : undefined,
    others: known === undefined && type !== undefined ? { ...others, original_type: type } : others,
  };
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
