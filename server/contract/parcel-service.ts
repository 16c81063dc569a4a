import { z } from 'zod';
import { name } from './identifier.ts';
import { ruled, why } from './refusal-reason.ts';

/** In any script, without characters that have a meaning in a query. */
const field = z
  .string()
  .max(100, { abort: true })
  .regex(/^[^\s'"`<>&;()=%*\\/,#+?!|-]+$/, 'must be the name of a field');

/** A server of parcels: a Web Feature Service (OGC 09-025r2), or a layer of an ArcGIS feature service. */
export const parcelService = z.strictObject({
  id: z.string().regex(/^[a-z0-9_-]{1,64}$/, 'must be 1 to 64 of a-z, 0-9, _ and -'),
  name,
  kind: z.enum(['wfs', 'arcgis']).describe('OGC WFS 2.0, or ArcGIS feature service'),
  url: z
    .url({ protocol: /^https?$/ })
    .max(1000)
    .describe('Of the service; for ArcGIS that of the layer, e.g. .../FeatureServer/0'),
  layer: z.string().max(200).optional().describe('Type name of a WFS, e.g. cp:CadastralParcel'),
  address_field: field.optional().describe('In which addresses are looked for; without it by the place of the address'),
  id_field: field.optional().describe('With the number of the parcel'),
  attribution: z.string().max(500).optional(),
});
export type ParcelService = z.infer<typeof parcelService>;

export const parcelServices = z
  .array(parcelService)
  .max(10)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'must have ids that differ')
  .refine((list) => list.every(({ kind, layer }) => kind !== 'wfs' || layer !== undefined), ruled(why('layer_needed')));
