import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { countOf } from './quantity.ts';

export const baseMapId = z
  .string()
  .max(64, { abort: true })
  .regex(/^[A-Za-z0-9_-]{1,64}$/)
  .describe('Name of the file without its ending');

const zoom = z.int().min(0).max(25).describe('Zoom, 0 (the world) to 25');
const index = (what: string) => z.int().min(0).max(33_554_431).describe(`${what}, 0 to 2^z - 1`);

const degrees = (most: number) => z.number().min(-most).max(most);

/** The area and the tile service. */
export const areaPlace = z.strictObject({
  layer: z.string().min(1).max(64).describe('Of a tile service: e.g. gsi.photo, or the id of an entered one'),
  bbox: z.tuple([degrees(180), degrees(90), degrees(180), degrees(90)]).describe('West, south, east, north in degrees'),
});

/**
 * Why a file cannot be drawn: its name, a file of the same name with the other ending, its format, or tiles without an
 * index or of an unsupported type.
 */
export const baseMapFault = z.enum([
  'name',
  'same_name',
  'no_database',
  'no_archive',
  'no_tiles',
  'no_index',
  'format',
]);
const mostBytes = 1_000_000_000_000;
/** Maximum bytes of one part of an upload. */
export const mostPartBytes = 8 * 1024 * 1024;

/** A map file on this machine, which needs no internet. */
export const baseMap = z.strictObject({
  file: z.string().describe('In the folder base-maps of the data directory'),
  bytes: z.int().min(0).max(mostBytes).describe('Size of the file, bytes'),
  base_map_id: baseMapId
    .nullable()
    .describe(
      'Null where the name of the file has other signs than A-Z, a-z, 0-9, _ and -, or another file has its id',
    ),
  name: z.string(),
  attribution: z.string().describe('As the file says it, empty where it does not'),
  kind: z.enum(['raster', 'vector']).describe('Pictures, or vector tiles (Mapbox Vector Tile 2)'),
  layers: z.array(z.string()).describe('Of vector tiles: names of what is in them'),
  min_zoom: zoom.nullable(),
  max_zoom: zoom.nullable(),
  missing_tiles: countOf('Of a downloaded area: tiles that its service did not give').nullable(),
  area: areaPlace.nullable().describe('Of a downloaded area: what it is of; it can be asked for again'),
  fault: baseMapFault.nullable(),
});
export type BaseMap = z.infer<typeof baseMap>;

const tileParams = z.strictObject({
  base_map_id: baseMapId,
  z: zoom,
  x: index('Column from the west'),
  y: index('Row from the north'),
});

export const baseMapEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/geo/base_maps',
    tag: 'base maps',
    summary: 'List the map files of this machine (MBTiles, PMTiles)',
    access: 'login',
    answer: z.strictObject({ base_maps: z.array(baseMap) }),
    statuses: [200],
  }),
  upload: endpoint({
    method: 'POST',
    path: '/api/geo/base_maps',
    tag: 'base maps',
    summary: 'Send the next part of a map file; the last one makes it a map, and whatever cannot be drawn is refused',
    access: 'edit_settings',
    query: z.strictObject({
      name: z
        .string()
        .max(80, { abort: true })
        .regex(/^[A-Za-z0-9_-]{1,64}\.(mbtiles|pmtiles)$/, 'must be letters, digits, _ and -, and .mbtiles or .pmtiles')
        .describe('Of the file'),
      offset: z.int().min(0).max(mostBytes).describe('Bytes that were sent before, 0 begins anew'),
      total_bytes: z.int().min(1).max(mostBytes).describe('Of the whole file'),
    }),
    body: z.strictObject({
      file: z
        .string()
        .describe(`A part of at most ${mostPartBytes} bytes, as multipart/form-data with one part named file`),
    }),
    takesFile: true,
    answer: z.strictObject({
      received_bytes: z
        .int()
        .min(0)
        .max(mostBytes)
        .describe('Of the file so far, bytes; also in a refusal with conflict'),
      base_map: baseMap.nullable().describe('Null until the last part is there'),
    }),
    statuses: [200],
    errors: ['already_exists', 'conflict', 'unreadable_file', 'storage_failed', 'not_found'],
    maxBodyBytes: mostPartBytes,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/geo/base_maps/:base_map_id',
    tag: 'base maps',
    summary: 'Delete a map file',
    access: 'edit_settings',
    params: z.strictObject({ base_map_id: baseMapId }),
    answer: z.strictObject({ base_map_id: baseMapId, deleted: z.literal(true) }),
    statuses: [200],
    errors: ['not_found', 'storage_failed'],
  }),
  tile: endpoint({
    method: 'GET',
    path: '/api/geo/base_maps/:base_map_id/:z/:x/:y',
    tag: 'base maps',
    summary: 'Get a tile of a map file with pictures',
    access: 'login',
    params: tileParams,
    answer: z.unknown(),
    stream: 'image/*',
    statuses: [200, 304],
    errors: ['not_found'],
  }),
  vectorTile: endpoint({
    method: 'GET',
    path: '/api/geo/base_maps/:base_map_id/vector/:z/:x/:y',
    tag: 'base maps',
    summary: 'Get a tile of a map file with vector tiles, empty where it has none',
    access: 'login',
    params: tileParams,
    answer: z.unknown(),
    stream: 'application/vnd.mapbox-vector-tile',
    statuses: [200, 304],
    errors: ['not_found'],
  }),
};
