import { mkdir, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import { systemActor } from '../../auth/system-actor.ts';
import { isEncrypted } from '../../backup/archive.ts';
import { BackupError, faultOf } from '../../backup/backup-error.ts';
import { besideName, installationOf, listBackups, namedIn, refuseMissing } from '../../backup/folder.ts';
import { sha256Of, type RemoteFile, type RemoteFolder } from '../../backup/remote-folder.ts';
import { surplus } from '../../backup/rotation.ts';
import { hasRoom } from '../../db/room.ts';
import type { AlarmCondition } from '../../contract/alarm.ts';
import type { Backup } from '../../contract/backup.ts';
import type { BackupTarget, BackupTargetOptions, RemoteBackup } from '../../contract/backup-target.ts';
import { Refusal } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { Settings } from '../../contract/setting.ts';
import { storeFailed } from '../alarm/reported-conditions.ts';
import type { JobWork } from '../record/job.ts';
import { periodically } from '../record/periodic.ts';
import type { BackupPlanService } from './plan.ts';
import type { BackupTargetService } from './target.ts';
import type { BackupUpload } from './upload.ts';
import { refusalOf } from './work.ts';

interface CopiesOptions {
  /** The data directory. */
  directory: string;
  plans: Pick<BackupPlanService, 'plan' | 'plan_fault' | 'folder' | 'passphrase'>;
  targets: BackupTargetService;
  uploads: Pick<BackupUpload, 'takeFile' | 'removeAbandoned'>;
  settings: () => Pick<Settings, 'time_zone'>;
  audit: AuditSink;
  clock: Now;
  /** Monotonic ms for the pauses between attempts, which setting the clock must not extend. */
  elapsed: () => number;
}

const lookEveryMs = 60_000;
const sweepEveryMs = 60 * 60_000;
/** The pause after a failure, doubled with each further one, ms. */
const firstAgainMs = 5 * 60_000;
const longestAgainMs = 4 * 60 * 60_000;
/** A transfer that takes longer is aborted and retried; a list must be complete by its time-out. */
const mostTransferMs = 12 * 60 * 60_000;
const listMs = 60_000;
const mostListed = 500;

/** Copies each backup to the targets, deletes copies that the plan no longer keeps, and fetches one back. */
export class BackupCopies {
  readonly #options: CopiesOptions;
  readonly #ended = new AbortController();
  readonly #busy = new Set<string>();
  /** How often each target failed in a row, and until when it pauses by `elapsed`; reset when the target is changed. */
  readonly #rests = new Map<string, { failures: number; until_ms: number }>();
  #ends: (() => void)[] = [];

  constructor(options: CopiesOptions) {
    this.#options = options;
  }

  start(onFault: (error: unknown) => void): void {
    const { uploads } = this.#options;
    this.#ends = [
      periodically(() => this.look(), { everyMs: lookEveryMs, onFault }),
      periodically(() => uploads.removeAbandoned(), { everyMs: sweepEveryMs, onFault }),
    ];
  }

  stop(): void {
    for (const end of this.#ends) end();
    this.#ended.abort();
  }

  /** Copies the latest backup to each target that lacks it and is not pausing after a failure. */
  async look(): Promise<void> {
    const { targets } = this.#options;
    const latest = await this.#latest().catch(() => undefined);
    if (latest === undefined) return;
    const isDue = (target: BackupTarget): boolean =>
      target.is_enabled &&
      target.copied_id !== latest.backup_id &&
      !this.#busy.has(target.unique_id) &&
      this.#restOf(target).until_ms <= this.#options.elapsed();
    const due = targets.list().filter(isDue);
    await Promise.all(
      due.map(({ unique_id }) => this.#copy(systemActor, unique_id, latest, []).catch(() => undefined)),
    );
  }

  /** Throws `not_found`, `conflict` while a copy is under way or when there is no backup. */
  async copying(actor: Actor, id: string): Promise<JobWork> {
    this.#options.targets.get(id);
    this.#refuseBusy(id);
    const latest = await this.#latest().catch((error: unknown) => {
      throw refusalOf(error);
    });
    if (latest === undefined) throw new Refusal('conflict', why('no_sound_backup'));
    return {
      kind: 'backup.copy',
      total: 1,
      run: async (_report, signal) => {
        await this.#copy(actor, id, latest, [signal]).catch((error: unknown) => {
          throw refusalOf(error);
        });
        return this.#options.targets.get(id);
      },
    };
  }

  /** The backups at a target, latest first. Throws `not_found`, `backup_failed`. */
  async listAt(id: string): Promise<{ backups: RemoteBackup[]; omitted: number }> {
    try {
      const remote = this.#options.targets.open(id);
      const found = backupsIn(await remote.list(AbortSignal.any([this.#ended.signal, AbortSignal.timeout(listMs)])));
      return { backups: found.slice(0, mostListed), omitted: Math.max(0, found.length - mostListed) };
    } catch (error) {
      throw refusalOf(toBackupError(error));
    }
  }

  /** Fetches a backup into the local ones once its restore was rehearsed. Throws `not_found`. */
  fetching(actor: Actor, { id, backup_id, passphrase }: FetchAsked): JobWork {
    const { targets, plans, uploads } = this.#options;
    targets.get(id);
    return {
      kind: 'backup.take',
      total: 1,
      run: async (report, signal) => {
        const uploaded = join(plans.folder, 'uploads');
        const file = join(uploaded, `fetched-${randomUUID()}`); // its own: another fetch of it may be under way
        try {
          refuseMissing(plans.folder);
          const remote = targets.open(id);
          const files = await remote.list(this.#within(signal));
          const found = backupsIn(files).find((one) => one.backup_id === backup_id);
          const listed = files.find(({ name }) => name === found?.file);
          if (listed === undefined) throw new Refusal('not_found', 'it does not lie there');
          await mkdir(uploaded, { recursive: true, mode: 0o700 });
          if (!(await hasRoom(uploaded, listed.bytes))) throw new BackupError('disk_full', 'it would fill the disk');
          await remote.get(listed, file, this.#within(signal));
          const opening = passphrase ?? ((await isEncrypted(file)) ? plans.passphrase() : null);
          const work = uploads.takeFile(actor, { file, file_name: listed.name, passphrase: opening ?? undefined });
          return await work.run(report, signal);
        } catch (error) {
          throw refusalOf(toBackupError(error));
        } finally {
          await rm(file, { force: true });
        }
      },
    };
  }

  /** Records and reports the result. Throws BackupError. */
  async #copy(actor: Actor, id: string, backup: Backup, signals: AbortSignal[]): Promise<void> {
    const { targets, clock, elapsed, audit } = this.#options;
    const target = targets.get(id);
    const { options } = target;
    this.#refuseBusy(id);
    this.#busy.add(id);
    try {
      const remote = targets.open(id);
      const signal = this.#within(...signals);
      await this.#send(remote, backup, signal);
      this.#rests.delete(id);
      targets.noteResult(id, options, { at_ms: clock(), copied_id: backup.backup_id, fault: null, nextTryMs: null });
      audit.record({ kind: 'backup.copy', actor, target: backup.backup_id, after: { backup_target_id: id } });
      await this.#cleanUp({ id, options, remote, backup_id: backup.backup_id, signal });
    } catch (error) {
      const known = toBackupError(error);
      const isEnded = [this.#ended.signal, ...signals].some(({ aborted }) => aborted);
      if (!isEnded) {
        const { failures } = this.#restOf(target);
        const restMs = Math.min(longestAgainMs, firstAgainMs * 2 ** failures);
        this.#rests.set(id, { failures: failures + 1, until_ms: elapsed() + restMs });
        targets.noteResult(id, options, { at_ms: clock(), fault: faultOf(known), nextTryMs: clock() + restMs });
      }
      throw known;
    } finally {
      this.#busy.delete(id);
    }
  }

  #refuseBusy(id: string): void {
    if (this.#busy.has(id)) throw new Refusal('conflict', why('copy_under_way'));
  }

  #restOf({ unique_id, next_try_at }: BackupTarget): { failures: number; until_ms: number } {
    const rest = next_try_at === null ? undefined : this.#rests.get(unique_id);
    return rest ?? { failures: 0, until_ms: -Infinity };
  }

  /**
   * Sends the description after the file, so that a backup with both is complete. A complete file left by a broken
   * attempt is not sent again.
   */
  async #send(remote: RemoteFolder, { backup_id, file }: Backup, signal: AbortSignal): Promise<void> {
    const { folder } = this.#options.plans;
    const there = await remote.list(signal).catch(() => []); // a key may be good for sending alone
    for (const name of [file, besideName(backup_id)]) {
      const path = join(folder, name);
      const { size: bytes } = await stat(path);
      if (name === file && there.some((one) => one.name === name && one.bytes === bytes)) continue;
      await remote.put(name, { file: path, bytes, sha256: await sha256Of(path) }, signal);
    }
  }

  /** A failure is reported separately: the backup itself has arrived. */
  async #cleanUp({ id, options, remote, backup_id, signal }: CleanUp): Promise<void> {
    try {
      await this.#removeSurplus(remote, backup_id, signal);
      this.#options.targets.noteCleanUp(id, options, null);
    } catch (error) {
      if (!signal.aborted) this.#options.targets.noteCleanUp(id, options, faultOf(error));
    }
  }

  /**
   * Deletes by the plan, and only this installation's backups, also partial ones; all complete ones there were sound
   * when they were sent.
   */
  async #removeSurplus(remote: RemoteFolder, sent: string, signal: AbortSignal): Promise<void> {
    const { directory, plans, settings } = this.#options;
    const installation = installationOf(directory);
    const files = await remote.list(signal);
    const known = new Set(files.map(({ name }) => name));
    const own = backupsIn(files).filter(
      (one) => one.installation === installation && known.has(besideName(one.backup_id)),
    );
    const sound = own.map((one) => ({
      ...one,
      program_version: null,
      parts: [],
      left_out: [],
      check: { at: one.created_at, fault: null },
    }));
    const dateOf = (at: string): string =>
      Temporal.Instant.from(at).toZonedDateTimeISO(settings().time_zone).toPlainDate().toString();
    for (const { file, backup_id } of surplus(sound, plans.plan, dateOf)) {
      await remote.remove(file, signal);
      await remote.remove(besideName(backup_id), signal);
    }
    for (const { name } of files) if (isBrokenPut(name, installation, sent)) await remote.remove(name, signal);
  }

  /**
   * The latest sound backup of this installation. Rejects with the system's error about the folder, or when the plan is
   * unreadable.
   */
  async #latest(): Promise<Backup | undefined> {
    const { plans, directory } = this.#options;
    if (plans.plan_fault !== null) throw new BackupError(plans.plan_fault.code, plans.plan_fault.message);
    const { backups } = await listBackups(plans.folder, installationOf(directory));
    return backups.find(({ check }) => check !== null && check.fault === null);
  }

  #within(...signals: AbortSignal[]): AbortSignal {
    return AbortSignal.any([this.#ended.signal, AbortSignal.timeout(mostTransferMs), ...signals]);
  }
}

interface CleanUp {
  id: string;
  options: BackupTargetOptions;
  remote: RemoteFolder;
  /** The backup that was sent. */
  backup_id: string;
  signal: AbortSignal;
}

interface FetchAsked {
  id: string;
  backup_id: string;
  passphrase: string | undefined;
}

/** The condition that the last attempt at a target failed; none for a disabled one. */
export function copyConditions({
  list,
  fault,
}: {
  list: () => BackupTarget[];
  fault: BackupTargetService['fault'];
}): AlarmCondition[] {
  const failed = list().find(({ is_enabled, last_result }) => is_enabled && last_result?.fault != null);
  const message = fault?.message ?? (failed && `${failed.name}: ${failed.last_result?.fault?.message ?? ''}`);
  return message === undefined ? [] : [storeFailed('backup', 'backup_copy_failed', message)];
}

/** A partial file of an earlier backup of this installation; one of `sent` may be under way by another target. */
function isBrokenPut(name: string, installation: string, sent: string): boolean {
  const [whole = name] = name.split('.partial');
  const [named] = whole === name ? [] : namedIn([whole]);
  return named?.installation === installation && named.backup_id !== sent;
}

/** The files whose names are those of backups, latest first. */
function backupsIn(files: readonly RemoteFile[]): RemoteBackup[] {
  const bytesOf = new Map(files.map(({ name, bytes }) => [name, bytes]));
  return namedIn([...bytesOf.keys()]).map((one) => ({
    ...one,
    bytes: Math.min(bytesOf.get(one.file) ?? 0, 1_000_000_000),
  }));
}

function toBackupError(error: unknown): unknown {
  if (error instanceof BackupError || error instanceof Refusal) return error;
  const { code, message } = faultOf(error);
  return new BackupError(code, message, { cause: error });
}
