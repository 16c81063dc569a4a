import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { channelNumber, uuid } from './identifier.ts';
import { datedValue, sampleQuality } from './measurement.ts';
import { countOf, epochMs, measured, settable } from './quantity.ts';
import { moment, timestamp } from './time.ts';

/** Maximum points of a series in an answer. */
export const mostPoints = 2000;
/** Maximum series in one call. */
export const mostSeries = 24;

const one = { device_id: uuid, measurement_id: uuid };
const from = moment.describe('Samples of this time and later');
const to = moment.optional().describe('Samples before this time; now when absent');

const id = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const pair = `${id}/${id}`;
const series = z
  .string()
  .regex(
    new RegExp(`^${pair}(,${pair}){0,${mostSeries - 1}}$`),
    `must be device_id/measurement_id, up to ${mostSeries} with commas between`,
  )
  .toLowerCase()
  .describe(`device_id/measurement_id of each series, up to ${mostSeries} with commas between`);

/** Maximum outputs in one export. */
export const mostOutputs = 8;
const output = `${id}/\\d{1,5}`;
const outputs = z
  .string()
  .regex(
    new RegExp(`^${output}(,${output}){0,${mostOutputs - 1}}$`),
    `must be device_id/channel, up to ${mostOutputs} with commas between`,
  )
  .toLowerCase()
  .optional()
  .describe(
    `device_id/channel of outputs, up to ${mostOutputs} with commas between, with series or alone: a column for each, its state in % at every line, empty while unknown, and a line for every change`,
  );
const clock = z
  .enum(['utc', 'site'])
  .optional()
  .describe(
    'Of the times: utc when absent, ISO 8601 to the ms; site: two columns that a spreadsheet reads, the date and time at the site to the second, and its offset from UTC in h, which tells the hours of a clock change apart',
  );
const mostColumns = 2 * mostSeries + mostOutputs;
const columns = z
  .array(z.string().min(1).max(500))
  .max(2 + mostColumns)
  .optional()
  .describe(
    'Headings, exactly one for each column: of clock=site the time and its offset, series, the same earlier, outputs; where absent, names and units as they were entered',
  );
/** Maximum decimals of a value in an export. */
export const mostDecimals = 6;
const decimals = z
  .string()
  .regex(
    new RegExp(`^[0-${mostDecimals}](,[0-${mostDecimals}]){0,${mostColumns - 1}}$`),
    `must be numbers from 0 to ${mostDecimals} with commas between`,
  )
  .optional()
  .describe(
    `Decimals at most, 0 to ${mostDecimals} with commas between, exactly one for each column: series, the same earlier, outputs; where absent ${mostDecimals}, and of a value below 1 six digits`,
  );
const earlier_s = z
  .int()
  .min(1)
  .max(31_622_400)
  .optional()
  .describe('Also a column for each series as it was so many s earlier, at the time so much later; up to a year');

const drawing = {
  points: z
    .int()
    .min(4)
    .max(mostPoints)
    .optional()
    .describe(
      'At most so many points a series, 4 to 2000; 2000 when absent. Four a pixel column lose nothing that can be seen',
    ),
  gap_s: z
    .number()
    .min(0.1)
    .max(31_622_400)
    .optional()
    .describe('Silence of more s breaks the line; three periods of the input when absent, 900 s where it is gone'),
};

const unit = z
  .string()
  .max(16)
  .optional()
  .describe('Unit of the answer, one of GET /api/settings/units; the stored one when absent');

export const resolution = z
  .enum(['raw', 'minute', 'quarter', 'day'])
  .describe('What was read: samples, or rollups of a minute, 15 minutes or a UTC day');

/** A series to draw. */
export const trend = z.strictObject({
  device_id: uuid,
  measurement_id: uuid,
  channel: channelNumber.nullable().describe('null where nothing is known of it'),
  unit: z.string().nullable().describe('Of the values; null where nothing is known of the series'),
  from: timestamp.describe('The span that was read: that asked for, widened to whole rows of the resolution'),
  to: timestamp,
  resolution,
  gap_s: z
    .number()
    .min(0)
    .max(31_622_400)
    .describe('Silence of more s has broken the line, where it is wide enough to be seen'),
  times: z.array(epochMs).describe('Epoch ms, ascending'),
  values: z
    .array(z.number().nullable())
    .describe('In the unit, any finite number; null breaks the line: the sensor was silent'),
});
export type Trend = z.infer<typeof trend>;

export const trends = z.strictObject({ series: z.array(trend).describe('In the order asked for') });

export const bucket = z
  .enum(['minute', 'quarter', 'hour', 'day', 'week', 'month'])
  .describe(
    'Length of a bucket; quarter is 15 minutes; days, weeks (from Monday) and months are those of the site’s time zone',
  );
export type Bucket = z.infer<typeof bucket>;

export const aggregateNames = ['mean', 'min', 'max', 'sum', 'first', 'last', 'count'] as const;
export type AggregateName = (typeof aggregateNames)[number];
const names = aggregateNames.join('|');

const aggregateColumn = z
  .array(measured('In the unit').nullable())
  .optional()
  .describe('Null in a bucket without samples');

export const aggregatedSeries = z.strictObject({
  device_id: uuid,
  measurement_id: uuid,
  channel: channelNumber.nullable(),
  unit: z.string().nullable(),
  mean: aggregateColumn,
  min: aggregateColumn,
  max: aggregateColumn,
  sum: aggregateColumn,
  first: aggregateColumn,
  last: aggregateColumn,
  count: z.array(countOf('Samples in the bucket').nullable()).optional(),
});
export type AggregatedSeries = z.infer<typeof aggregatedSeries>;

const longestBucketMs = 31 * 86_400_000;

export const aggregated = z.strictObject({
  bucket,
  time_zone: z.string().describe('IANA name'),
  times: z
    .array(z.int().min(-longestBucketMs).max(8_640_000_000_000_000))
    .describe(
      'Begin of each bucket, epoch ms; buckets are whole, so the first may begin before the span, and before 1970',
    ),
  series: z.array(aggregatedSeries).describe('In the order asked for; each column is as long as times'),
});
export type Aggregated = z.infer<typeof aggregated>;

export const measurementCreate = z.strictObject({
  ...one,
  value: settable.describe('In the unit of the channel, -1e15 to 1e15'),
  time: moment.optional().describe('Now when absent; not in the future'),
  quality: sampleQuality.optional().describe('good when absent'),
});
export type MeasurementCreate = z.infer<typeof measurementCreate>;

const tag = 'measurements';
const access = 'view_stats';

export const measurementEndpoints = {
  last: endpoint({
    method: 'GET',
    path: '/api/measurements/last',
    tag,
    summary: 'Read the newest value of a series',
    access,
    query: z.strictObject({
      ...one,
      max_age_s: z.number().min(0).max(1e9).optional().describe('null is answered where the newest is older, s'),
    }),
    answer: z.strictObject({ last: datedValue.nullable().describe('null: there is none yet, or none young enough') }),
    statuses: [200],
    errors: ['not_found', 'not_available'],
  }),
  past: endpoint({
    method: 'GET',
    path: '/api/measurements/past',
    tag,
    summary: 'Read a series from so many seconds ago until now; nothing later, whatever the clock said',
    access,
    query: z.strictObject({
      ...one,
      past_s: z.number().min(1).max(1e9).describe('How far back, s'),
      ...drawing,
      unit,
    }),
    answer: trend,
    statuses: [200],
    errors: ['not_found', 'not_available'],
  }),
  historical: endpoint({
    method: 'GET',
    path: '/api/measurements/historical',
    tag,
    summary: 'Read a series over a span, thinned so that its line looks the same',
    access,
    query: z.strictObject({ ...one, from, to, ...drawing, unit }),
    answer: trend,
    statuses: [200],
    errors: ['not_found', 'not_available'],
  }),
  multi: endpoint({
    method: 'GET',
    path: '/api/measurements/multi',
    tag,
    summary: 'Read several series over a span; one that is not known is empty',
    access,
    query: z.strictObject({ series, from, to, ...drawing }),
    answer: trends,
    statuses: [200],
    errors: ['not_available'],
  }),
  aggregated: endpoint({
    method: 'GET',
    path: '/api/measurements/aggregated',
    tag,
    summary: 'Read several series in aligned buckets, at most 2000, exact whatever the span',
    access,
    query: z.strictObject({
      series,
      from,
      to,
      bucket,
      aggregates: z
        .string()
        .regex(
          new RegExp(`^(${names})(,(${names})){0,6}$`),
          `must be some of ${aggregateNames.join(', ')} with commas between`,
        )
        .optional()
        .describe(`Some of ${aggregateNames.join(', ')} with commas between; mean when absent`),
    }),
    answer: aggregated,
    statuses: [200],
    errors: ['not_available'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/measurements/create',
    tag,
    summary:
      'Store a sample of a channel; a second one of the same moment corrects the first. The current reading of an input that is read stays its own',
    access: 'edit_controllers',
    budget: 'sample',
    maxBodyBytes: 16 * 1024,
    body: measurementCreate,
    answer: datedValue,
    statuses: [201],
    errors: ['unknown_reference', 'daemon_unreachable', 'command_failed', 'command_unknown'],
  }),
  csv: endpoint({
    method: 'GET',
    path: '/api/measurements/export.csv',
    tag,
    summary:
      'Download all samples of several series for a spreadsheet: UTF-8 with a mark, a line for each moment and a column, named with its unit and, where two would be called the same, its house, for each series and output; the file is named after site and span',
    access,
    query: z
      .strictObject({ series: series.optional(), outputs, earlier_s, clock, columns, decimals, from, to })
      .refine((sent) => sent.series !== undefined || sent.outputs !== undefined, {
        path: ['series'],
        message: 'or outputs must be given',
      }),
    answer: z.string(),
    isDownload: true,
    statuses: [200],
    stream: 'text/csv',
    errors: ['not_available'],
  }),
};
