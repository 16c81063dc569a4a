import { z } from 'zod';
import { controllerWord } from './controller-kinds.ts';
import { endpoint } from './endpoint.ts';
import { errorCode, reasonFields } from './errors.ts';
import { uuid } from './identifier.ts';
import { moment, timestamp } from './time.ts';

const entry = z.strictObject({
  kind: controllerWord,
  settings: z
    .looseObject({ unique_id: uuid, name: z.string().min(1).max(200) })
    .describe('As the settings of that kind are answered: of a secret that it is set, and no more'),
});
export type DeviceFileEntry = z.infer<typeof entry>;

/** Maximum bytes of a file, and of the request that carries it. */
export const mostDeviceFileBytes = 10_000_000;

/** Devices and controllers, to be moved to another machine. Entries refer to each other by `unique_id`. */
export const deviceFile = z.strictObject({
  format: z.literal('orangery-devices'),
  version: z.literal(1).describe('A program refuses a version that it does not know'),
  made_at: timestamp,
  program_version: z.string().max(50),
  entries: z
    .array(entry)
    .max(2_000)
    .refine(
      (list) => new Set(list.map(({ settings }) => settings.unique_id)).size === list.length,
      'must have unique_ids that differ',
    ),
});
export type DeviceFile = z.infer<typeof deviceFile>;

const named = {
  kind: controllerWord,
  name: z.string().max(200),
  from_id: uuid.describe('Its unique_id in the file'),
};

export const deviceFileReport = z.strictObject({
  is_dry_run: z.boolean().describe('true: nothing was made'),
  made: z
    .array(
      z.strictObject({
        ...named,
        unique_id: uuid.nullable().describe('Its own here: ids of a file are never taken over. null in a dry run'),
        without: z.array(z.string().max(200)).describe('Secrets that are to be entered again, by their path'),
      }),
    )
    .describe('In this order. Nothing of it is activated: people do that when they have looked at it'),
  refused: z.array(
    z.strictObject({
      ...named,
      code: errorCode,
      message: z.string().max(2_000).describe('Why it could not be taken'),
      ...reasonFields,
    }),
  ),
});
export type DeviceFileReport = z.infer<typeof deviceFileReport>;

const path = '/api/settings/device_file';
const tag = 'device file';

export const deviceFileEndpoints = {
  read: endpoint({
    method: 'GET',
    path,
    tag,
    access: 'view_settings',
    summary: 'All devices and what controls by them as one file, without secrets',
    answer: deviceFile,
    statuses: [200],
  }),
  take: endpoint({
    method: 'POST',
    path,
    tag,
    access: 'edit_controllers',
    summary: 'Make what a file holds, beside what is there, each with an id of its own and not activated',
    query: z.strictObject({
      dry_run: z
        .boolean()
        .optional()
        .describe('Only tells what would be made; what goes by another entry is checked in its form alone'),
    }),
    body: deviceFile.extend({ made_at: moment }),
    maxBodyBytes: mostDeviceFileBytes,
    answer: deviceFileReport,
    statuses: [200],
  }),
};
