import { shallowRef } from 'vue';
import { backup, backupEndpoints, type Backup, type BackupPlanPatch } from '../../../../server/contract/backup.ts';
import type { AnswerOf } from '../../../../server/contract/endpoint.ts';
import { jobEndpoints, type JobStarted } from '../../../../server/contract/job.ts';
import { useCall } from '../../../client/client.ts';
import { useSession } from '../../../stores/session.ts';
import { useFollowedJob } from '../../../ui/followed-job.ts';
import { useSubmission } from '../../../ui/submission.ts';

/** The list of backups, and the one being made or checked: the service works on one at a time. */
export function useBackups() {
  const call = useCall();
  const session = useSession();
  const { follow } = useFollowedJob({ goesOn: true });
  const loading = useSubmission();
  const working = useSubmission();
  const listing = shallowRef<AnswerOf<typeof backupEndpoints.list> | null>(null);
  /** `new`, or the id of the backup being checked. */
  const worked = shallowRef<string | null>(null);

  async function fetchList(): Promise<void> {
    listing.value = await call(backupEndpoints.list);
  }

  async function load(): Promise<void> {
    if (session.can('edit_users')) await loading.run(fetchList);
  }

  /** Resumes following a job that was started before the page was left. */
  async function resume(): Promise<void> {
    await load();
    const { jobs } = await call(jobEndpoints.list, { query: { limit: 10 } }).catch(() => ({ jobs: [] }));
    const found = jobs.find(({ kind, status }) => kind === 'backup.create' && status === 'running');
    if (found !== undefined && worked.value === null) await work('new', async () => found);
  }

  /** The result of a job; null when it failed (see `working`) or was cancelled. */
  async function work(what: string, begin: () => Promise<Pick<JobStarted, 'job_id'>>): Promise<Backup | null> {
    worked.value = what;
    let made: Backup | null = null;
    await working.run(async () => {
      made = backup.nullable().parse(await follow((await begin()).job_id));
    });
    worked.value = null;
    await load();
    return made;
  }

  return {
    listing,
    loading,
    working,
    worked,
    load,
    resume,
    make: () => work('new', () => call(backupEndpoints.create)),
    check: (backup_id: string) =>
      work(backup_id, () => call(backupEndpoints.check, { params: { backup_id }, body: {} })),
    remove: async (backup_id: string): Promise<void> => {
      await call(backupEndpoints.remove, { params: { backup_id } });
      await fetchList();
    },
    changePlan: async (body: BackupPlanPatch): Promise<void> => {
      await call(backupEndpoints.changePlan, { body });
      await fetchList();
    },
  };
}
