import { z } from 'zod';
import { crsCode } from './crs.ts';
import { endpoint } from './endpoint.ts';
import { longestName, uuid } from './identifier.ts';
import { geometry, type Feature } from './overlay.ts';
import { countOf, revisionNumber } from './quantity.ts';

/** Maximum shapes of one file. */
export const mostShapes = 200_000;

/** Maximum size of one file to import. */
export const mostShapeFileBytes = 64 * 1024 * 1024;

/** JSON that fits into a column of a Shapefile, whatever letters it is cut between. */
export const propertyColumnBytes = 240;
/** Every shape has every column, used or not: so much a whole file may have for its other properties. */
const mostPropertyBytes = 128 * 1024 * 1024;

/** Columns that a Shapefile of a map with so many shapes has at most for their other properties. */
export function mostPropertyColumns(shapeCount: number): number {
  return Math.min(80, Math.max(1, Math.floor(mostPropertyBytes / (propertyColumnBytes * shapeCount))));
}

/** Columns of a shape in a table: the common properties, and all others as JSON in one; null when there is nothing. */
export interface ShapeColumns {
  unique_id: string;
  type: string;
  name: string;
  device_id: string | null;
  channel: number | null;
  properties: string | null;
}

export function columnsOf({ properties }: Feature): ShapeColumns {
  const { unique_id, type, name, device_id = null, channel = null, map_uuid: _map, ...others } = properties;
  const rest = Object.keys(others).length === 0 ? null : JSON.stringify(others);
  return { unique_id, type, name, device_id, channel, properties: rest };
}

/** The properties that `columnsOf` wrote into a row, and the other columns as they are. */
export function propertiesOfColumns(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { properties, ...columns } = row;
  if (properties === undefined || properties === null || properties === '') return columns;
  if (typeof properties !== 'string' || !properties.startsWith('{')) return row;
  try {
    return { ...(JSON.parse(properties) as Record<string, unknown>), ...columns }; // it begins as an object
  } catch {
    return row;
  }
}

/** Under which programs keep the name of a shape. */
const nameColumns = ['name', 'Name', 'NAME', 'title'];

/** The name of a shape by its properties; empty where they have none. */
export function nameOfColumns(row: Readonly<Record<string, unknown>>): string {
  const said = nameColumns.map((column) => row[column]).find((one): one is string => typeof one === 'string');
  return said?.slice(0, longestName) ?? '';
}

/** Of skipped rows that are named. */
export const mostSkippedNames = 50;

const shape = z.strictObject({
  type: z.literal('Feature'),
  geometry,
  properties: z.record(z.string(), z.json()).describe('The columns of the file that say something'),
});

const shapesOfFile = z.strictObject({
  crs: z.array(z.string()).describe('Coordinate systems that the file had, those of its parts once each'),
  features: z.array(shape).describe('In degrees of WGS 84; nothing of it is on a map yet'),
  skipped_count: countOf('Rows without a geometry that a map has'),
  skipped_names: z
    .array(z.string())
    .max(mostSkippedNames)
    .describe(`What the first ${mostSkippedNames} of them are named; empty where the file does not say`),
});
export type ShapesOfFile = z.infer<typeof shapesOfFile>;

const download = {
  ...({ method: 'GET', tag: 'designs', access: 'login', isDownload: true, statuses: [200] } as const),
  answer: z.unknown(),
  params: z.strictObject({ map_uuid: uuid }),
  query: z.strictObject({
    crs: crsCode.optional().describe('To write the coordinates in; EPSG:4326 when absent'),
    revision: revisionNumber.optional().describe('As the map was after that save; as it is when absent'),
  }),
  errors: ['unknown_crs' as const],
};

export const shapeFileEndpoints = {
  read: endpoint({
    method: 'POST',
    path: '/api/geo/shape_files',
    tag: 'overlays',
    summary: `Read the shapes of a Shapefile or GeoJSON in a ZIP, a GeoPackage, or GeoJSON in any coordinate system, up to ${mostShapes}; stores nothing`,
    access: 'edit_settings',
    budget: 'calculation',
    query: z.strictObject({ crs: crsCode.optional().describe('Of the file, where it does not say it itself') }),
    body: z.strictObject({
      file: z.string().describe('GeoJSON. As multipart/form-data with one part named file also a ZIP or a GeoPackage'),
    }),
    takesFile: true,
    answer: shapesOfFile,
    statuses: [200],
    errors: ['unreadable_file', 'unknown_crs'],
    maxBodyBytes: mostShapeFileBytes,
  }),
  shapefile: endpoint({
    ...download,
    path: '/api/geo/designs/:map_uuid/shapefile',
    summary:
      'Download a map as Shapefiles in a ZIP, one for its points, lines and areas each, and one more for those with an altitude at every corner',
    stream: 'application/zip',
  }),
  geopackage: endpoint({
    ...download,
    path: '/api/geo/designs/:map_uuid/geopackage',
    summary: 'Download a map as a GeoPackage',
    stream: 'application/geopackage+sqlite3',
  }),
};
