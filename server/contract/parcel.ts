import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { name, uuid } from './identifier.ts';
import { jobStarted } from './job.ts';
import { feature, geometry, geometryInput } from './overlay.ts';
import { providerErrors } from './provider.ts';
import { countOf, quantity } from './quantity.ts';

/** A piece of land in a cadastre. */
export const parcel = z.strictObject({
  address: z.string().describe('As the cadastre writes it, empty where it has none'),
  parcel_id: z.string().describe('Of the cadastre, e.g. the PNU of Korea; empty where it has none'),
  geometry: geometry.describe('Polygon or MultiPolygon'),
  area_m2: quantity('m2', 'Area on the ellipsoid, of the geometry itself'),
  provider: z.string().describe('Who said so; file where the row of a table brought its geometry'),
  attribution: z.string(),
});
export type Parcel = z.infer<typeof parcel>;

const skipped = countOf('Parcels that the service sent and that are left out: their outline is not valid');
const address = z.string().trim().min(1).max(500);

export const rowStatus = z.enum(['ok', 'not_found', 'invalid', 'error']);

/** The result of a line of a table; the others have their own. */
export const parcelRow = z.strictObject({
  line: z.int().min(1).max(20_000_000).describe('Of the file, from 1'),
  address: z.string(),
  name: z.string(),
  status: rowStatus,
  code: z
    .string()
    .optional()
    .describe('Why it is not ok: a code of a refusal, or no_address, invalid_place, invalid_geometry, too_long'),
  place: z
    .strictObject({
      lat: z.number().min(-90).max(90).meta({ description: 'North of the equator, -90 to 90', unit: 'deg' }),
      lng: z.number().min(-180).max(180).meta({ description: 'East of Greenwich, -180 to 180', unit: 'deg' }),
    })
    .optional()
    .describe('Where the row says that it is'),
  parcel: parcel.optional(),
});
export type ParcelRow = z.infer<typeof parcelRow>;

const rowCount = (what: string) => countOf(what);
export const parcelRows = z.strictObject({
  rows: z.array(parcelRow),
  counts: z.strictObject({
    ok: rowCount('Rows with a parcel'),
    not_found: rowCount('Rows of which no parcel is known'),
    invalid: rowCount('Rows that cannot be read'),
    error: rowCount('Rows that could not be asked for'),
  }),
});
export type ParcelRows = z.infer<typeof parcelRows>;

const mostMerged = 100;
export const mostRows = 10_000;
/** A longer table needs a job. */
export const mostRowsAtOnce = 100;

export const parcelEndpoints = {
  fromAddress: endpoint({
    method: 'POST',
    path: '/api/geo/parcel/from_address',
    tag: 'parcels',
    summary: 'Find the parcel of an address',
    access: 'login',
    budget: 'calculation',
    isRelay: true,
    body: z.strictObject({ address }),
    answer: z.strictObject({
      parcel,
      candidates: z.array(parcel).describe('All that fit, the likeliest first'),
      skipped,
    }),
    statuses: [200],
    errors: ['parcel_not_found', ...providerErrors],
  }),
  at: endpoint({
    method: 'POST',
    path: '/api/geo/parcel/at',
    tag: 'parcels',
    summary: 'Find the parcels in which a place lies',
    access: 'login',
    budget: 'calculation',
    isRelay: true,
    body: z.strictObject({
      lat: z.number().min(-90).max(90).describe('Latitude in degrees, -90 to 90'),
      lng: z.number().min(-180).max(180).describe('Longitude in degrees, -180 to 180'),
    }),
    answer: z.strictObject({ parcels: z.array(parcel).describe('None where no parcel is known'), skipped }),
    statuses: [200],
    errors: providerErrors,
  }),
  merge: endpoint({
    method: 'POST',
    path: '/api/geo/parcel/merge',
    tag: 'parcels',
    summary: 'Join the outlines of neighbouring parcels to one; saves nothing',
    access: 'login',
    budget: 'calculation',
    body: z.strictObject({
      geometries: z
        .array(geometryInput)
        .min(2)
        .max(mostMerged)
        .describe('Polygons or MultiPolygons that lie side by side'),
    }),
    answer: parcel.pick({ geometry: true, area_m2: true }),
    statuses: [200],
    errors: ['invalid_geometry'],
  }),
  fromCsv: endpoint({
    method: 'POST',
    path: '/api/geo/parcel/from_csv',
    tag: 'parcels',
    summary: 'Find the parcels of a table; one bad row never spoils the others',
    access: 'login',
    budget: 'calculation',
    isRelay: true,
    query: z.strictObject({
      async: z.boolean().optional().describe(`Answers 201 with a job; needed above ${mostRowsAtOnce} rows to look up`),
    }),
    body: z.strictObject({
      file: z
        .string()
        .describe(
          'The table: columns address and name, or lines of these two; lat and lng (degrees) where it has places, ' +
            'geometry (GeoJSON) where it has the outlines themselves. ' +
            'As multipart/form-data also UTF-16 and CP949; comma, semicolon or tab',
        ),
    }),
    takesFile: true,
    answer: z.union([parcelRows, jobStarted]),
    statuses: [200, 201],
    maxBodyBytes: 5 * 1024 * 1024,
  }),
  saveAsSite: endpoint({
    method: 'POST',
    path: '/api/geo/parcel/save_as_site',
    tag: 'parcels',
    summary: 'Save the outline of a parcel as a site of a map',
    access: 'edit_settings',
    body: z.strictObject({ geo_id: uuid, geometry: geometryInput, name }),
    answer: feature,
    statuses: [201],
    hasNoAddress: true,
    errors: ['not_found', 'invalid_geometry', 'duplicate_site', 'in_trash'],
  }),
};
