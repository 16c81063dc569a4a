import { z } from 'zod';
import { name, uuid } from './identifier.ts';
import { secretSent, secretSet } from './secret.ts';

export const wmsFormats = z.enum(['image/png', 'image/png8', 'image/jpeg', 'image/gif', 'image/webp']);
const version = z.enum(['1.1.1', '1.3.0']);

const fields = z.strictObject({
  unique_id: uuid,
  name,
  url: z
    .url({ protocol: /^https?$/ })
    .max(1000)
    .describe('Of the service, without the parameters of a request'),
  version,
  layers: z.string().min(1).max(1000).describe('Comma-separated'),
  styles: z.string().max(1000).optional().describe('Comma-separated; the default of each layer when absent'),
  format: wmsFormats,
  crs: z
    .string()
    .regex(/^(EPSG:\d{4,6}|CRS:84)$/, 'must be EPSG: with a number, or CRS:84')
    .describe('Coordinate system that the service is asked in'),
  username: z.string().min(1).max(200).optional(),
});

/** A layer of a Web Map Service (OGC 06-042) that the site shows. */
export const wmsLayer = fields.extend({ password: secretSet.optional() });
export type WmsLayer = z.infer<typeof wmsLayer>;

/** The same in a request. */
export const wmsLayerSent = fields.extend({
  unique_id: uuid.optional().describe('Made by the server when absent'),
  styles: fields.shape.styles.nullable(),
  username: fields.shape.username.nullable(),
  password: secretSent.nullable().optional(),
});
export type WmsLayerSent = z.infer<typeof wmsLayerSent>;

const most = 100;
export const wmsLayers = z.array(wmsLayer).max(most);
export const wmsLayersSent = z.array(wmsLayerSent).max(most).describe('Replaces the whole list');

/** Where to ask what a service offers; a stored password is used only for the origin that it was given for. */
export const wmsAddress = z.strictObject({
  url: fields.shape.url,
  unique_id: uuid.optional().describe('Of the layer whose stored password is meant'),
  username: fields.shape.username,
  password: secretSent.optional(),
});
export type WmsAddress = z.infer<typeof wmsAddress>;

const title = z.string().max(200);
/** What a Web Map Service offers (GetCapabilities). */
export const wmsOffer = z.strictObject({
  title,
  version,
  formats: z.array(wmsFormats).describe('Of pictures, those that can be asked for'),
  layers: z
    .array(
      z.strictObject({
        name: z.string().describe('By which it is asked for'),
        title,
        crs: z.array(z.string()).describe('Coordinate systems with an EPSG code, at most 100'),
        styles: z.array(z.strictObject({ name: z.string(), title })),
        is_queryable: z.boolean().describe('Whether it can be asked what is at a point'),
      }),
    )
    .describe('At most 1,000'),
});
export type WmsOffer = z.infer<typeof wmsOffer>;
