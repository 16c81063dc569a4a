import { z } from 'zod';
import { designFields, layers } from './design-fields.ts';
import { endpoint } from './endpoint.ts';
import { name, uuid, trashDays } from './identifier.ts';
import { feature, featureCollection, featureType } from './overlay.ts';
import { countOf, revisionNumber } from './quantity.ts';
import { nextCursor, pageQuery } from './page.ts';
import { timestamp } from './time.ts';

const { lat, lng, zoom } = designFields.shape;

export const design = z.strictObject({
  map_uuid: uuid,
  ...designFields.shape,
  features: featureCollection,
  revision: revisionNumber.describe('Rises with every save that changed something'),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Design = z.infer<typeof design>;

/** A map as a save of its own fields left it. */
export const savedDesign = design.extend({
  features: featureCollection.optional().describe('Absent where the call asked for none'),
});

export const designListed = design.omit({ layers: true, features: true }).extend({
  feature_count: countOf('Features on the map'),
  facility_count: countOf('Facilities on the map'),
  deleted_at: timestamp.optional().describe('Of a map in the trash'),
});
export type DesignListed = z.infer<typeof designListed>;

export const designSave = z
  .strictObject({
    map_uuid: uuid.optional(),
    name: name.optional().describe('Needed for a new map'),
    lat: lat.optional().describe('Needed for a new map'),
    lng: lng.optional().describe('Needed for a new map'),
    zoom: zoom.optional().describe('Needed for a new map'),
    layers: z
      .strictObject({ base: layers.shape.base.nullable(), overlays: layers.shape.overlays.nullable() })
      .optional()
      .describe('What is not named stays; null clears'),
    revision: revisionNumber.optional().describe('The revision that the change is based on'),
    features: featureCollection.optional().describe('Read only, accepted unchanged; saved by /api/geo/overlays'),
    created_at: timestamp.optional().describe('Read only, accepted unchanged'),
    updated_at: timestamp.optional().describe('Read only, accepted unchanged'),
  })
  .meta({ 'x-required-on-create': ['name', 'lat', 'lng', 'zoom'] });
export type DesignSave = z.infer<typeof designSave>;

/** What a large map looks like from far away, of a small part of its bytes: small features as square cells. */
export const mapSketch = z.strictObject({
  map_uuid: uuid,
  revision: revisionNumber.describe('Of the map when it was sketched'),
  layers,
  west: z.number().min(-180).max(180).describe('Left edge of the cells, degrees'),
  south: z.number().min(-90).max(90).describe('Lower edge of the cells, degrees'),
  cell_deg: z.number().positive().max(1).describe('Side of a cell, degrees'),
  blocks: z
    .array(
      z.strictObject({
        type: featureType,
        runs: z.array(z.int().min(0).max(1_000)).describe('Column, row and length of each run of cells, from 0'),
      }),
    )
    .describe('Cells that small features of a type cover'),
  shapes: z.array(feature).max(2_000).describe('Features of 8 cells or more; where those are too many, the largest'),
});
export type MapSketch = z.infer<typeof mapSketch>;

/** One save of a map and what it changed. */
export const mapRevision = z.strictObject({
  revision: revisionNumber.min(1).describe('What the map had after the save'),
  kind: z.enum(['design', 'full', 'delta', 'restore']).describe('design: name, view or layers'),
  user_id: uuid.nullable(),
  username: z.string().nullable().describe('null for the service itself'),
  at: timestamp,
  added: countOf('Features added'),
  modified: countOf('Features changed'),
  deleted: countOf('Features deleted'),
});
export type MapRevision = z.infer<typeof mapRevision>;

const params = z.strictObject({ map_uuid: uuid });

export const designEndpoints = {
  init: endpoint({
    method: 'GET',
    path: '/api/geo/init_design',
    tag: 'designs',
    summary: 'Make an empty map; one never saved is removed after a day',
    access: 'edit_settings',
    answer: z.strictObject({ map_uuid: uuid }),
    statuses: [201],
    changesState: true,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/geo/designs',
    tag: 'designs',
    summary: 'List the maps',
    access: 'login',
    query: z.strictObject({ trash: z.boolean().optional().describe('Those in the trash instead'), ...pageQuery }),
    answer: z.strictObject({ designs: z.array(designListed), next_cursor: nextCursor }),
    statuses: [200],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/geo/designs/:map_uuid',
    tag: 'designs',
    summary: 'Read a map with its features',
    access: 'login',
    params,
    answer: design,
    statuses: [200],
    errors: ['not_found'],
  }),
  sketch: endpoint({
    method: 'GET',
    path: '/api/geo/designs/:map_uuid/sketch',
    tag: 'designs',
    summary: 'Read what a map of more than 5,000 features looks like from far away; of a smaller one it is empty',
    access: 'login',
    params,
    answer: mapSketch,
    statuses: [200],
    errors: ['not_found'],
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/geo/designs',
    tag: 'designs',
    summary: 'Make or change a map',
    access: 'edit_settings',
    query: z.strictObject({
      features: z.boolean().optional().describe('false: answers without the features, which of a large map take long'),
    }),
    body: designSave,
    answer: savedDesign,
    statuses: [200, 201],
    errors: ['in_trash', 'revision_conflict', 'read_only_field'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/geo/designs/:map_uuid',
    tag: 'designs',
    summary: `Put a map and its facilities into the trash for ${trashDays} days`,
    access: 'edit_settings',
    params,
    answer: z.strictObject({ map_uuid: uuid, deleted: z.literal(true), deleted_facilities: z.array(uuid) }),
    statuses: [200],
    errors: ['not_found'],
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/geo/designs/:map_uuid/restore',
    tag: 'designs',
    summary: 'Bring a map back from the trash, whole',
    access: 'edit_settings',
    params,
    answer: design,
    statuses: [200],
    errors: ['not_found', 'conflict'],
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/geo/designs/:map_uuid/history',
    tag: 'designs',
    summary: 'List the saves of a map, newest first',
    access: 'login',
    params,
    query: z.strictObject({
      limit: z.int().min(1).max(1000).optional().describe('Default 100'),
      cursor: z.string().max(100).optional().describe('next_cursor of the page before'),
    }),
    answer: z.strictObject({ history: z.array(mapRevision), next_cursor: z.string().nullable() }),
    statuses: [200],
    errors: ['not_found'],
  }),
  revision: endpoint({
    method: 'GET',
    path: '/api/geo/designs/:map_uuid/history/:revision',
    tag: 'designs',
    summary: 'Read a map as it was after an earlier save; revision 0 is the map before its first save',
    access: 'login',
    params: params.extend({ revision: revisionNumber.describe('A revision of the history') }),
    answer: design,
    statuses: [200],
    errors: ['not_found'],
  }),
  restoreRevision: endpoint({
    method: 'POST',
    path: '/api/geo/designs/:map_uuid/history/:revision/restore',
    tag: 'designs',
    summary:
      'Bring back the state after an earlier save, as a new revision; revision 0 is the map before its first save',
    access: 'edit_settings',
    params: params.extend({ revision: revisionNumber.describe('A revision of the history') }),
    answer: design,
    statuses: [200],
    errors: ['not_found', 'shape_in_use', 'feature_of_other_map', 'already_placed'],
  }),
};
