import { z } from 'zod';
import { areaPlace, baseMapId } from './base-map.ts';
import { endpoint } from './endpoint.ts';
import { errorCode } from './errors.ts';
import { name } from './identifier.ts';
import { countOf } from './quantity.ts';

/** Maximum tiles of one area: a farm at every zoom, or a region without the deepest ones. */
export const mostAreaTiles = 20_000;

const zoom = z.int().min(0).max(25);
const area = areaPlace.extend({
  min_zoom: zoom.describe('Least deep zoom, 0 to 25'),
  max_zoom: zoom.describe('Deepest zoom, 0 to 25'),
});
export type MapArea = z.infer<typeof area>;

const mostBytes = 100_000_000_000_000;

/** An area that is being stored, or could not be stored yet. A finished one is a map file like any other. */
export const areaDownload = area.extend({
  base_map_id: baseMapId,
  name: z.string(),
  status: z.enum(['running', 'paused']),
  code: errorCode.nullable().describe('Why it stopped by itself; null while it runs and where a person paused it'),
  done: countOf('Tiles that were asked for'),
  total: countOf('Tiles of the area'),
  missing: countOf('Tiles that the service did not give'),
  bytes: z.int().min(0).max(mostBytes).describe('Of the tiles so far'),
});
export type AreaDownload = z.infer<typeof areaDownload>;

const params = z.strictObject({ base_map_id: baseMapId });
const path = '/api/geo/base_map_downloads';
const shared = { tag: 'base maps', access: 'edit_settings' } as const;

export const mapAreaEndpoints = {
  list: endpoint({
    ...shared,
    access: 'login' as const,
    method: 'GET',
    path,
    summary: 'List the areas that are being stored',
    answer: z.strictObject({ downloads: z.array(areaDownload) }),
    statuses: [200],
  }),
  estimate: endpoint({
    ...shared,
    method: 'POST',
    path: `${path}/estimate`,
    budget: 'calculation',
    summary: 'Say how large an area is; asks no provider and stores nothing',
    body: area,
    answer: z.strictObject({
      tiles: countOf('Tiles of the area'),
      bytes: z.int().min(0).max(mostBytes).describe('About, at 20 kB a tile'),
      duration_s: z.int().min(0).max(1_000_000_000).describe('At least, at the pace that the service bears, s'),
      most_tiles: countOf('Tiles that one area may have'),
    }),
    statuses: [200],
    errors: ['not_found', 'provider_not_configured', 'provider_refused'],
  }),
  begin: endpoint({
    ...shared,
    method: 'POST',
    path,
    summary: 'Store the tiles of an area as a map file; services that forbid it are refused',
    body: area.extend({ name }),
    answer: areaDownload,
    statuses: [201],
    hasNoAddress: true,
    errors: [
      'not_found',
      'provider_not_configured',
      'provider_refused',
      'payload_too_large',
      'conflict',
      'storage_failed',
    ],
  }),
  complete: endpoint({
    ...shared,
    method: 'POST',
    path: `${path}/:base_map_id/complete`,
    summary: 'Ask again for the tiles that a stored area misses; its map file serves until the new one is whole',
    params,
    answer: areaDownload,
    statuses: [201],
    hasNoAddress: true,
    errors: ['not_found', 'provider_not_configured', 'provider_refused', 'conflict', 'storage_failed'],
  }),
  pause: endpoint({
    ...shared,
    method: 'POST',
    path: `${path}/:base_map_id/pause`,
    summary: 'Pause storing an area',
    params,
    answer: areaDownload,
    statuses: [200],
    errors: ['not_found'],
  }),
  resume: endpoint({
    ...shared,
    method: 'POST',
    path: `${path}/:base_map_id/resume`,
    summary: 'Go on storing an area where it stopped',
    params,
    answer: areaDownload,
    statuses: [200],
    errors: ['not_found', 'conflict', 'provider_not_configured', 'provider_refused'],
  }),
  cancel: endpoint({
    ...shared,
    method: 'DELETE',
    path: `${path}/:base_map_id`,
    summary: 'Stop storing an area, and delete what is there of it',
    params,
    answer: z.strictObject({ base_map_id: baseMapId, deleted: z.literal(true) }),
    statuses: [200],
    errors: ['not_found', 'storage_failed'],
  }),
};
