import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { uuid } from './identifier.ts';
import { jobStarted } from './job.ts';
import { countOf } from './quantity.ts';
import { secretSent, secretSet } from './secret.ts';
import { timestamp } from './time.ts';

/** The databases that a backup can hold. */
export const backupParts = ['orangery.db', 'control.db', 'measurements.db'] as const;
const part = z.enum(backupParts);
export type BackupPart = z.infer<typeof part>;

export const backupReasons = ['schedule', 'hand'] as const;

/** Why a backup could not be made, checked or restored. */
export const backupFaultCodes = [
  'folder_missing',
  'folder_unwritable',
  'disk_full',
  'database_unreadable',
  'not_a_backup',
  'damaged',
  'too_new',
  'passphrase_needed',
  'wrong_passphrase',
  'daemon_runs',
  'plan_unreadable',
  'already_there',
  'target_unreachable',
  'target_refused',
  'target_missing',
  'target_full',
  'target_failed',
  'failed',
] as const;
export const backupFault = z.strictObject({
  code: z.enum(backupFaultCodes),
  message: z.string().max(500).describe('What the program or the disk said'),
});
export type BackupFault = z.infer<typeof backupFault>;

export const backupId = z
  .string()
  .max(60, { abort: true })
  .regex(/^orangery-\d{8}t\d{6}z-(?:schedule|hand)(?:-[\da-f]{8})?$/)
  .describe('Name of the file without its ending')
  .meta({ examples: ['orangery-20261123t030000z-schedule-0c5e91f2'] });

const installation = z
  .string()
  .regex(/^[\da-f]{8}$/)
  .describe('Tells the data directories apart that share a folder of backups');

export const backup = z.strictObject({
  backup_id: backupId,
  file: z.string().describe('In the folder of the backups'),
  created_at: timestamp,
  reason: z.enum(backupReasons),
  installation: installation
    .nullable()
    .describe('That made it; null of one that does not say. Only its own are ever deleted by the plan'),
  bytes: countOf('Size of the file, or that where it is larger, bytes'),
  is_encrypted: z.boolean(),
  program_version: z.string().nullable().describe('That made it; null where the file beside it is missing'),
  parts: z.array(part).describe('What it holds; empty where the file beside it is missing'),
  left_out: z
    .array(z.strictObject({ part, message: z.string().max(500) }))
    .describe('Databases that could not be read when it was made'),
  check: z
    .strictObject({ at: timestamp, fault: backupFault.nullable() })
    .nullable()
    .describe(
      'When it was last unpacked into a scratch folder and each database opened there; fault null: it was sound',
    ),
});
export type Backup = z.infer<typeof backup>;

const planFields = {
  is_enabled: z.boolean().describe('Makes a backup every day'),
  at_min: z
    .int()
    .min(0)
    .max(1_439)
    .meta({ description: 'When, as a minute of the day in the zone of the site, 0 to 1439', unit: 'min' }),
  folder: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .nullable()
    .describe('Of this machine, e.g. on a USB disk; it must be there. Null: the folder backups of the data directory'),
  measurement_days: z.int().min(1).max(3_650).nullable().meta({
    description: 'So many days of samples and minute averages, 1 to 3650; longer averages always. Null: all',
    unit: 'd',
  }),
  keep_days: z.int().min(1).max(60).describe('Automatic ones of the last days that have one, one each, 1 to 60'),
  keep_weeks: z.int().min(0).max(52).describe('Automatic ones of the last weeks, one each, 0 to 52'),
  keep_months: z.int().min(0).max(60).describe('Automatic ones of the last months, one each, 0 to 60'),
};
export const backupPlanSettings = z.strictObject(planFields);
export type BackupPlanSettings = z.infer<typeof backupPlanSettings>;

export const backupPlan = z.strictObject({
  ...planFields,
  passphrase: secretSet.nullable().describe('Backups are encrypted where there is one'),
});
export type BackupPlan = z.infer<typeof backupPlan>;

export const backupPlanPatch = z.strictObject({
  ...backupPlanSettings.partial().shape,
  passphrase: secretSent
    .nullable()
    .optional()
    .describe('10 to 1000 characters; the backup cannot be restored without it'),
});
export type BackupPlanPatch = z.infer<typeof backupPlanPatch>;

export const backupResult = z.strictObject({
  at: timestamp,
  fault: backupFault.nullable().describe('Null: it was made and found sound'),
});
export type BackupResult = z.infer<typeof backupResult>;

/** Maximum bytes of one part of an upload. */
export const mostBackupPartBytes = 8 * 1024 * 1024;
const mostUploadBytes = 1_000_000_000_000;
const typedPassword = z.string().min(1).max(1_000).describe('Of who asks for it');
const typedPassphrase = z.string().min(1).max(1_000).optional().describe('That of the plan when absent');
const params = z.strictObject({ backup_id: backupId });
const tag = 'backups';
const access = 'edit_users';
const one = '/api/backups/:backup_id';

export const backupEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/backups',
    tag,
    access,
    summary: 'List the backups of the folder, the latest first, with the plan by which they are made',
    answer: z.strictObject({
      backups: z.array(backup).max(500),
      omitted: countOf('Older ones in the folder that are not listed'),
      installation: installation.describe('Of this service'),
      folder: z.string().describe('Where they lie on this machine'),
      fault: backupFault.nullable().describe('Why the folder cannot be read'),
      plan: backupPlan,
      plan_fault: backupFault
        .nullable()
        .describe('Why the stored plan cannot be read: none is made until it is sent anew, with folder and passphrase'),
      last_result: backupResult.nullable().describe('Of the last one that was to be made'),
      last_restore: backupResult.nullable().describe('Of the one that this run of the service began with; null: none'),
      former: z
        .strictObject({ at: timestamp, parts: z.array(part) })
        .nullable()
        .describe('What the last restore put aside, and when: it can be had back. Null where there is nothing of it'),
    }),
    statuses: [200],
  }),
  changePlan: endpoint({
    method: 'PATCH',
    path: '/api/backups/plan',
    tag,
    access,
    summary: 'Change when backups are made, where they lie and how many are kept',
    body: backupPlanPatch,
    answer: backupPlan,
    statuses: [200],
    errors: ['read_only_field', 'storage_failed'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/backups',
    tag,
    access,
    summary: 'Make a backup now, as a job whose result is the backup',
    answer: jobStarted,
    statuses: [201],
    errors: ['conflict'],
  }),
  get: endpoint({
    method: 'GET',
    path: one,
    tag,
    access,
    summary: 'Read one',
    params,
    answer: backup,
    statuses: [200],
    errors: ['not_found'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: one,
    tag,
    access,
    summary: 'Delete a backup',
    params,
    answer: z.strictObject({ backup_id: backupId, deleted: z.literal(true) }),
    statuses: [200],
    errors: ['not_found', 'storage_failed'],
  }),
  check: endpoint({
    method: 'POST',
    path: `${one}/check`,
    tag,
    access,
    summary: 'Rehearse its restore in a scratch folder, as a job whose result is the backup',
    params,
    body: z.strictObject({ passphrase: typedPassphrase }),
    answer: jobStarted,
    statuses: [201],
    errors: ['conflict', 'not_found'],
  }),
  restore: endpoint({
    method: 'POST',
    path: `${one}/restore`,
    tag,
    access,
    summary:
      'Put the configuration back, as a job: when it is done outputs go to their safe state, the service starts anew and all log-ins end',
    params,
    body: z.strictObject({
      password: typedPassword,
      passphrase: typedPassphrase,
      history: z
        .boolean()
        .optional()
        .describe(
          'Alarms, checks and measurements too: what was recorded since is put aside. Otherwise only where theirs are lost',
        ),
    }),
    answer: jobStarted,
    statuses: [201],
    errors: ['conflict', 'not_found', 'wrong_password', 'locked_out', 'not_available'],
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/backups/undo',
    tag,
    access,
    summary: 'Put back what the last restore put aside, as a job that ends as a restore does',
    body: z.strictObject({ password: typedPassword }),
    answer: jobStarted,
    statuses: [201],
    errors: ['conflict', 'wrong_password', 'locked_out', 'not_available'],
  }),
  download: endpoint({
    method: 'GET',
    path: `${one}/file`,
    tag,
    access,
    summary: 'The file of a backup, to keep elsewhere or to take to another machine',
    params,
    answer: z.unknown(),
    stream: 'application/octet-stream',
    isDownload: true,
    statuses: [200],
    errors: ['not_found'],
  }),
  upload: endpoint({
    method: 'POST',
    path: '/api/backups/upload',
    tag,
    access,
    summary: 'Send the next part of the file of a backup, which is taken in by a call of its own when it is whole',
    query: z.strictObject({
      upload_id: uuid.describe('Made by who sends it'),
      offset: z.int().min(0).max(mostUploadBytes).describe('Bytes that were sent before, 0 begins anew'),
      total_bytes: z.int().min(1).max(mostUploadBytes).describe('Of the whole file'),
    }),
    body: z.strictObject({
      file: z
        .string()
        .describe(`A part of at most ${mostBackupPartBytes} bytes, as multipart/form-data with one part named file`),
    }),
    takesFile: true,
    answer: z.strictObject({
      received_bytes: z
        .int()
        .min(0)
        .max(mostUploadBytes)
        .describe('Of the file so far, bytes; also in a refusal with conflict'),
    }),
    statuses: [200],
    errors: ['conflict', 'unreadable_file', 'storage_failed', 'backup_failed'],
    maxBodyBytes: mostBackupPartBytes,
  }),
  take: endpoint({
    method: 'POST',
    path: '/api/backups/upload/take',
    tag,
    access,
    summary:
      'Check an uploaded file by rehearsing its restore, and take it among the backups, as a job whose result is the backup',
    body: z.strictObject({
      upload_id: uuid,
      file_name: z.string().max(300).describe('Under which it came; it may tell who made it'),
      passphrase: typedPassphrase,
    }),
    answer: jobStarted,
    statuses: [201],
    errors: ['conflict', 'not_found'],
  }),
};
