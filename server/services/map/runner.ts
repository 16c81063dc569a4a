import type { Database } from '../../db/open.ts';
import { workerEntry } from '../../worker-entry.ts';
import { MapTaken } from './conflict.ts';
import { isUntidy } from './staged.ts';
import { mapStore, type MapStore } from './store.ts';
import { mapTasks, type MapRead, type MapTasks, type MapWrite } from './tasks.ts';
import { WorkerClient, type Given, type Returned } from '../../worker/client.ts';

/** The size of a save. */
export interface SaveSize {
  features: number;
  /** Sum of the squared position counts of the geometries: the cost of comparing all their edges at worst. */
  edgePairs: number;
  /** The map that it changes, for a save that waits behind a large one of the same map. */
  map_uuid?: string | undefined;
}

/** A larger save goes to the worker: more features, or as costly as a ring of 5,000 corners. */
export const largeSave: Readonly<Pick<SaveSize, 'features' | 'edgePairs'>> = { features: 2000, edgePairs: 5000 ** 2 };

/** The size of a write that may be a large one: the worker takes it in any case. */
export const unknownSize: Readonly<SaveSize> = { features: Infinity, edgePairs: 0 };

/** A read of more features goes to the worker. */
const largeRead = 5000;

/** A save of the largest map takes its next turn within seconds; one that takes longer hangs. */
const taskTimeoutMs = 120_000;

/** The data for a worker. Only the writing one has `turns`: 1 lets it write once. */
export interface MapWorkerData {
  file: string;
  turns?: Int32Array<SharedArrayBuffer>;
}

/** How long a turn is held back for others who want to write, and how often that is checked, ms. */
const turnWaits = { most: 20, step: 2 };

/** SQLite's default: pages of the log that are merged at a commit. */
const checkpointPages = 1_000;

interface MapRunnerOptions {
  /** Path of orangery.db, if the server's connection does not know it. */
  file?: string | undefined;
  /** Whether anyone else waits to write. */
  isWanted?: () => boolean;
}

/**
 * Runs map tasks on the server's own connection, or in a map worker when they would block the server. Other writes get
 * in between during a large save; those of the same map queue behind it.
 */
export class MapRunner {
  readonly store: MapStore;
  readonly #writer: WorkerClient<MapStore, MapTasks>;
  readonly #reader: WorkerClient<MapStore, MapTasks>;
  readonly #turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #isWanted: () => boolean;
  /** Large writes that run, wait, or are being tidied up. */
  #large = 0;
  /** How many small saves of a map wait behind a large one. */
  readonly #behind = new Map<string, number>();

  /** `db` is the server's connection to a migrated orangery.db; the workers open the same file. */
  constructor(db: Database, { file = db.name, isWanted = () => false }: MapRunnerOptions = {}) {
    this.store = mapStore(db);
    this.#isWanted = isWanted;
    const entry = workerEntry('map-worker', import.meta.url);
    const worker = (data: MapWorkerData, asked?: () => void): WorkerClient<MapStore, MapTasks> =>
      new WorkerClient({ entry, data, timeoutMs: taskTimeoutMs, ...(asked && { asked }) });
    this.#writer = worker({ file, turns: this.#turns }, () => this.#giveTurn());
    this.#reader = worker({ file });
  }

  /** Runs a write; `size` is what it saves. */
  async write<Name extends MapWrite>(
    name: Name,
    size: SaveSize,
    ...given: Given<MapTasks[Name]>
  ): Promise<Returned<MapTasks[Name]>> {
    if (size.features > largeSave.features || size.edgePairs > largeSave.edgePairs)
      return this.#writeLarge(name, given);
    const { map_uuid = '' } = size;
    if (this.#behind.has(map_uuid)) return this.#writeBehind(name, map_uuid, given); // none gets ahead of another
    try {
      return this.#here(name, given) as Returned<MapTasks[Name]>; // no write returns text
    } catch (error) {
      if (!(error instanceof MapTaken)) throw error;
      return this.#writeBehind(name, map_uuid, given);
    }
  }

  /** Runs a read that returns JSON; `features` is how many it may hold. */
  async read<Name extends MapRead>(name: Name, features: number, ...given: Given<MapTasks[Name]>): Promise<Buffer> {
    return features > largeRead ? this.#reader.run(name, ...given) : (this.#here(name, given) as Buffer); // every read
  }

  /** Removes what is no longer visible. */
  async tidy(): Promise<void> {
    await this.#writer.run('tidyMaps');
  }

  async close(): Promise<void> {
    await Promise.all([this.#writer.close(), this.#reader.close()]);
  }

  async #writeLarge<Name extends MapWrite>(name: Name, given: Given<MapTasks[Name]>) {
    const { db } = this.store;
    this.#large += 1;
    db.pragma('wal_autocheckpoint = 0'); // the worker's log is merged by the worker
    try {
      return await this.#writer.run(name, ...given);
    } finally {
      void this.#tidyAfter(); // nobody waits for it
    }
  }

  /** If this fails, the hourly cleaning does it. */
  async #tidyAfter(): Promise<void> {
    const { db } = this.store;
    try {
      if (isUntidy(this.store)) await this.tidy();
    } catch {
      // See above.
    }
    this.#large -= 1;
    if (this.#large === 0 && db.open) db.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  }

  async #writeBehind<Name extends MapWrite>(name: Name, map_uuid: string, given: Given<MapTasks[Name]>) {
    const waiting = this.#behind.get(map_uuid) ?? 0;
    if (map_uuid !== '') this.#behind.set(map_uuid, waiting + 1);
    try {
      return await this.#writer.run(name, ...given);
    } finally {
      const left = (this.#behind.get(map_uuid) ?? 0) - 1;
      if (left > 0) this.#behind.set(map_uuid, left);
      else this.#behind.delete(map_uuid);
    }
  }

  /** In a later turn of the event loop than everything that waits for the lock on this thread. */
  #giveTurn(waitedMs = 0): void {
    if (this.#isWanted() && waitedMs < turnWaits.most) {
      setTimeout(() => this.#giveTurn(waitedMs + turnWaits.step), turnWaits.step);
      return;
    }
    Atomics.store(this.#turns, 0, 1);
    Atomics.notify(this.#turns, 0);
  }

  #here(name: keyof MapTasks, given: unknown[]): unknown {
    const task: (store: MapStore, ...given: never[]) => unknown = mapTasks[name];
    return task(this.store, ...(given as never[])); // of the type that write and read ask for by name
  }
}
