import { isoOf } from '../../contract/time.ts';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import type { PasswordCheck } from '../../auth/password-check.ts';
import { isEncrypted } from '../../backup/archive.ts';
import { BackupError, faultOf } from '../../backup/backup-error.ts';
import { inThread } from '../../backup/backup-thread.ts';
import { findBackup, installationOf, listBackups, removeBackup, saveCheck } from '../../backup/folder.ts';
import { clearCheck, clearWorkplace, newAttempt, newWork, workplaceOf } from '../../backup/make.ts';
import { abandonRestore, decideRestore, isRestoreDecided, type Staging } from '../../backup/restore.ts';
import { surplus } from '../../backup/rotation.ts';
import type { Backup, BackupFault, BackupPart, BackupResult, backupEndpoints } from '../../contract/backup.ts';
import type { AnswerOf, BodyOf } from '../../contract/endpoint.ts';
import { Refusal } from '../../contract/errors.ts';
import type { Settings } from '../../contract/setting.ts';
import type { JobWork } from '../record/job.ts';
import type { BackupPlanService } from './plan.ts';

interface BackupOptions {
  /** The data directory. */
  directory: string;
  plans: BackupPlanService;
  passwordCheck: Pick<PasswordCheck, 'proveAgain'>;
  audit: AuditSink;
  clock: Now;
  settings: () => Pick<Settings, 'time_zone'>;
  version: string;
  /** How the restore ended that this run of the service began with; null where there was none. */
  lastRestore: BackupResult | null;
  /** Ends the service and starts it anew, which puts back what was decided; undefined where nobody can. */
  restart: (() => void) | undefined;
}

type Listing = AnswerOf<typeof backupEndpoints.list>;
type RestoreAsked = BodyOf<typeof backupEndpoints.restore>;

/** Makes, checks, deletes and puts back backups, one at a time. Names come in lower case. */
export class BackupService {
  readonly #options: BackupOptions;
  readonly #ended = new AbortController();
  #isBusy = false;

  constructor(options: BackupOptions) {
    this.#options = options;
  }

  async list(): Promise<Listing> {
    const { plans, directory, lastRestore: last_restore } = this.#options;
    const { folder, plan, plan_fault, last_result } = plans;
    const shown = { folder, plan, plan_fault, last_result, last_restore, installation: installationOf(directory) };
    try {
      return { ...(await listBackups(folder)), fault: null, ...shown };
    } catch (error) {
      return { backups: [], omitted: 0, fault: folderFault(error, folder), ...shown };
    }
  }

  /** Throws `not_found`. */
  async get(id: string): Promise<Backup> {
    const found = await findBackup(this.#options.plans.folder, id);
    if (found === undefined) throw new Refusal('not_found', 'there is no such backup');
    return found;
  }

  /** Throws `not_found`. */
  async remove(actor: Actor, id: string): Promise<{ backup_id: string; deleted: true }> {
    const before = await this.get(id);
    await removeBackup(this.#options.plans.folder, before);
    this.#options.audit.record({ kind: 'backup.delete', actor, target: id, before });
    return { backup_id: id, deleted: true };
  }

  /** Throws `conflict` while another one is worked on. */
  making(actor: Actor): JobWork {
    return this.#work('backup.create', (signal) => this.#make(actor, 'hand', signal));
  }

  /** Makes one by the plan. Throws `conflict`, `backup_failed`. */
  async makeDue(actor: Actor): Promise<void> {
    const { run } = this.#work('backup.create', (signal) => this.#make(actor, 'schedule', signal));
    await run(() => undefined, this.#ended.signal);
  }

  /** Ends what is worked on: nothing is left of it. */
  stop(): void {
    this.#ended.abort();
  }

  /** How it ended is kept and told, whoever asked. Throws BackupError. */
  async #make(actor: Actor, reason: Backup['reason'], signal: AbortSignal): Promise<Backup> {
    const { plans, clock } = this.#options;
    try {
      const made = await this.#made(reason, signal);
      this.#options.audit.record({ kind: 'backup.create', actor, target: made.backup_id, after: made });
      await this.#removeSurplus();
      plans.noteResult({ at: isoOf(clock()), fault: null });
      return made;
    } catch (error) {
      if (!signal.aborted) plans.noteResult({ at: isoOf(clock()), fault: faultOf(error) });
      throw error;
    }
  }

  async #made(reason: Backup['reason'], signal: AbortSignal): Promise<Backup> {
    const { directory, plans, clock, version: program_version } = this.#options;
    const { folder, plan } = plans;
    const passphrase = plans.passphrase();
    const { measurement_days } = plan;
    const standing = { directory, folder, reason, measurement_days, program_version, now_ms: clock() };
    const asked = { ...standing, passphrase, attempt: newAttempt() };
    try {
      return await inThread('make', asked, { signal, hurry: this.#ended.signal });
    } catch (error) {
      clearWorkplace(workplaceOf(asked));
      throw error;
    }
  }

  /** Of others that share the folder nothing is deleted. */
  async #removeSurplus(): Promise<void> {
    const { directory, plans } = this.#options;
    const { backups } = await listBackups(plans.folder, installationOf(directory));
    for (const one of surplus(backups, plans.plan, (at) => this.#dateOf(at))) await removeBackup(plans.folder, one);
  }

  /** At the site. */
  #dateOf(created_at: string): string {
    const { time_zone } = this.#options.settings();
    return Temporal.Instant.from(created_at).toZonedDateTimeISO(time_zone).toPlainDate().toString();
  }

  /** Throws `not_found`, `conflict`. */
  async checking(actor: Actor, id: string, passphrase: string | undefined): Promise<JobWork> {
    const backup = await this.get(id);
    const { plans, audit, clock } = this.#options;
    return this.#work('backup.check', async (signal) => {
      const { folder } = plans;
      const opening = passphrase ?? (backup.is_encrypted ? plans.passphrase() : null);
      const fault = await this.#faultIn(join(folder, backup.file), opening, signal);
      await saveCheck(folder, id, { at: isoOf(clock()), fault });
      audit.record({ kind: 'backup.check', actor, target: id, after: { fault } });
      return this.get(id);
    });
  }

  /** What is wrong with a file; null where it can be restored. Throws BackupError for what says nothing of the file. */
  async #faultIn(file: string, passphrase: string | null, signal: AbortSignal): Promise<BackupFault | null> {
    const asked = { file, passphrase, work: newWork(this.#options.directory) };
    try {
      await inThread('check', asked, { signal, hurry: this.#ended.signal });
      return null;
    } catch (error) {
      clearCheck(asked);
      if (isOfBackup(error)) return faultOf(error);
      throw error;
    }
  }

  /**
   * Proves the caller and that the service can be started anew. Its result is what will be put back; when it is there, the service is ended.
   * Throws `not_found`, `conflict`, `not_available`, `wrong_password`, `locked_out`.
   */
  async restoring(actor: Actor, id: string, { password, passphrase, history = false }: RestoreAsked): Promise<JobWork> {
    const { directory, plans, audit, clock, passwordCheck, restart } = this.#options;
    const { file: name } = await this.get(id);
    if (restart === undefined) {
      throw new Refusal('not_available', 'this service cannot start itself anew: stop it, and run "orangery restore"');
    }
    this.#refuseDecided();
    await passwordCheck.proveAgain(actor, password);
    const file = join(plans.folder, name);
    return this.#work('backup.restore', async (signal) => {
      this.#refuseDecided();
      const opening = passphrase ?? ((await isEncrypted(file)) ? plans.passphrase() : null);
      const staging = { directory, file, passphrase: opening, history };
      const parts = await this.#staged(staging, signal);
      decideRestore(directory, parts, new Date(clock()));
      audit.record({ kind: 'backup.restore', actor, target: id, after: { parts } });
      setTimeout(restart, restartAfterMs);
      return { parts };
    });
  }

  /** Until the restart what was decided must stay: staging another would erase it. Throws `conflict`. */
  #refuseDecided(): void {
    if (!isRestoreDecided(this.#options.directory)) return;
    throw new Refusal('conflict', 'a restore is decided: wait for the service to start anew');
  }

  async #staged(staging: Staging, signal: AbortSignal): Promise<BackupPart[]> {
    try {
      return await inThread('stage', staging, { signal, hurry: this.#ended.signal });
    } catch (error) {
      abandonRestore(staging.directory);
      throw error;
    }
  }

  /** One at a time: each may need as much room as all databases. */
  #work(kind: JobWork['kind'], run: (signal: AbortSignal) => Promise<unknown>): JobWork {
    if (this.#isBusy) throw busy();
    return {
      kind,
      total: 1,
      run: async (_report, signal) => {
        if (this.#isBusy) throw busy();
        this.#isBusy = true;
        try {
          return await run(AbortSignal.any([signal, this.#ended.signal]));
        } catch (error) {
          if (!(error instanceof BackupError)) throw error;
          throw new Refusal('backup_failed', error.message, { cause: error, members: { fault: faultOf(error) } });
        } finally {
          this.#isBusy = false;
        }
      },
    };
  }
}

function busy(): Refusal {
  return new Refusal('conflict', 'another backup is worked on: wait for it to end');
}

/** Long enough for the page to hear that it was done. */
const restartAfterMs = 1_500;

/** What says something of the file, and not of who asked or of the disk that it was tried on. */
function isOfBackup(error: unknown): boolean {
  return error instanceof BackupError && ['damaged', 'not_a_backup', 'too_new'].includes(error.code);
}

function folderFault(error: unknown, folder: string): BackupFault {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return isMissing ? { code: 'folder_missing', message: `${folder} is not there` } : faultOf(error);
}
