import { z } from 'zod';
import { measurementSource } from './dashboard.ts';
import { endpoint } from './endpoint.ts';
import { channelNumber, name, uuid } from './identifier.ts';
import { seriesKey } from './measured.ts';
import { nextCursor, pageQuery } from './page.ts';
import { moment, timestamp } from './time.ts';

/** How far back an earlier time lies that a span is compared with. */
export const trendBack = z.enum(['day', 'week', 'year']);

export const trendComparison = z
  .discriminatedUnion('with', [
    z.strictObject({ with: z.literal('earlier'), back: trendBack }),
    z.strictObject({ with: z.literal('house'), facility_uuid: uuid }),
  ])
  .describe('The same series so much earlier, or the sensors of the same roles in another house');
export type TrendComparison = z.infer<typeof trendComparison>;

const longest_s = 11 * 366 * 86_400;

const shownFields = {
  series: z.array(measurementSource).max(20).describe('In the order of their looks'),
  hidden: z.array(measurementSource).max(20).describe('Those of series that are listed but not drawn'),
  outputs: z.array(z.strictObject({ device_id: uuid, channel: channelNumber })).max(20),
  span_s: z.int().min(60).max(longest_s).meta({ description: 'How far back, a minute to eleven years', unit: 's' }),
  compare: trendComparison.nullable(),
  has_forecast: z.boolean().describe('The weather forecast is drawn ahead of now'),
  degree_base_c: z.number().min(-100).max(100).meta({ description: 'Base of degree hours, -100 to 100', unit: 'C' }),
};
const end = 'End of the span; null: now, going on with time';

/** All that a page of trends shows. */
export const trendShown = z.strictObject({ ...shownFields, ends_at: timestamp.nullable().describe(end) });
export type TrendShown = z.infer<typeof trendShown>;

const trendShownSent = z
  .strictObject({ ...shownFields, ends_at: moment.nullable().describe(end) })
  .refine(({ series, hidden }) => {
    const listed = new Set(series.map(seriesKey));
    return hidden.every((one) => listed.has(seriesKey(one)));
  }, 'must hide only series that it lists');

const is_shared = z.boolean().describe('Everyone who may see trends may open it; only its author changes it');

/** A named view of trends. */
export const trendView = z.strictObject({
  unique_id: uuid,
  name,
  is_shared,
  shown: trendShown,
  author: z.string().describe('Username'),
  is_own: z.boolean().describe('Made by who asks'),
  created_at: timestamp,
  updated_at: timestamp,
});
export type TrendView = z.infer<typeof trendView>;

export const trendViewCreate = z.strictObject({
  name,
  is_shared: is_shared.optional().meta({ default: false }),
  shown: trendShownSent,
});
export type TrendViewCreate = z.infer<typeof trendViewCreate>;

export const trendViewPatch = trendViewCreate.partial().extend({
  unique_id: uuid.optional().describe('Read only, accepted unchanged'),
  author: trendView.shape.author.optional().describe('Read only, accepted unchanged'),
  is_own: trendView.shape.is_own.optional().describe('Read only, accepted unchanged'),
  created_at: timestamp.optional().describe('Read only, accepted unchanged'),
  updated_at: timestamp.optional().describe('Read only, accepted unchanged'),
});
export type TrendViewPatch = z.infer<typeof trendViewPatch>;

const params = z.strictObject({ trend_view_id: uuid });
const tag = 'measurements';
const access = 'view_stats';
const path = '/api/settings/trend_views';

export const trendViewEndpoints = {
  list: endpoint({
    method: 'GET',
    path,
    tag,
    summary: 'List the own views of trends, then those that others share',
    access,
    query: z.strictObject(pageQuery),
    answer: z.strictObject({ trend_views: z.array(trendView), next_cursor: nextCursor }),
    statuses: [200],
  }),
  create: endpoint({
    method: 'POST',
    path,
    tag,
    summary: 'Save a view of trends, at most 50 of one’s own',
    access,
    changesState: true,
    body: trendViewCreate,
    answer: trendView,
    statuses: [201],
    errors: ['unknown_reference', 'conflict'],
  }),
  get: endpoint({
    method: 'GET',
    path: `${path}/:trend_view_id`,
    tag,
    summary: 'Read a view of trends, one’s own or a shared one',
    access,
    params,
    answer: trendView,
    statuses: [200],
  }),
  change: endpoint({
    method: 'PATCH',
    path: `${path}/:trend_view_id`,
    tag,
    summary: 'Change an own view of trends; what it shows is replaced whole',
    access,
    changesState: true,
    params,
    body: trendViewPatch,
    answer: trendView,
    statuses: [200],
    errors: ['unknown_reference', 'read_only_field'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:trend_view_id`,
    tag,
    summary: 'Delete an own view of trends',
    access,
    changesState: true,
    params,
    answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
    statuses: [200],
  }),
};
