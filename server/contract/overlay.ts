import { z } from 'zod';
import { designFields } from './design-fields.ts';
import { endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { channelNumber, longestName, uuid } from './identifier.ts';
import { jobStarted } from './job.ts';
import { countOf, revisionNumber } from './quantity.ts';
import { timestamp } from './time.ts';

export const featureTypes = [
  'site',
  'zone',
  'facility',
  'bay',
  'equipment',
  'device',
  'pipe',
  'connection',
  'infrastructure',
  'label',
  'reference',
] as const;
export const featureType = z.enum(featureTypes);
export type FeatureType = z.infer<typeof featureType>;

const position = z
  .array(z.number())
  .min(2)
  .max(3)
  .describe(
    '[longitude -180..180, latitude -90..90, altitude?]: degrees of WGS 84; the altitude is any finite number of m',
  );
const ring = z.array(position).min(4).describe('Closed: the last position equals the first');

export const geometry = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('Point'), coordinates: position }),
  z.strictObject({ type: z.literal('MultiPoint'), coordinates: z.array(position).min(1) }),
  z.strictObject({ type: z.literal('LineString'), coordinates: z.array(position).min(2) }),
  z.strictObject({ type: z.literal('MultiLineString'), coordinates: z.array(z.array(position).min(2)).min(1) }),
  z.strictObject({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1) }),
  z.strictObject({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(ring).min(1)).min(1) }),
]);
export type Geometry = z.infer<typeof geometry>;

const properties = z.looseObject({
  type: featureType,
  name: z.string().max(longestName).optional().describe('Empty when absent'),
  unique_id: uuid.optional().describe('Kept for ever; made by the server when absent'),
  device_id: uuid.optional().describe('Of a feature of type device, which needs it: the device that stands here'),
  channel: channelNumber.optional().describe('Of that device, counted from 0'),
});

/** Parsed loosely, as the check of geometry itself names feature, ring and position (`invalid_geometry`). */
export const geometryInput = z
  .looseObject({ type: z.string(), coordinates: z.array(z.unknown()) })
  .describe(
    'Point, MultiPoint, LineString, MultiLineString, Polygon or MultiPolygon of RFC 7946: longitude -180..180, ' +
      'latitude -90..90, altitude in m. Rings are closed, have 4 positions or more and do not cross themselves or one ' +
      'another; site and zone are a Polygon or MultiPolygon, a device is a Point',
  );

/** A feature as a client sends it. Foreign members are dropped with a warning, other properties are kept. */
export const featureInput = z.looseObject({ type: z.literal('Feature'), geometry: geometryInput, properties });
export type FeatureInput = z.infer<typeof featureInput>;

export const feature = z.strictObject({
  type: z.literal('Feature'),
  geometry,
  properties: properties.extend({ name: z.string(), unique_id: uuid }),
});
export type Feature = z.infer<typeof feature>;

export const featureCollection = z.strictObject({
  type: z.literal('FeatureCollection'),
  map_uuid: uuid,
  revision: revisionNumber.describe('Of the map'),
  features: z.array(feature),
});
export type FeatureCollection = z.infer<typeof featureCollection>;

const revision = revisionNumber.describe('The revision that the change is based on');
const saveId = uuid.describe(
  'Made by the client: a repeat of the same call by the same user within a day gets the first answer and changes nothing; anything else under it is save_id_reused',
);

export const overlaySave = z.strictObject({
  geo_id: uuid,
  features: z.array(featureInput).max(200_000),
  revision: revision.optional(),
  allow_empty: z.boolean().optional().describe('Needed to empty a map that has features'),
  save_id: saveId.optional(),
});
export type OverlaySave = z.infer<typeof overlaySave>;

export const overlayDelta = z.strictObject({
  geo_id: uuid,
  added: z.array(featureInput).max(200_000).optional(),
  modified: z.array(featureInput).max(200_000).optional(),
  deleted: z.array(uuid).max(200_000).optional(),
  revision: revision.optional(),
  save_id: saveId.optional(),
});
export type OverlayDelta = z.infer<typeof overlayDelta>;

export const saveResult = z.strictObject({
  map_uuid: uuid,
  revision: revisionNumber.describe('Of the map after the save'),
  added: countOf('Features added'),
  modified: countOf('Features changed'),
  deleted: countOf('Features deleted'),
  unchanged: countOf('Features sent that were so already'),
  features: z.array(uuid).describe('unique_id of each feature sent, in the order sent (added before modified)'),
  warnings: z.array(z.strictObject({ code: z.enum(['foreign_member_dropped']), message: z.string() })),
});
export type SaveResult = z.infer<typeof saveResult>;

/**
 * A change since the revision that a refused save is based on: an entry of `changed` beside `revision` in the problem
 * body.
 */
export const changeSince = z.strictObject({
  unique_id: uuid.describe('Feature, or the map itself where kind is design'),
  revision: revisionNumber.min(1).describe('The last save that changed it'),
  by: z.string().nullable().describe('Username, null for the service itself'),
  at: timestamp,
  kind: z.enum(['added', 'modified', 'deleted', 'design']),
});
export type ChangeSince = z.infer<typeof changeSince>;

/** More saves of a map, or changes by them, are not looked through and told one by one. */
export const mostChanges = 5_000;

export const overlayChanges = z.strictObject({
  map_uuid: uuid,
  revision: revisionNumber.describe('Of the map'),
  read_whole: z
    .boolean()
    .describe(
      `The map must be read whole, and nothing is listed: there were more than ${mostChanges} saves or changes of features since, it is of an earlier revision than asked for, or its name, view or layers changed and the call did not ask for design`,
    ),
  features: z.array(feature).describe('Those added or changed since, as they are now'),
  deleted: z.array(uuid).describe('Those deleted since'),
  design: designFields
    .optional()
    .describe('Name, view and layers of the map as they are now, where they changed since and the call asked for them'),
});
export type OverlayChanges = z.infer<typeof overlayChanges>;

const bbox = z
  .string()
  .max(200, { abort: true })
  .regex(/^-?\d+(\.\d+)?(,-?\d+(\.\d+)?){3}$/)
  .describe('west,south,east,north in degrees; west above east crosses the 180th meridian');
/** The longest body of a save. */
export const mostSaveBytes = 20 * 1024 * 1024;

/** Refusals of a save, whole or of changes. */
const saveErrors = [
  'not_found',
  'invalid_geometry',
  'revision_conflict',
  'type_immutable',
  'already_placed',
  'duplicate_feature',
  'feature_of_other_map',
  'save_id_reused',
  'shape_in_use',
  'unknown_reference',
  'in_trash',
  'read_only_field',
] as const satisfies ErrorCode[];

export const overlayEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/geo/overlays/list',
    tag: 'overlays',
    summary: 'List the features of all maps',
    access: 'login',
    query: z.strictObject({
      type: featureType.optional(),
      bbox: bbox.optional(),
      unique_id: uuid.optional().describe('The feature of this id alone'),
      limit: z.int().min(1).max(10_000).optional().describe('Default 1000'),
      cursor: z.string().max(100).optional(),
    }),
    answer: z.strictObject({
      features: z.array(feature.extend({ properties: feature.shape.properties.extend({ map_uuid: uuid }) })),
      next_cursor: z.string().nullable(),
    }),
    statuses: [200],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/geo/overlays',
    tag: 'overlays',
    summary: 'Read the features of a map',
    access: 'login',
    query: z.strictObject({ geo_id: uuid, bbox: bbox.optional(), type: featureType.optional() }),
    answer: featureCollection,
    statuses: [200, 304],
    errors: ['not_found'],
  }),
  changes: endpoint({
    method: 'GET',
    path: '/api/geo/overlays/changes',
    tag: 'overlays',
    summary: 'Read what changed on a map since a revision',
    access: 'login',
    query: z.strictObject({
      geo_id: uuid,
      since: revisionNumber.describe('The revision of the map that was read'),
      design: z
        .boolean()
        .optional()
        .describe('true: tells name, view and layers where they changed, in place of read_whole'),
    }),
    answer: overlayChanges,
    statuses: [200],
    errors: ['not_found'],
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/geo/overlays',
    tag: 'overlays',
    summary: 'Save all features of a map: it holds exactly these afterwards',
    access: 'edit_settings',
    query: z.strictObject({
      async: z.boolean().optional().describe('Answers 201 with a job at once, and saves beside the request'),
    }),
    body: overlaySave,
    answer: z.union([saveResult, jobStarted]),
    statuses: [200, 201],
    errors: [...saveErrors, 'empty_save_refused'],
    maxBodyBytes: mostSaveBytes,
  }),
  delta: endpoint({
    method: 'POST',
    path: '/api/geo/overlays/delta',
    tag: 'overlays',
    summary: 'Save only what changed on a map',
    access: 'edit_settings',
    body: overlayDelta,
    answer: saveResult,
    statuses: [200],
    errors: saveErrors,
    maxBodyBytes: mostSaveBytes,
  }),
};
