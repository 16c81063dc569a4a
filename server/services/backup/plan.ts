import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { SecretBox } from '../../auth/secret-box.ts';
import { BackupError, faultOf } from '../../backup/backup-error.ts';
import { defaultPlan, folderOf, readPlan, savePlan, type StoredPlan } from '../../backup/plan-file.ts';
import type { BackupFault, BackupPlan, BackupPlanPatch, BackupResult } from '../../contract/backup.ts';
import { refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { messageOf } from '../../contract/message-of.ts';

interface PlanOptions {
  /** The data directory. */
  directory: string;
  secrets: Pick<SecretBox, 'seal' | 'open'>;
  audit: AuditSink;
}

const shortestPassphrase = 10;

/** When backups are made, where they are stored, and how the last one ended. */
export class BackupPlanService {
  readonly #options: PlanOptions;
  readonly #listeners = new Set<() => void>();
  #stored: StoredPlan;
  #fault: BackupFault | null = null;

  constructor(options: PlanOptions) {
    this.#options = options;
    try {
      this.#stored = readPlan(options.directory);
    } catch (error) {
      this.#stored = defaultPlan;
      this.#fault = faultOf(error);
    }
  }

  /** Why the stored plan cannot be read; null when it can, or after it was set anew. */
  get plan_fault(): BackupFault | null {
    return this.#fault;
  }

  get plan(): BackupPlan {
    const { plan, sealed_passphrase } = this.#stored;
    return { ...plan, passphrase: sealed_passphrase === null ? null : { set: true } };
  }

  get folder(): string {
    return folderOf(this.#options.directory, this.#stored.plan);
  }

  get last_result(): BackupResult | null {
    return this.#stored.last_result;
  }

  /** Throws BackupError if it was sealed with another key, or if the plan is unreadable. */
  passphrase(): string | null {
    if (this.#fault !== null) throw new BackupError(this.#fault.code, this.#fault.message);
    const { sealed_passphrase } = this.#stored;
    if (sealed_passphrase === null) return null;
    try {
      return this.#options.secrets.open(sealed_passphrase);
    } catch (cause) {
      throw new BackupError('passphrase_needed', messageOf(cause), { cause });
    }
  }

  /**
   * Changes what the patch names; while the stored plan is unreadable it must name folder and passphrase. Throws
   * `invalid_field`, `read_only_field`, or the disk's error.
   */
  change(actor: Actor, { passphrase, ...sent }: BackupPlanPatch): BackupPlan {
    if (this.#fault !== null) refuseUnlessWhole({ passphrase, ...sent });
    const before = this.plan;
    const changes = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
    const plan = { ...this.#stored.plan, ...changes }; // each field was checked by its schema
    if (sent.folder != null) refuseUnusable(sent.folder);
    const next = { ...this.#stored, plan, sealed_passphrase: this.#sealed(passphrase) };
    savePlan(this.#options.directory, next);
    this.#stored = next;
    this.#fault = null;
    this.#tell();
    this.#options.audit.record({ kind: 'backup_plan.change', actor, before, after: this.plan });
    return this.plan;
  }

  /** Kept only in memory when the disk refuses it. */
  noteResult(last_result: BackupResult): void {
    this.#stored = { ...this.#stored, last_result };
    try {
      // An unreadable plan stays on disk for people to examine.
      if (this.#fault === null) savePlan(this.#options.directory, this.#stored);
    } catch {
      // An alarm reports the disk, and the next result is stored again.
    }
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener when a backup was made or failed; returns an unsubscribe function. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #sealed(sent: BackupPlanPatch['passphrase']): string | null {
    const kept = this.#stored.sealed_passphrase;
    if (sent === undefined) return kept;
    if (sent === null) return null;
    if (typeof sent === 'string') {
      if (sent.length < shortestPassphrase) {
        throw refuseField('invalid_field', 'passphrase', why('passphrase_short', { least: shortestPassphrase }));
      }
      return this.#options.secrets.seal(sent);
    }
    if (kept === null) throw refuseField('read_only_field', 'passphrase', why('secret_not_set'));
    return kept;
  }
}

/** A patch that leaves these out must not silently turn encrypted backups into plain text, or move them. */
function refuseUnlessWhole(sent: BackupPlanPatch): void {
  for (const field of ['folder', 'passphrase'] as const) {
    if (sent[field] === undefined) throw refuseField('invalid_field', field, why('plan_unreadable'));
  }
}

function refuseUnusable(folder: string): void {
  const isThere = isAbsolute(folder) && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isThere) throw refuseField('invalid_field', 'folder', why('no_such_folder'));
}
