import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { SecretBox } from '../../auth/secret-box.ts';
import { BackupError, faultOf } from '../../backup/backup-error.ts';
import { openRemoteFolder } from '../../backup/open-remote-folder.ts';
import type { RemoteFolder } from '../../backup/remote-folder.ts';
import { readTargets, saveTargets, type StoredTarget } from '../../backup/target-file.ts';
import type { BackupFault } from '../../contract/backup.ts';
import {
  mostBackupTargets,
  type BackupTarget,
  type BackupTargetCreate,
  type BackupTargetOptions,
  type BackupTargetPatch,
} from '../../contract/backup-target.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { SecretSent } from '../../contract/secret.ts';
import { isoOf } from '../../contract/time.ts';
import type { Outbound } from '../../outbound/outbound.ts';

interface TargetOptions {
  /** The data directory. */
  directory: string;
  secrets: Pick<SecretBox, 'seal' | 'open'>;
  audit: AuditSink;
  outbound: Pick<Outbound, 'stream'>;
}

/** Where copies of the backups go, and how the last attempt at each target ended. Ids arrive in lower case. */
export class BackupTargetService {
  readonly #options: TargetOptions;
  readonly #listeners = new Set<() => void>();
  /** When each failed target is retried, epoch ms. */
  readonly #nextTryMs = new Map<string, number>();
  readonly #cleanUpFaults = new Map<string, BackupFault>();
  #stored: StoredTarget[] = [];
  /** Why the stored targets cannot be read: then they are never overwritten. */
  readonly fault: BackupFault | null = null;

  constructor(options: TargetOptions) {
    this.#options = options;
    try {
      this.#stored = readTargets(options.directory);
    } catch (error) {
      this.fault = faultOf(error);
    }
  }

  list(): BackupTarget[] {
    return this.#stored.map((one) => this.#shown(one));
  }

  /** Throws `not_found`. */
  get(id: string): BackupTarget {
    return this.#shown(this.#found(id));
  }

  /** Throws `conflict` beyond the maximum, `invalid_field`, `read_only_field`. */
  create(actor: Actor, { name, is_enabled = true, options, secret }: BackupTargetCreate): BackupTarget {
    if (this.#stored.length >= mostBackupTargets) {
      throw new Refusal('conflict', why('too_many_destinations', { most: mostBackupTargets }));
    }
    refuseAddress(options);
    const made: StoredTarget = {
      unique_id: randomUUID(),
      name,
      is_enabled,
      options,
      copied_id: null,
      last_result: null,
      sealed_secret: this.#sealed(secret, null),
    };
    this.#save([...this.#stored, made]);
    this.#options.audit.record({
      kind: 'backup_target.create',
      actor,
      target: made.unique_id,
      after: this.#shown(made),
    });
    return this.#shown(made);
  }

  /** If the target moves, what is known of the old place is dropped. Throws as `create`, and `not_found`. */
  change(actor: Actor, id: string, { name, is_enabled, options, secret }: BackupTargetPatch): BackupTarget {
    const before = this.#found(id);
    const isMoved = options !== undefined && placeOf(options) !== placeOf(before.options);
    if (options !== undefined) refuseAddress(options);
    const after: StoredTarget = {
      ...before,
      ...(isMoved && { copied_id: null, last_result: null }),
      ...(name !== undefined && { name }),
      ...(is_enabled !== undefined && { is_enabled }),
      ...(options !== undefined && { options }),
      sealed_secret: this.#sealed(secret, isMoved ? null : before.sealed_secret),
    };
    if (isMoved && secret === undefined && before.sealed_secret !== null) {
      throw refuseField('read_only_field', 'secret', why('secret_elsewhere'));
    }
    this.#save(this.#stored.map((one) => (one === before ? after : one)));
    this.#nextTryMs.delete(id);
    this.#cleanUpFaults.delete(id);
    const audited = { before: this.#shown(before), after: this.#shown(after) };
    this.#options.audit.record({ kind: 'backup_target.change', actor, target: id, ...audited });
    return this.#shown(after);
  }

  /** Throws `not_found`. */
  remove(actor: Actor, id: string): void {
    const before = this.#found(id);
    this.#save(this.#stored.filter((one) => one !== before));
    this.#nextTryMs.delete(id);
    this.#cleanUpFaults.delete(id);
    this.#options.audit.record({ kind: 'backup_target.delete', actor, target: id, before: this.#shown(before) });
  }

  /**
   * Opens a target's folder. Throws `not_found`, BackupError target_refused if its secret was sealed with another key.
   */
  open(id: string): RemoteFolder {
    const { options, sealed_secret } = this.#found(id);
    const { secrets, outbound } = this.#options;
    try {
      const secret = sealed_secret === null ? null : secrets.open(sealed_secret);
      return openRemoteFolder(options, { secret, outbound });
    } catch (cause) {
      throw new BackupError('target_refused', messageOf(cause), { cause });
    }
  }

  /** Ignored for a target that has been deleted or changed meanwhile; kept only in memory when the disk refuses it. */
  noteResult(id: string, opened: BackupTargetOptions, { at_ms, copied_id, fault, nextTryMs }: Noted): void {
    if (!this.#isStill(id, opened)) return;
    const last_result = { at: isoOf(at_ms), fault };
    this.#stored = this.#stored.map((one) =>
      one.unique_id === id ? { ...one, last_result, copied_id: copied_id ?? one.copied_id } : one,
    );
    if (nextTryMs === null) this.#nextTryMs.delete(id);
    else this.#nextTryMs.set(id, nextTryMs);
    try {
      if (this.fault === null) saveTargets(this.#options.directory, this.#stored);
    } catch {
      // An alarm reports the disk, and the next result is stored again.
    }
    this.#tell();
  }

  /** Records whether surplus copies could be deleted there; null means success. */
  noteCleanUp(id: string, opened: BackupTargetOptions, fault: BackupFault | null): void {
    if (!this.#isStill(id, opened)) return;
    if (fault === null) this.#cleanUpFaults.delete(id);
    else this.#cleanUpFaults.set(id, fault);
    this.#tell();
  }

  /** Calls the listener when a target has changed; returns an unsubscribe function. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #isStill(id: string, opened: BackupTargetOptions): boolean {
    return this.#stored.some(({ unique_id, options }) => unique_id === id && options === opened);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #found(id: string): StoredTarget {
    const found = this.#stored.find(({ unique_id }) => unique_id === id);
    if (found === undefined) throw new Refusal('not_found', 'there is no such place for backups');
    return found;
  }

  #save(targets: StoredTarget[]): void {
    if (this.fault !== null) throw new Refusal('storage_failed', this.fault.message);
    saveTargets(this.#options.directory, targets);
    this.#stored = targets;
    this.#tell();
  }

  #shown({ sealed_secret, ...target }: StoredTarget): BackupTarget {
    const nextMs = this.#nextTryMs.get(target.unique_id);
    return {
      ...target,
      secret: sealed_secret === null ? null : { set: true },
      next_try_at: nextMs === undefined ? null : isoOf(nextMs),
      clean_up_fault: this.#cleanUpFaults.get(target.unique_id) ?? null,
    };
  }

  #sealed(sent: SecretSent | null | undefined, kept: string | null): string | null {
    if (sent === undefined) return kept;
    if (sent === null) return null;
    if (typeof sent === 'string') return this.#options.secrets.seal(sent);
    if (kept === null) throw refuseField('read_only_field', 'secret', why('secret_elsewhere'));
    return kept;
  }
}

interface Noted {
  at_ms: number;
  /** The backup that is there now; absent when none was added. */
  copied_id?: string;
  fault: BackupFault | null;
  nextTryMs: number | null;
}

function refuseAddress({ url, network }: BackupTargetOptions): void {
  if (network === 'lan' || url.startsWith('https://')) return;
  throw refuseField('invalid_field', 'options.url', why('https_needed'));
}

/** Where a secret is sent, and with which account. */
function placeOf(options: BackupTargetOptions): string {
  const account =
    options.kind === 's3' ? `${options.bucket} ${options.prefix} ${options.access_key_id}` : options.username;
  return `${options.kind} ${options.url} ${account}`;
}
