import { z } from 'zod';
import { crsCode } from './crs.ts';
import { endpoint } from './endpoint.ts';
import { name, uuid } from './identifier.ts';
import { jobStarted } from './job.ts';
import { countOf } from './quantity.ts';
import { timestamp } from './time.ts';

export const mostCadastres = 50;
export const mostParcels = 500_000;

/** Parcels imported from a file: they are available without internet. */
export const cadastre = z.strictObject({
  unique_id: uuid,
  name,
  attribution: z.string().max(500).describe('Shown beside each of its parcels, empty where none is asked for'),
  crs: z.string().describe('Coordinate system that the file had'),
  parcel_count: countOf('Parcels'),
  skipped_count: countOf('Rows of the file without an outline that can be drawn, left out'),
  imported_at: timestamp,
});
export type Cadastre = z.infer<typeof cadastre>;

/** What the user states about a file of parcels. */
export const cadastreNaming = z.strictObject({
  name,
  attribution: cadastre.shape.attribution.optional(),
  crs: crsCode.optional().describe('Of the file, where it does not say it itself'),
});

export const cadastreEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/geo/cadastres',
    tag: 'parcels',
    summary: 'List the files of parcels that were imported',
    access: 'login',
    answer: z.strictObject({ cadastres: z.array(cadastre) }),
    statuses: [200],
    errors: ['storage_failed'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/geo/cadastres',
    tag: 'parcels',
    summary: `Import parcels as a job: GeoJSON, a Shapefile or GeoJSON in a ZIP, or a GeoPackage, up to ${mostParcels} parcels`,
    access: 'edit_settings',
    query: cadastreNaming,
    body: z.strictObject({
      file: z.string().describe('GeoJSON. As multipart/form-data with one part named file also a ZIP or a GeoPackage'),
    }),
    takesFile: true,
    answer: jobStarted,
    statuses: [201],
    errors: ['conflict'],
    maxBodyBytes: 64 * 1024 * 1024,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/geo/cadastres/:cadastre_id',
    tag: 'parcels',
    summary: 'Forget an imported file; sites that were made of its parcels stay',
    access: 'edit_settings',
    params: z.strictObject({ cadastre_id: uuid }),
    answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
    statuses: [200],
    errors: ['not_found', 'storage_failed'],
  }),
};
