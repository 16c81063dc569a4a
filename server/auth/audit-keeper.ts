import { join } from 'node:path';
import type { AuditEnd, AuditRepository, AuditStart } from '../db/repositories/audit.ts';
import { keepSecretFile, readSecretFile } from '../db/secret-file.ts';
import { chained, isSealed, sealedStart, type ChainProof } from './audit-chain.ts';
import { headAt, HeadFile, lossOf, newLossOf } from './audit-head.ts';

interface KeeperOptions {
  rows: AuditRepository;
  /** Where the key and the head are, beside the database. */
  directory: string;
  /** Called with what is missing from the audit, once for each loss. */
  onLoss: (what: string) => void;
  onFault: (error: unknown) => void;
}

/** Records of one moment move the head together. */
const headDelayMs = 200;

/** The audit's key and head, as files of a data directory. */
export function auditProof(directory: string): ChainProof {
  return { key: readSecretFile(keyFile(directory)), head: new HeadFile(headFile(directory)) };
}

/** Keeps the key of the audit and its head, which are outside the database. */
export class AuditKeeper {
  readonly #options: KeeperOptions;
  readonly #head: HeadFile;
  #key: string | undefined;
  #end: AuditEnd | undefined;
  #isNoted = false;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#head = new HeadFile(headFile(options.directory));
  }

  /** undefined when it is lost, or not made yet. */
  get proof(): ChainProof {
    this.#key ??= readSecretFile(keyFile(this.#options.directory));
    return { key: this.#key, head: this.#head };
  }

  /**
   * Chains the next record; call it in the transaction that writes it. The first call makes the key, which counts from
   * then on.
   */
  chain(record: Parameters<typeof chained>[2]): { previous_hash: Buffer; hash: Buffer } {
    const key = this.#keyed(this.#options.rows.start());
    const previous_hash = this.#options.rows.end().hash;
    return { previous_hash, hash: chained(key, previous_hash, record) };
  }

  /** The start after deleting up to a record. Throws if the present start was not set by this program. */
  startAfter({ id, hash }: AuditEnd): AuditStart {
    const key = this.#keyed(this.#options.rows.start());
    const start = this.#options.rows.start();
    if (!isSealed(key, start)) throw new Error('the beginning of the audit was moved: nothing of it is given up');
    return sealedStart(key, { ...start, last_id: id, hash });
  }

  /** Called after a record was written: the head follows once its transaction is over. */
  note(): void {
    if (this.#isNoted) return;
    this.#isNoted = true;
    queueMicrotask(() => this.#follow());
  }

  /** Checks for losses, and moves the head to the last record. */
  look(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#save()).catch(this.#options.onFault);
    return this.#saving;
  }

  /** Called before the database is closed. */
  async close(): Promise<void> {
    this.#follow();
    clearTimeout(this.#timer);
    await this.look();
  }

  /** A transaction that was rolled back leaves no record, so the end is read, not remembered. */
  #follow(): void {
    this.#isNoted = false;
    if (!this.#options.rows.isOpen) return;
    this.#end = this.#options.rows.end();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.look();
    }, headDelayMs).unref();
  }

  async #save(): Promise<void> {
    const { rows, onLoss } = this.#options;
    const start = rows.isOpen ? rows.start() : undefined;
    const { key } = this.proof;
    if (start === undefined || start.mac === null || key === undefined) return;
    const head = this.#head.read(key);
    const found = typeof head === 'string' ? lossOf(head, { rows, start }) : newLossOf(head, { rows, start });
    const losses = [...(typeof head === 'string' ? [] : head.losses), ...(found === null ? [] : [found])];
    await this.#head.write(key, headAt(this.#end ?? rows.end(), losses));
    if (found !== null) onLoss(`record ${found.id}: ${found.what}`);
  }

  /** Gives a key to a chain that has none; its head is written before the key counts. */
  #keyed(start: AuditStart): string {
    const { rows, directory } = this.#options;
    const isLost = start.mac !== null && this.proof.key === undefined;
    this.#key ??= keepSecretFile(keyFile(directory));
    if (start.mac !== null && !isLost) return this.#key;
    if (start.mac === null && !this.#head.isThere) this.#head.writeNow(this.#key, headAt(rows.end()));
    rows.startFrom(sealedStart(this.#key, { ...start, keyed_from: Math.max(rows.lastId(), rows.end().id) + 1 }));
    return this.#key;
  }
}

function keyFile(directory: string): string {
  return join(directory, 'audit.key');
}

function headFile(directory: string): string {
  return join(directory, 'audit.head');
}
