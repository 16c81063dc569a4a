import { z } from 'zod';
import { controllerWord } from './controller-kinds.ts';
import { design } from './design.ts';
import { deviceFile, mostDeviceFileBytes } from './device-file.ts';
import { endpoint, type QueryOf } from './endpoint.ts';
import { errorCode, reasonFields } from './errors.ts';
import { facility } from './facility.ts';
import { uuid } from './identifier.ts';
import { notificationTarget } from './notification-target.ts';
import { settings } from './setting.ts';
import { moment, timestamp } from './time.ts';
import { unit } from './unit.ts';

/**
 * Maximum bytes of a file, and of the request that carries it: what the server reads at once. A larger site is moved as
 * a backup.
 */
export const mostSiteFileBytes = mostDeviceFileBytes;

const format = z.literal('orangery-site');
const version = z.literal(1).describe('A program refuses a version that it does not know');

/** The whole configuration of a site. Entries refer to each other by `unique_id`, `map_uuid`, `shape_uuid`. */
export const siteFile = z.strictObject({
  format,
  version,
  made_at: timestamp,
  program_version: z.string().max(50),
  settings: settings.describe('Of the site and the map; of a secret that it is set, and no more'),
  units: z.array(unit).describe('That people added'),
  notification_targets: z
    .array(notificationTarget.omit({ waiting: true, last_result: true }))
    .describe('Where alarms are sent to, without passwords'),
  devices: deviceFile.shape.entries.describe('Devices and what controls by them, programs of houses too'),
  maps: z.array(design).describe('With what is drawn on them'),
  facilities: z.array(facility).describe('Houses, with their envelope and what is bound to them'),
});
export type SiteFile = z.infer<typeof siteFile>;

const named = z.looseObject({ unique_id: uuid, name: z.string().min(1).max(200) });

/** What may be sent: an absent part imports nothing, and each entry is checked separately. */
export const siteFileSent = z.strictObject({
  format,
  version,
  made_at: moment.optional(),
  program_version: siteFile.shape.program_version.optional(),
  settings: z.record(z.string().max(64), z.unknown()).optional().describe('As `settings` of the schema'),
  units: z
    .array(z.looseObject({ unique_id: uuid }))
    .max(500)
    .optional(),
  notification_targets: z.array(named).max(500).optional(),
  devices: deviceFile.shape.entries.optional(),
  maps: z
    .array(z.looseObject({ map_uuid: uuid, name: z.string().min(1).max(200), features: z.unknown() }))
    .max(500)
    .optional(),
  facilities: z.array(named).max(2_000).optional(),
});
export type SiteFileSent = z.infer<typeof siteFileSent>;

export const siteEntryKind = z.enum(['unit', 'notification_target', 'map', 'facility', ...controllerWord.options]);
export type SiteEntryKind = z.infer<typeof siteEntryKind>;

const entry = {
  kind: siteEntryKind,
  name: z.string().max(200),
  from_id: uuid.describe('Its id in the file'),
};

export const settingOutcomes = ['taken', 'kept', 'refused'] as const;

export const siteFileReport = z.strictObject({
  is_dry_run: z.boolean().describe('true: nothing was made or changed'),
  made: z
    .array(
      z.strictObject({
        ...entry,
        unique_id: uuid
          .nullable()
          .describe('Its id here: that of the file where it was free, else another. null in a dry run'),
        was_activated: z
          .boolean()
          .describe('In the file. Here nothing is: people activate it when they have looked at it'),
        without: z
          .array(z.string().max(300))
          .describe(
            'Paths of what did not come: secrets, which are to be entered again, and devices that are not here',
          ),
      }),
    )
    .describe('In this order'),
  kept: z
    .array(z.strictObject({ ...entry, is_same: z.boolean().describe('false: it differs from that of the file') }))
    .describe('What has the same id here and was left as it is; what names it in the file goes by that'),
  refused: z.array(
    z.strictObject({
      ...entry,
      code: errorCode,
      message: z.string().max(2_000).describe('Why it could not be taken'),
      ...reasonFields,
    }),
  ),
  settings: z
    .array(
      z.strictObject({
        path: z.string().max(300),
        outcome: z.enum(settingOutcomes).describe('kept: it is set otherwise here'),
        message: z.string().max(2_000).nullable().describe('Why it was refused'),
        code: errorCode.optional().describe('Of a refused one'),
        ...reasonFields,
      }),
    )
    .describe('Those that differ from those of here'),
});
export type SiteFileReport = z.infer<typeof siteFileReport>;

const path = '/api/site_file';
const tag = 'site file';
const access = 'edit_users';

export const siteFileEndpoints = {
  read: endpoint({
    method: 'GET',
    path,
    tag,
    access,
    summary:
      'The whole configuration as one file, without secrets, accounts with their dashboards and views, records and measurements',
    answer: siteFile,
    statuses: [200],
  }),
  schema: endpoint({
    method: 'GET',
    path: `${path}/schema`,
    tag,
    access: 'login',
    summary: 'The JSON Schema (2020-12) of such a file',
    answer: z.looseObject({ $schema: z.string() }),
    statuses: [200],
  }),
  take: endpoint({
    method: 'POST',
    path,
    tag,
    access,
    summary:
      'Make what a file holds and is not here yet; nothing is overwritten unless that is asked for, nothing activated',
    query: z.strictObject({
      dry_run: z
        .boolean()
        .optional()
        .describe('Only tells what would be made; what goes by another entry is checked in its form alone'),
      copies: z
        .boolean()
        .optional()
        .describe(
          'Makes everything anew with ids of its own, also what is here already; maps and houses get a number behind a name that is taken',
        ),
      replace_settings: z.boolean().optional().describe('Settings of the file also replace those that were set here'),
    }),
    body: siteFileSent,
    maxBodyBytes: mostSiteFileBytes,
    answer: siteFileReport,
    statuses: [200],
  }),
};
export type SiteFileChoices = QueryOf<typeof siteFileEndpoints.take>;
