import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { messageOf } from '../contract/message-of.ts';
import { recoverWriting } from './recovering.ts';
import { storageFaultOf, type StorageFault } from './storage-fault.ts';
import { transactor } from './transaction.ts';

interface LaterWritesOptions {
  db: Database;
  /** Called with a write that failed by our own fault; it is dropped. */
  onFault?: (error: unknown) => void;
  /** Monotonic clock, ms. */
  now_ms?: () => number;
  /** Maximum writes that may wait, and bytes. */
  most?: number;
  mostBytes?: number;
}

export interface LaterWrite {
  write: () => void;
  /** A waiting write of the same name is replaced, if there is room for this one. */
  name?: string;
  /** Memory that it holds; default 200. */
  bytes?: number;
  /** Called once it is on disk, or part of the transaction in which it was made; never for a write that failed. */
  stored?: () => void;
}

/** Whether the file accepts writes. */
export interface StorageState {
  /** null when it does. */
  fault: StorageFault | null;
  /** SQLite's message. */
  message: string | null;
  /** Writes that wait in memory. */
  waiting: number;
}

const retryMs = 1_000;
/** Another connection usually writes for milliseconds. */
const busyRetryMs = 5;
/** How long a lock of another program must last before it is reported. */
const busyToldMs = 2_000;
/** Writes in one transaction, which takes some 10 ms. */
const sliceLength = 100;

/**
 * Writes that must neither block nor fail: who did what, and when something was last used. Each is tried at once
 * without waiting for a lock; what the disk refuses waits in memory, in order, and is retried.
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

  /**
   * Inside a transaction the write is part of it, and throws its errors. Otherwise false when there is no room to wait.
   */
  put(one: LaterWrite): boolean {
    if (this.#db.inTransaction) {
      one.write();
      one.stored?.();
      return true;
    }
    const name = one.name ?? `${(this.#unnamed += 1)}`;
    const bytes = one.bytes ?? 200;
    const { mostBytes } = this.#options;
    const replaced = this.#waiting.get(name);
    const others = this.#waiting.size - (replaced === undefined ? 0 : 1);
    const bytesOfOthers = this.#bytes - (replaced?.bytes ?? 0);
    // A flood of records must not keep a session from being stored.
    const most = this.#options.most * (one.name === undefined ? 1 : 2);
    // One alone is taken whatever its size: it would never fit.
    if (others >= most || (others > 0 && bytesOfOthers + bytes > mostBytes)) return false;
    this.#forget(name);
    this.#waiting.set(name, { ...one, bytes });
    this.#bytes += bytes;
    if (!this.#isTogether && this.#fault === null) this.flush();
    return true;
  }

  /** Writes made meanwhile go into one transaction. */
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

  /** Takes the error of a write elsewhere; true if the disk was the cause. */
  noticed(error: unknown): boolean {
    const kind = storageFaultOf(error);
    if (kind === undefined) return false;
    this.#failed(kind, messageOf(error));
    return true;
  }

  /** Waits, without blocking, until no other connection holds the write lock; false when that takes too long. */
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

  /** Whether the file is locked a moment from now; all who wait share the check. */
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

  /** Tries the waiting writes, a slice at a time; further slices follow in later turns of the event loop. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#db.open) return;
    if (this.#fault !== null) recoverWriting(this.#db);
    if (!this.#isSliceTaken()) return;
    if (this.#waiting.size === 0) this.#succeeded();
    else this.#timer = setTimeout(() => this.flush(), 0);
  }

  /** Tries all of them a last time; returns how many writes are lost. */
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

  /** If nothing waits, checks whether the file accepts a write. */
  #writeSlice(): void {
    const slice = this.#oldest();
    const db = this.#db;
    let written: LaterWrite[] = [];
    withoutWaiting(db, () =>
      transactor(db)(() => {
        written = slice.map(([, one]) => one).filter(({ write }) => this.#isWritten(write));
        if (slice.length === 0) db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`);
      }),
    );
    for (const [name] of slice) this.#forget(name);
    for (const { stored } of written) stored?.();
  }

  #oldest(): [string, LaterWrite][] {
    const slice: [string, LaterWrite][] = [];
    for (const one of this.#waiting) {
      slice.push(one);
      if (slice.length === sliceLength) break;
    }
    return slice;
  }

  /** A write that cannot be done at all must not keep the others from the disk. */
  #isWritten(write: () => void): boolean {
    try {
      this.#db.transaction(write)();
      return true;
    } catch (error) {
      if (storageFaultOf(error) !== undefined) throw error;
      this.#options.onFault(error);
      return false;
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
