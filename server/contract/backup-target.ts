import { z } from 'zod';
import { backup, backupFault, backupId } from './backup.ts';
import { certificatePem } from './certificate-pem.ts';
import { endpoint } from './endpoint.ts';
import { name, uuid } from './identifier.ts';
import { jobStarted } from './job.ts';
import { countOf } from './quantity.ts';
import { secretSent, secretSet } from './secret.ts';
import { timestamp } from './time.ts';

/** Maximum targets beside the folder. */
export const mostBackupTargets = 5;

const address = z
  .string()
  .max(500, { abort: true })
  .regex(/^https?:\/\/[^\s@?#]+$/, 'must be an http(s) address without a password');
const network = z
  .enum(['public', 'lan'])
  .describe('public: the internet, HTTPS only; lan: also addresses of the local network, and plain HTTP');

const ca = certificatePem
  .optional()
  .describe('Certificate of the server, or the authority that signed it, PEM; without, those that the system knows');

export const webdavOptions = z.strictObject({
  kind: z.literal('webdav'),
  url: address.describe('Of the folder, which must be there'),
  network,
  username: z.string().max(254).describe('Empty where the server asks for none; the secret is its password'),
  ca,
});
export const s3Options = z.strictObject({
  kind: z.literal('s3'),
  url: address.describe('Of the service, without the bucket: https://s3.eu-central-1.amazonaws.com'),
  network,
  region: z
    .string()
    .min(1)
    .max(64, { abort: true })
    .regex(/^[\w-]+$/)
    .describe('us-east-1 where the service has none'),
  bucket: z
    .string()
    .min(3)
    .max(63, { abort: true })
    .regex(/^[a-z0-9][a-z0-9.-]+$/, 'must be the name of a bucket'),
  prefix: z
    .string()
    .max(200, { abort: true })
    .regex(/^(?:[\w.-]+\/)*$/, 'must be empty or end with a slash')
    .describe('Folder in the bucket, e.g. farm/; empty for none'),
  access_key_id: z.string().min(1).max(200).describe('The secret is its secret access key'),
  ca,
});
export const backupTargetOptions = z.discriminatedUnion('kind', [webdavOptions, s3Options]);
export type BackupTargetOptions = z.infer<typeof backupTargetOptions>;
export const backupTargetKinds = ['webdav', 's3'] as const satisfies readonly BackupTargetOptions['kind'][];

const fields = {
  name,
  is_enabled: z.boolean().describe('Gets a copy of each backup'),
  options: backupTargetOptions,
};

export const backupTarget = z.strictObject({
  unique_id: uuid,
  ...fields,
  secret: secretSet.nullable(),
  copied_id: backupId.nullable().describe('The latest backup that lies there'),
  last_result: z
    .strictObject({ at: timestamp, fault: backupFault.nullable() })
    .nullable()
    .describe('Of the last try; fault null: what lies there is what was sent'),
  next_try_at: timestamp.nullable().describe('After a failure; null where there was none'),
  clean_up_fault: backupFault
    .nullable()
    .describe('Why older backups could not be deleted there after the last copy; null where they could'),
});
export type BackupTarget = z.infer<typeof backupTarget>;

const secret = secretSent.nullable().optional();
export const backupTargetCreate = z.strictObject({
  name,
  is_enabled: fields.is_enabled.optional().describe('true when absent'),
  options: backupTargetOptions,
  secret,
});
export type BackupTargetCreate = z.infer<typeof backupTargetCreate>;
export const backupTargetPatch = z.strictObject({ ...z.strictObject(fields).partial().shape, secret });
export type BackupTargetPatch = z.infer<typeof backupTargetPatch>;

/** A backup at a target. */
export const remoteBackup = backup.pick({
  backup_id: true,
  file: true,
  created_at: true,
  reason: true,
  installation: true,
  is_encrypted: true,
  bytes: true,
});
export type RemoteBackup = z.infer<typeof remoteBackup>;

const params = z.strictObject({ backup_target_id: uuid });
const tag = 'backup_targets';
const access = 'edit_users';
const path = '/api/backup_targets';
const one = `${path}/:backup_target_id` as const;

export const backupTargetEndpoints = {
  list: endpoint({
    method: 'GET',
    path,
    tag,
    access,
    summary: 'List where copies of the backups go',
    answer: z.strictObject({ backup_targets: z.array(backupTarget).max(mostBackupTargets) }),
    statuses: [200],
  }),
  create: endpoint({
    method: 'POST',
    path,
    tag,
    access,
    summary: 'Have each backup copied to a WebDAV folder or an S3 bucket',
    body: backupTargetCreate,
    answer: backupTarget,
    statuses: [201],
    errors: ['conflict', 'read_only_field', 'storage_failed'],
  }),
  get: endpoint({
    method: 'GET',
    path: one,
    tag,
    access,
    summary: 'Read one',
    params,
    answer: backupTarget,
    statuses: [200],
    errors: ['not_found'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: one,
    tag,
    access,
    summary: 'Change what is named; the secret stays with the address that it was given for',
    params,
    body: backupTargetPatch,
    answer: backupTarget,
    statuses: [200],
    errors: ['not_found', 'read_only_field', 'storage_failed'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: one,
    tag,
    access,
    summary: 'Copy no more to it; what lies there stays',
    params,
    answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
    statuses: [200],
    errors: ['not_found', 'storage_failed'],
  }),
  copy: endpoint({
    method: 'POST',
    path: `${one}/copy`,
    tag,
    access,
    summary: 'Copy the latest backup to it now, as a job whose result is the target',
    params,
    answer: jobStarted,
    statuses: [201],
    errors: ['not_found', 'conflict'],
  }),
  backups: endpoint({
    method: 'GET',
    path: `${one}/backups`,
    tag,
    access,
    summary: 'List the backups that lie there, the latest first',
    params,
    answer: z.strictObject({
      backups: z.array(remoteBackup).max(500),
      omitted: countOf('Older ones that are not listed'),
    }),
    statuses: [200],
    errors: ['not_found', 'backup_failed'],
  }),
  fetch: endpoint({
    method: 'POST',
    path: `${one}/backups/:backup_id/fetch`,
    tag,
    access,
    summary:
      'Fetch a backup from there, check it by rehearsing its restore, and take it among the backups, as a job whose result is the backup',
    params: z.strictObject({ backup_target_id: uuid, backup_id: backupId }),
    body: z.strictObject({
      passphrase: z.string().min(1).max(1_000).optional().describe('That of the plan when absent'),
    }),
    answer: jobStarted,
    statuses: [201],
    errors: ['not_found', 'conflict'],
  }),
};
