import type { Database } from '../../db/open.ts';
import { workerEntry } from '../../worker-entry.ts';
import { mapStore, type MapStore } from './store.ts';
import { mapTasks, type MapRead, type MapTasks, type MapWrite } from './tasks.ts';
import { WorkerClient, type Given, type Returned } from '../../worker/client.ts';

/** How much a save asks for. */
export interface SaveSize {
  features: number;
  /** Sum over the geometries of positions squared: what comparing all their edges would cost at the worst. */
  edgePairs: number;
}

/** A larger save goes to the worker: more features, or as much as one ring of 5,000 corners. */
export const largeSave: Readonly<SaveSize> = { features: 2000, edgePairs: 5000 ** 2 };

/** Of a write that may be a large one: the worker can take it whatever it is. */
export const unknownSize: Readonly<SaveSize> = { features: Infinity, edgePairs: 0 };

/** A read of more features goes to the worker. */
const largeRead = 5000;

/** A save of the largest map takes seconds; this one hangs. */
const taskTimeoutMs = 120_000;

/**
 * Runs map tasks on the server's own connection, or in the map worker where they would hold up the server.
 * While the worker saves, small writes queue behind it instead of waiting for its lock on the server's thread.
 */
export class MapRunner {
  readonly store: MapStore;
  readonly #worker: WorkerClient<MapStore, MapTasks>;

  /** `db` is the server's connection to a migrated orangery.db; the worker opens the same file, where that connection does not know it. */
  constructor(db: Database, file = db.name) {
    this.store = mapStore(db);
    this.#worker = new WorkerClient({
      entry: workerEntry('map-worker', import.meta.url),
      data: file,
      timeoutMs: taskTimeoutMs,
    });
  }

  /** Runs a write; `size` is what it saves. */
  async write<Name extends MapWrite>(
    name: Name,
    size: SaveSize,
    ...given: Given<MapTasks[Name]>
  ): Promise<Returned<MapTasks[Name]>> {
    const isLarge = size.features > largeSave.features || size.edgePairs > largeSave.edgePairs;
    if (isLarge || this.#worker.isBusy) return this.#worker.run(name, ...given);
    return this.#here(name, given) as Returned<MapTasks[Name]>; // no write returns text
  }

  /** Runs a read that gives JSON; `features` is how many it may hold. */
  async read<Name extends MapRead>(
    name: Name,
    features: number,
    ...given: Given<MapTasks[Name]>
  ): Promise<string | Buffer> {
    return features > largeRead ? this.#worker.run(name, ...given) : (this.#here(name, given) as string); // every read
  }

  close(): Promise<void> {
    return this.#worker.close();
  }

  #here(name: keyof MapTasks, given: unknown[]): unknown {
    const task: (store: MapStore, ...given: never[]) => unknown = mapTasks[name];
    return task(this.store, ...(given as never[])); // of the type that write and read ask for by name
  }
}
