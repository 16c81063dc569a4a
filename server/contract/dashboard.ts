import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { channelNumber, name, uuid } from './identifier.ts';
import { nextCursor, pageQuery } from './page.ts';
import { timestamp } from './time.ts';

/** Columns of the grid that widgets lie on. */
export const gridColumns = 24;
const deepestRow = 1000;

const place = {
  id: z.string().min(1).max(64).describe('1 to 64 characters, unique on the dashboard'),
  title: z.string().trim().max(200).optional(),
  column: z
    .int()
    .min(0)
    .max(gridColumns - 1)
    .describe('Of its left edge, 0 to 23'),
  row: z.int().min(0).max(deepestRow).describe('Of its upper edge, 0 to 1000'),
  columns: z.int().min(1).max(gridColumns).describe('Width, 1 to 24'),
  rows: z.int().min(1).max(100).describe('Height, 1 to 100'),
};

export const measurementSource = z.strictObject({ device_id: uuid, measurement_id: uuid });
export type MeasurementSource = z.infer<typeof measurementSource>;

/** One tile of a dashboard and what it shows. */
export const widget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('value'), ...place, source: measurementSource }),
  z.strictObject({
    kind: z.literal('trend'),
    ...place,
    sources: z.array(measurementSource).min(1).max(20),
    span_s: z
      .int()
      .min(60)
      .max(366 * 86_400)
      .meta({ description: 'How far back, a minute to a year', unit: 's' }),
  }),
  z.strictObject({ kind: z.literal('output'), ...place, device_id: uuid, channel: channelNumber.optional() }),
  z.strictObject({ kind: z.literal('facility'), ...place, facility_uuid: uuid }),
  z.strictObject({ kind: z.literal('map'), ...place, map_uuid: uuid }),
  z.strictObject({ kind: z.literal('alarms'), ...place }),
  z.strictObject({ kind: z.literal('notes'), ...place, category: z.string().max(64).optional() }),
  z.strictObject({ kind: z.literal('text'), ...place, text: z.string().max(10_000) }),
]);
export type Widget = z.infer<typeof widget>;

export const widgets = z
  .array(widget)
  .max(100)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'must have widgets whose ids differ')
  .refine(
    (list) => list.every(({ column, columns }) => column + columns <= gridColumns),
    `must have widgets that end within ${gridColumns} columns`,
  );

/** A page that a user has made. */
export const dashboard = z.strictObject({
  unique_id: uuid,
  name,
  widgets,
  created_at: timestamp,
  updated_at: timestamp,
});
export type Dashboard = z.infer<typeof dashboard>;

export const dashboardCreate = z.strictObject({ name, widgets: widgets.optional() });
export type DashboardCreate = z.infer<typeof dashboardCreate>;

export const dashboardPatch = dashboardCreate.partial().extend({
  unique_id: uuid.optional().describe('Read only, accepted unchanged'),
  created_at: timestamp.optional().describe('Read only, accepted unchanged'),
  updated_at: timestamp.optional().describe('Read only, accepted unchanged'),
});
export type DashboardPatch = z.infer<typeof dashboardPatch>;

const params = z.strictObject({ dashboard_id: uuid });
const tag = 'dashboards';

export const dashboardEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/settings/dashboards',
    tag,
    summary: 'List the own dashboards',
    access: 'login',
    query: z.strictObject(pageQuery),
    answer: z.strictObject({ dashboards: z.array(dashboard), next_cursor: nextCursor }),
    statuses: [200],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/settings/dashboards',
    tag,
    summary: 'Make a dashboard of one’s own, at most 50',
    access: 'login',
    changesState: true,
    body: dashboardCreate,
    answer: dashboard,
    statuses: [201],
    errors: ['unknown_reference', 'conflict'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/settings/dashboards/:dashboard_id',
    tag,
    summary: 'Read an own dashboard',
    access: 'login',
    params,
    answer: dashboard,
    statuses: [200],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/settings/dashboards/:dashboard_id',
    tag,
    summary: 'Change an own dashboard; widgets are replaced whole',
    access: 'login',
    changesState: true,
    params,
    body: dashboardPatch,
    answer: dashboard,
    statuses: [200],
    errors: ['unknown_reference', 'read_only_field'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/settings/dashboards/:dashboard_id',
    tag,
    summary: 'Delete an own dashboard',
    access: 'login',
    changesState: true,
    params,
    answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
    statuses: [200],
  }),
};
