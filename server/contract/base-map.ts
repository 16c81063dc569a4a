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

/** Why a file cannot be drawn: its name, what is in it, or vector tiles. */
export const baseMapFault = z.enum(['name', 'no_database', 'no_tiles', 'vector']);

/** A map file of this machine, which needs no internet. */
export const baseMap = z.strictObject({
  file: z.string().describe('In the folder base-maps of the data directory'),
  bytes: countOf('Size of the file, or that where it is larger, bytes'),
  base_map_id: baseMapId
    .nullable()
    .describe('Null where the name of the file has other signs than A-Z, a-z, 0-9, _ and -'),
  name: z.string(),
  attribution: z.string().describe('As the file says it, empty where it does not'),
  min_zoom: zoom.nullable(),
  max_zoom: zoom.nullable(),
  fault: baseMapFault.nullable(),
});
export type BaseMap = z.infer<typeof baseMap>;

export const baseMapEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/geo/base_maps',
    tag: 'base maps',
    summary: 'List the map files of this machine (MBTiles)',
    access: 'login',
    answer: z.strictObject({ base_maps: z.array(baseMap) }),
    statuses: [200],
  }),
  tile: endpoint({
    method: 'GET',
    path: '/api/geo/base_maps/:base_map_id/:z/:x/:y',
    tag: 'base maps',
    summary: 'Get a tile of a map file',
    access: 'login',
    params: z.strictObject({
      base_map_id: baseMapId,
      z: zoom,
      x: index('Column from the west'),
      y: index('Row from the north'),
    }),
    answer: z.unknown(),
    stream: 'image/*',
    statuses: [200, 304],
    errors: ['not_found'],
  }),
};
