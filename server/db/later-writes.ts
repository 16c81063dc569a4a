import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { messageOf } from '../contract/message-of.ts';
import { recoverWriting } from './recovering.ts';
import { storageFaultOf, type StorageFault } from './storage-fault.ts';
import { transactor } from './transaction.ts';

interface LaterWritesOptions {
  db: Database;
  /** A write that failed by a fault of ours; it is left out. */
  onFault?: (error: unknown) => void;
  /** Monotonic clock, ms. */
  now_ms?: () => number;
  /** Writes that may wait, and bytes. */
  most?: number;
  mostBytes?: number;
}

export interface LaterWrite {
  write: () => void;
  /** One that waits under the same name is replaced by this one. */
  name?: string;
  /** What it holds in memory; 200 when absent. */
  bytes?: number;
  /** Called once it is on the disk, or part of the transaction that it was made in. */
  stored?: () => void;
}

/** How the file takes what is written. */
export interface StorageState {
  /** null: as it should. */
  fault: StorageFault | null;
  /** What SQLite says of it. */
  message: string | null;
  /** Writes that wait in memory. */
  waiting: number;
}

const retryMs = 1_000;
/** Another connection writes for milliseconds as a rule. */
const busyRetryMs = 5;
/** A lock of another program is told of when it has lasted so long. */
const busyToldMs = 2_000;
/** So many go into one transaction, which takes some 10 ms. */
const sliceLength = 100;

/**
 * Writes that must neither hold anybody up nor fail: who did what, and when something was last used. Each is tried at once without
 * waiting for anyone's lock; what the disk does not take waits in memory, in order, and is tried again.
 */
export class LaterWrites {
  readonly #options: Required<Omit<LaterWritesOptions, 'db'>>;
  readonly #db: Database;
  readonly #waiting = new Map<string, LaterWrite>();
  readonly #listeners = new Set<() => void>();
  #bytes = 0;
  #unnamed = 0;
  #isTogether = false;
  #asking = 0;
  #nextLook: Promise<boolean> | null = null;
  #fault: { kind: StorageFault; message: string; since_ms: number } | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor({ db, ...options }: LaterWritesOptions) {
    this.#db = db;
    this.#options = {
      onFault: () => undefined,
      now_ms: () => performance.now(),
      most: 10_000,
      mostBytes: 32 * 1024 * 1024,
      ...options,
    };
  }

  /** Inside a transaction it is part of that, and throws what it throws. Else false where there is no room for it to wait. */
  put(one: LaterWrite): boolean {
    if (this.#db.inTransaction) {
      one.write();
      one.stored?.();
      return true;
    }
    const name = one.name ?? `${(this.#unnamed += 1)}`;
    this.#forget(name);
    const bytes = one.bytes ?? 200;
    const { mostBytes } = this.#options;
    // A flood of records must not keep a session from being held.
    const most = this.#options.most * (one.name === undefined ? 1 : 2);
    if (this.#waiting.size >= most || this.#bytes + bytes > mostBytes) return false;
    this.#waiting.set(name, { ...one, bytes });
    this.#bytes += bytes;
    if (!this.#isTogether && this.#fault === null) this.flush();
    return true;
  }

  /** What is put meanwhile goes into one transaction. */
  together<Result>(work: () => Result): Result {
    if (this.#db.inTransaction || this.#isTogether) return work();
    this.#isTogether = true;
    try {
      return work();
    } finally {
      this.#isTogether = false;
      if (this.#fault === null) this.flush();
    }
  }

  get state(): StorageState {
    const { kind = null, message = null } = this.#told() ?? {};
    return { fault: kind, message, waiting: this.#waiting.size };
  }

  /** Calls the listener when the state may have changed; returns an unsubscribe function. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes note that a write elsewhere failed by the disk; true where it did. */
  noticed(error: unknown): boolean {
    const kind = storageFaultOf(error);
    if (kind === undefined) return false;
    this.#failed(kind, messageOf(error));
    return true;
  }

  /** Waits, without holding up anybody, until no other connection has the lock for writing; false when that takes too long. */
  async unlocked(patienceMs: number): Promise<boolean> {
    const endMs = this.#options.now_ms() + patienceMs;
    this.#asking += 1;
    try {
      let isLocked = this.#nextLook !== null || this.#isLocked();
      while (isLocked) {
        if (this.#options.now_ms() >= endMs) return false;
        isLocked = await this.#lookLater();
      }
      return true;
    } finally {
      this.#asking -= 1;
    }
  }

  /** Whether the file is locked in a moment: all who wait look together. */
  #lookLater(): Promise<boolean> {
    this.#nextLook ??= delay(busyRetryMs).then(() => {
      this.#nextLook = null;
      return this.#isLocked();
    });
    return this.#nextLook;
  }

  /** Whether anything waits for the lock. */
  get isWanted(): boolean {
    return this.#asking > 0 || this.#waiting.size > 0;
  }

  /** Tries what waits, a slice at a time: the others follow in later turns of the event loop. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#db.open) return;
    if (this.#fault !== null) recoverWriting(this.#db);
    if (!this.#isSliceTaken()) return;
    if (this.#waiting.size === 0) this.#succeeded();
    else this.#timer = setTimeout(() => this.flush(), 0);
  }

  /** Tries all a last time; returns how many writes are lost. */
  stop(): number {
    while (this.#db.open && this.#isSliceTaken() && this.#waiting.size > 0);
    clearTimeout(this.#timer);
    this.#listeners.clear();
    return this.#waiting.size;
  }

  #isSliceTaken(): boolean {
    try {
      this.#writeSlice();
      return true;
    } catch (error) {
      this.#failed(storageFaultOf(error) ?? 'failed', messageOf(error));
      return false;
    }
  }

  /** Where nothing waits the file is asked whether it takes a write. */
  #writeSlice(): void {
    const slice = this.#oldest();
    const db = this.#db;
    withoutWaiting(db, () =>
      transactor(db)(() => {
        for (const [, { write }] of slice) this.#attempt(write);
        if (slice.length === 0) db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`);
      }),
    );
    for (const [name, { stored }] of slice) {
      this.#forget(name);
      stored?.();
    }
  }

  #oldest(): [string, LaterWrite][] {
    const slice: [string, LaterWrite][] = [];
    for (const one of this.#waiting) {
      slice.push(one);
      if (slice.length === sliceLength) break;
    }
    return slice;
  }

  /** One that cannot be written at all must not keep the others from the disk. */
  #attempt(write: () => void): void {
    try {
      this.#db.transaction(write)();
    } catch (error) {
      if (storageFaultOf(error) !== undefined) throw error;
      this.#options.onFault(error);
    }
  }

  #isLocked(): boolean {
    try {
      withoutWaiting(this.#db, () => transactor(this.#db)(() => undefined));
      return false;
    } catch (error) {
      return storageFaultOf(error) === 'busy'; // what else is wrong shows where it is written
    }
  }

  #forget(name: string): void {
    this.#bytes -= this.#waiting.get(name)?.bytes ?? 0;
    this.#waiting.delete(name);
  }

  #failed(kind: StorageFault, message: string): void {
    const sinceMs = this.#fault?.kind === kind ? this.#fault.since_ms : this.#options.now_ms();
    this.#fault = { kind, message, since_ms: sinceMs };
    this.#timer ??= setTimeout(() => this.flush(), kind === 'busy' ? busyRetryMs : retryMs).unref();
    this.#tell();
  }

  #succeeded(): void {
    if (this.#fault === null) return;
    this.#fault = null;
    this.#tell();
  }

  #told() {
    const fault = this.#fault;
    const isBrief = fault?.kind === 'busy' && this.#options.now_ms() - fault.since_ms < busyToldMs;
    return isBrief ? null : fault;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function withoutWaiting(db: Database, work: () => void): void {
  const patience_ms = Number(db.pragma('busy_timeout', { simple: true }));
  db.pragma('busy_timeout = 0');
  try {
    work();
  } finally {
    db.pragma(`busy_timeout = ${patience_ms}`);
  }
}
