import { backupEndpoints } from '../../contract/backup.ts';
import type { Actor } from '../../auth/actor.ts';
import type { JobStarted } from '../../contract/job.ts';
import type { BackupPlanService } from '../../services/backup/plan.ts';
import type { BackupUpload } from '../../services/backup/upload.ts';
import type { BackupService } from '../../services/backup/backup.ts';
import type { JobRunner, JobWork } from '../../services/record/job.ts';
import { backupTargetEndpoints } from '../../contract/backup-target.ts';
import type { BackupCopies } from '../../services/backup/copies.ts';
import type { BackupTargetService } from '../../services/backup/target.ts';
import { defineFileRoute, defineRoute, RawFile, Reply, type Route } from '../route.ts';

export interface BackupServices {
  backups: BackupService;
  backupUpload: BackupUpload;
  backupPlans: BackupPlanService;
  backupTargets: BackupTargetService;
  backupCopies: BackupCopies;
  jobs: JobRunner;
}

type Begin = (actor: Actor, work: JobWork) => Reply<JobStarted>;

export function backupRoutes({ backups, backupUpload, backupPlans, jobs, ...copies }: BackupServices): Route[] {
  const begin: Begin = (actor, work) => {
    const job_id = jobs.begin(actor, work);
    return new Reply(201, { job_id }, { Location: `/api/jobs/${job_id}` });
  };
  return [
    defineRoute(backupEndpoints.list, () => backups.list()),
    defineRoute(backupEndpoints.changePlan, ({ body, actor }) => backupPlans.change(actor, body)),
    defineRoute(backupEndpoints.create, ({ actor }) => begin(actor, backups.making(actor))),
    defineRoute(backupEndpoints.get, ({ params }) => backups.get(params.backup_id)),
    defineRoute(backupEndpoints.remove, ({ params, actor }) => backups.remove(actor, params.backup_id)),
    defineRoute(backupEndpoints.check, async ({ params, body, actor }) =>
      begin(actor, await backups.checking(actor, params.backup_id, body.passphrase)),
    ),
    defineRoute(backupEndpoints.restore, async ({ params, body, actor }) =>
      begin(actor, await backups.restoring(actor, params.backup_id, body)),
    ),
    defineRoute(backupEndpoints.undo, async ({ body, actor }) =>
      begin(actor, await backups.undoing(actor, body.password)),
    ),
    defineRoute(backupEndpoints.download, async ({ params, actor }) => {
      const { name, bytes, stream } = await backups.download(actor, params.backup_id);
      const headers = { 'Content-Disposition': `attachment; filename="${name}"` };
      return new Reply(200, new RawFile(stream, bytes), headers);
    }),
    defineFileRoute(backupEndpoints.upload, ({ query, body: { file } }) =>
      backupUpload.receive(query, typeof file === 'string' ? Buffer.from(file) : file),
    ),
    defineRoute(backupEndpoints.take, async ({ body, actor }) => begin(actor, await backupUpload.taking(actor, body))),
    ...targetRoutes(copies, begin),
  ];
}

function targetRoutes(
  { backupTargets: targets, backupCopies: copies }: Pick<BackupServices, 'backupTargets' | 'backupCopies'>,
  begin: Begin,
): Route[] {
  return [
    defineRoute(backupTargetEndpoints.list, () => ({ backup_targets: targets.list() })),
    defineRoute(backupTargetEndpoints.create, ({ body, actor }) => {
      const made = targets.create(actor, body);
      return new Reply(201, made, { Location: `/api/backup_targets/${made.unique_id}` });
    }),
    defineRoute(backupTargetEndpoints.get, ({ params }) => targets.get(params.backup_target_id)),
    defineRoute(backupTargetEndpoints.change, ({ params, body, actor }) =>
      targets.change(actor, params.backup_target_id, body),
    ),
    defineRoute(backupTargetEndpoints.remove, ({ params, actor }) => {
      targets.remove(actor, params.backup_target_id);
      return { unique_id: params.backup_target_id, deleted: true as const };
    }),
    defineRoute(backupTargetEndpoints.copy, async ({ params, actor }) =>
      begin(actor, await copies.copying(actor, params.backup_target_id)),
    ),
    defineRoute(backupTargetEndpoints.backups, ({ params }) => copies.listAt(params.backup_target_id)),
    defineRoute(backupTargetEndpoints.fetch, ({ params, body, actor }) =>
      begin(
        actor,
        copies.fetching(actor, {
          id: params.backup_target_id,
          backup_id: params.backup_id,
          passphrase: body.passphrase,
        }),
      ),
    ),
  ];
}
