import { codeOf } from '../../contract/code-of.ts';
import { isoOf } from '../../contract/time.ts';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadStream } from 'node:fs';
import { Temporal } from 'temporal-polyfill';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import type { PasswordCheck } from '../../auth/password-check.ts';
import { isEncrypted } from '../../backup/archive.ts';
import { faultOf } from '../../backup/backup-error.ts';
import { findBackup, installationOf, listBackups, removeBackup, saveCheck } from '../../backup/folder.ts';
import { clearCheck, clearWorkplace, newAttempt, newWork, workplaceOf } from '../../backup/make.ts';
import { abandonRestore, decideRestore, formerOf, isRestoreDecided } from '../../backup/restore.ts';
import { surplus } from '../../backup/rotation.ts';
import type { Backup, BackupFault, BackupPart, BackupResult, backupEndpoints } from '../../contract/backup.ts';
import type { AnswerOf, BodyOf } from '../../contract/endpoint.ts';
import { Refusal } from '../../contract/errors.ts';
import { messageOf } from '../../contract/message-of.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { Settings } from '../../contract/setting.ts';
import type { JobWork } from '../record/job.ts';
import type { BackupPlanService } from './plan.ts';
import { isOfFile, type BackupWork } from './work.ts';

interface BackupOptions {
  /** The data directory. */
  directory: string;
  plans: BackupPlanService;
  work: BackupWork;
  passwordCheck: Pick<PasswordCheck, 'proveAgain'>;
  audit: AuditSink;
  clock: Now;
  settings: () => Pick<Settings, 'time_zone'>;
  log: { warn(message: string): void };
  version: string;
  /** How the restore ended with which this run of the service began; null when there was none. */
  lastRestore: BackupResult | null;
  /** Restarts the service, which completes a restore that was decided; undefined when nothing would restart it. */
  restart: (() => void) | undefined;
}

type Listing = AnswerOf<typeof backupEndpoints.list>;
type RestoreAsked = BodyOf<typeof backupEndpoints.restore>;

/** Makes, checks, deletes and restores backups, one at a time. Names arrive in lower case. */
export class BackupService {
  readonly #options: BackupOptions;
  /** Downloads under way. */
  #sending = 0;

  constructor(options: BackupOptions) {
    this.#options = options;
  }

  async list(): Promise<Listing> {
    const { plans, directory, lastRestore: last_restore } = this.#options;
    const { folder, plan, plan_fault, last_result } = plans;
    const { at, parts } = formerOf(directory) ?? { at: null, parts: [] };
    const former = at === null ? null : { at, parts };
    const installation = installationOf(directory);
    const shown = { folder, plan, plan_fault, last_result, last_restore, former, installation };
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

  /** Throws `conflict` while another job runs. */
  making(actor: Actor): JobWork {
    return this.#options.work.job('backup.create', (signal) => this.#make(actor, 'hand', signal));
  }

  /** Makes a scheduled backup. Throws `conflict`, `backup_failed`. */
  async makeDue(actor: Actor): Promise<void> {
    const { work } = this.#options;
    await work.now(work.job('backup.create', (signal) => this.#make(actor, 'schedule', signal)));
  }

  /** Records and reports the result, whoever asked. Throws BackupError. */
  async #make(actor: Actor, reason: Backup['reason'], signal: AbortSignal): Promise<Backup> {
    const { plans, clock } = this.#options;
    try {
      const made = await this.#made(reason, signal);
      this.#options.audit.record({ kind: 'backup.create', actor, target: made.backup_id, after: made });
      plans.noteResult({ at: isoOf(clock()), fault: null });
      await this.#cleanUp();
      return made;
    } catch (error) {
      if (!signal.aborted) plans.noteResult({ at: isoOf(clock()), fault: faultOf(error) });
      throw error;
    }
  }

  async #made(reason: Backup['reason'], signal: AbortSignal): Promise<Backup> {
    const { directory, plans, work, clock, version: program_version } = this.#options;
    const { folder, plan } = plans;
    const passphrase = plans.passphrase();
    const { measurement_days } = plan;
    const standing = { directory, folder, reason, measurement_days, program_version, now_ms: clock() };
    const asked = { ...standing, passphrase, attempt: newAttempt() };
    try {
      return await work.inThread('make', asked, signal);
    } catch (error) {
      clearWorkplace(workplaceOf(asked));
      throw error;
    }
  }

  /** A failure is only logged, and tried again with the next backup: this one is made. */
  async #cleanUp(): Promise<void> {
    try {
      await this.#removeSurplus();
    } catch (error) {
      this.#options.log.warn(`backups that the plan no longer keeps could not be deleted: ${messageOf(error)}`);
    }
  }

  /** Deletes nothing of other installations that share the folder. */
  async #removeSurplus(): Promise<void> {
    const { directory, plans } = this.#options;
    const { backups } = await listBackups(plans.folder, installationOf(directory));
    for (const one of surplus(backups, plans.plan, (at) => this.#dateOf(at))) await removeBackup(plans.folder, one);
  }

  /** Date at the site. */
  #dateOf(created_at: string): string {
    const { time_zone } = this.#options.settings();
    return Temporal.Instant.from(created_at).toZonedDateTimeISO(time_zone).toPlainDate().toString();
  }

  /** Throws `not_found`, `conflict`. */
  async checking(actor: Actor, id: string, passphrase: string | undefined): Promise<JobWork> {
    const backup = await this.get(id);
    const { plans, audit, clock, work } = this.#options;
    return work.job('backup.check', async (signal) => {
      const { folder } = plans;
      const opening = passphrase ?? (backup.is_encrypted ? plans.passphrase() : null);
      const fault = await this.#faultIn(join(folder, backup.file), opening, signal);
      await saveCheck(folder, id, { at: isoOf(clock()), fault });
      audit.record({ kind: 'backup.check', actor, target: id, after: { fault } });
      return this.get(id);
    });
  }

  /** Why a file cannot be restored; null when it can. Throws BackupError for failures that are not the file's. */
  async #faultIn(file: string, passphrase: string | null, signal: AbortSignal): Promise<BackupFault | null> {
    const asked = { file, passphrase, work: newWork(this.#options.directory) };
    try {
      await this.#options.work.inThread('check', asked, signal);
      return null;
    } catch (error) {
      clearCheck(asked);
      if (isOfFile(error)) return faultOf(error);
      throw error;
    }
  }

  /**
   * Checks the caller's password and that the service can be restarted. The job's result is what will be restored; once
   * it is returned, the service restarts. Throws `not_found`, `conflict`, `not_available`, `wrong_password`,
   * `locked_out`.
   */
  async restoring(actor: Actor, id: string, { password, passphrase, history = false }: RestoreAsked): Promise<JobWork> {
    const { directory, plans, work } = this.#options;
    const { file: name } = await this.get(id);
    const file = join(plans.folder, name);
    const stage = async (signal: AbortSignal): Promise<BackupPart[]> => {
      const opening = passphrase ?? ((await isEncrypted(file)) ? plans.passphrase() : null);
      return work.inThread('stage', { directory, file, passphrase: opening, history }, signal);
    };
    return this.#puttingBack(actor, { password, stage, noted: { kind: 'backup.restore', target: id } });
  }

  /** Like `restoring`, with what the last restore set aside. Throws the same. */
  undoing(actor: Actor, password: string): Promise<JobWork> {
    const { directory, work } = this.#options;
    const former = formerOf(directory);
    if (former === null) throw new Refusal('conflict', why('nothing_put_aside'));
    const stage = (signal: AbortSignal) => work.inThread('stageFormer', { directory }, signal);
    return this.#puttingBack(actor, { password, stage, noted: { kind: 'backup.undo', target: former.at } });
  }

  async #puttingBack(actor: Actor, { password, stage, noted }: PuttingBack): Promise<JobWork> {
    const { directory, audit, clock, passwordCheck, restart, work } = this.#options;
    if (restart === undefined) {
      throw new Refusal('not_available', why('cannot_restart'));
    }
    this.#refuseDecided();
    await passwordCheck.proveAgain(actor, password);
    return work.job('backup.restore', async (signal) => {
      this.#refuseDecided();
      const parts = await stage(signal).catch((error: unknown) => {
        abandonRestore(directory);
        throw error;
      });
      decideRestore(directory, parts, new Date(clock()));
      audit.record({ ...noted, actor, after: { parts } });
      setTimeout(restart, restartAfterMs);
      return { parts };
    });
  }

  /** A decided restore must remain until the restart: staging another would erase it. Throws `conflict`. */
  #refuseDecided(): void {
    if (!isRestoreDecided(this.#options.directory)) return;
    throw new Refusal('conflict', why('restore_decided'));
  }

  /** Opens a backup's file for download. Throws `not_found`, `rate_limited`. */
  async download(actor: Actor, id: string): Promise<{ name: string; bytes: number; stream: ReadStream }> {
    const { file: name } = await this.get(id);
    if (this.#sending >= mostSent) {
      throw new Refusal('rate_limited', 'others are being downloaded', { headers: { 'Retry-After': '60' } });
    }
    this.#sending += 1;
    let handle: FileHandle | undefined;
    try {
      handle = await open(join(this.#options.plans.folder, name)).catch((cause: unknown) => {
        throw new Refusal('not_found', 'there is no such backup', { cause });
      });
      const { size: bytes } = await handle.stat();
      // Without a passphrase it holds the whole site: who downloads it must be on record.
      this.#options.audit.record({ kind: 'backup.download', actor, target: id });
      const stream = handle.createReadStream().once('close', () => (this.#sending -= 1));
      return { name, bytes, stream };
    } catch (error) {
      this.#sending -= 1;
      await handle?.close();
      throw error;
    }
  }
}

interface PuttingBack {
  /** The caller's. */
  password: string;
  stage: (signal: AbortSignal) => Promise<BackupPart[]>;
  noted: { kind: string; target: string };
}

/** Each download holds a file open and reads from the disk that measurements are written to. */
const mostSent = 4;
/** Long enough for the page to receive the result. */
const restartAfterMs = 1_500;

function folderFault(error: unknown, folder: string): BackupFault {
  const isMissing = codeOf(error) === 'ENOENT';
  return isMissing ? { code: 'folder_missing', message: `${folder} is not there` } : faultOf(error);
}
