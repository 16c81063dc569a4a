import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import { isEncrypted, startsAsBackup } from '../../backup/archive.ts';
import { installationIn, refuseMissing, takeIn } from '../../backup/folder.ts';
import { clearCheck, newWork } from '../../backup/make.ts';
import type { Backup, backupEndpoints } from '../../contract/backup.ts';
import type { AnswerOf, BodyOf, QueryOf } from '../../contract/endpoint.ts';
import { Refusal } from '../../contract/errors.ts';
import { isoOf } from '../../contract/time.ts';
import { FileParts } from '../record/file-parts.ts';
import type { JobWork } from '../record/job.ts';
import type { BackupPlanService } from './plan.ts';
import { isOfFile, refusalOf, type BackupWork } from './work.ts';

interface UploadOptions {
  /** The data directory. */
  directory: string;
  plans: Pick<BackupPlanService, 'folder' | 'passphrase'>;
  work: BackupWork;
  audit: AuditSink;
  clock: Now;
}

type Asked = BodyOf<typeof backupEndpoints.take>;

interface TakenFile extends Pick<Asked, 'file_name' | 'passphrase'> {
  /** The full path. */
  file: string;
}

/** Backups from another machine or disk: they arrive in parts, and join the others once their restore was rehearsed. */
export class BackupUpload {
  readonly #options: UploadOptions;
  readonly #parts: FileParts;

  constructor(options: UploadOptions) {
    this.#options = options;
    // On the disk of the backups, so that a complete one is moved in by a rename.
    this.#parts = new FileParts({ folder: () => join(options.plans.folder, 'uploads'), now: options.clock });
  }

  /** Removes uploads and fetches that broke off a day ago. */
  removeAbandoned(): Promise<void> {
    return this.#parts.removeAbandoned();
  }

  /** Takes the next part. Throws `unreadable_file`, `backup_failed`, and the errors of `FileParts`. */
  async receive(
    { upload_id, ...part }: QueryOf<typeof backupEndpoints.upload>,
    bytes: Uint8Array,
  ): Promise<AnswerOf<typeof backupEndpoints.upload>> {
    try {
      refuseMissing(this.#options.plans.folder);
    } catch (error) {
      throw refusalOf(error);
    }
    if (part.offset === 0 && !startsAsBackup(bytes)) {
      throw new Refusal('unreadable_file', 'it does not begin as a backup does');
    }
    return this.#parts.alone(upload_id, async () => ({
      received_bytes: await this.#parts.store({ ...part, name: upload_id }, bytes),
    }));
  }

  /**
   * A file that needs a passphrase stays for another attempt; an unsound one is deleted. Throws `not_found`,
   * `conflict`.
   */
  async taking(actor: Actor, asked: Asked): Promise<JobWork> {
    const file = this.#parts.pathOf(asked.upload_id);
    if ((await stat(file).catch(() => null)) === null) throw new Refusal('not_found', 'there is no such upload');
    const { file_name, passphrase } = asked;
    const work = this.takeFile(actor, { file, file_name, passphrase });
    return { ...work, run: (...given) => this.#parts.alone(asked.upload_id, () => work.run(...given)) };
  }

  /** The same for a file already on the disk of the backups. Throws `conflict`. */
  takeFile(actor: Actor, asked: TakenFile): JobWork {
    return this.#options.work.job('backup.take', async (signal) => {
      const taken = await this.#taken(asked, signal);
      this.#options.audit.record({ kind: 'backup.take', actor, target: taken.backup_id, after: taken });
      return taken;
    });
  }

  /** Throws BackupError. */
  async #taken({ file, file_name, passphrase: typed }: TakenFile, signal: AbortSignal): Promise<Backup> {
    const { directory, plans, work, clock } = this.#options;
    const is_encrypted = await isEncrypted(file);
    const passphrase = typed ?? (is_encrypted ? plans.passphrase() : null);
    const asked = { file, passphrase, work: newWork(directory) };
    try {
      const manifest = await work.inThread('check', asked, signal);
      const said = { manifest, installation: installationIn(file_name), at: isoOf(clock()) };
      return await takeIn(plans.folder, { file, is_encrypted, ...said });
    } catch (error) {
      clearCheck(asked);
      if (isOfFile(error)) await rm(file, { force: true });
      throw error;
    }
  }
}
