import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Change } from './edit-buffer.ts';

/** Edits of a map that were not saved when it was left or its page ended. */
export interface JournalEntry {
  /** Of the one time that the map was open on a page. */
  page: string;
  map_uuid: string;
  username: string;
  written_at_ms: number;
  /** From what the server had to what was on the screen. */
  changes: Change[];
}

/** What is unsaved on a page. */
type Noted = Omit<JournalEntry, 'page'>;

interface JournalSchema extends DBSchema {
  edits: { key: string; value: JournalEntry };
}

const databaseName = 'orangery-map-journal';
const lockOf = (page: string): string => `${databaseName}:${page}`;

async function opened(): Promise<IDBPDatabase<JournalSchema>> {
  return openDB<JournalSchema>(databaseName, 1, {
    upgrade: (database) => void database.createObjectStore('edits', { keyPath: 'page' }),
  });
}

/** Each shape has a record of its own, `page:id`: an edit of one writes no other again, however many are unsaved. */
const recordOf = (page: string, id: string): string => `${page}:${id}`;
const pageOf = ({ page }: JournalEntry): string => page.split(':')[0] ?? '';
/** All records of a page; `;` comes after `:`. */
const recordsOf = (page: string): IDBKeyRange => IDBKeyRange.bound(page, `${page};`, false, true);

/** Writes entries again that were deleted, also of a map that is closed by now. */
export async function putBack(entries: readonly JournalEntry[]): Promise<void> {
  const database = await opened().catch(() => null);
  if (database === null) return;
  const records = entries.flatMap(({ changes, ...by }) =>
    changes.map((one) => ({ ...by, page: recordOf(by.page, one.id), changes: [one] })),
  );
  await Promise.all(records.map((record) => database.put('edits', record))).catch(() => undefined);
  database.close();
}

/**
 * Unsaved edits of a map in IndexedDB, from when it is opened until it is left, so that a crash of page or machine
 * loses none. Each opening writes an entry of its own and holds a lock while it lasts: what another open page has not
 * saved yet is not offered here. Where the browser keeps nothing (private windows), it is silent.
 */
export class Journal {
  readonly #page = crypto.randomUUID();
  readonly #database: Promise<IDBPDatabase<JournalSchema> | null>;
  /** Written one after the other, the newest of those that wait. */
  #next: Noted | undefined;
  /** What the records of this page hold, by the ids of the shapes. */
  #kept: ReadonlyMap<string, Change> = new Map();
  #writing: Promise<boolean> = Promise.resolve(true);
  readonly #end = Promise.withResolvers<void>();
  readonly #lock: Promise<unknown>;
  readonly #others = new BroadcastChannel(databaseName);

  /** `forgotten` hears of the pages whose entries another page took over or dropped. */
  constructor(forgotten: (pages: readonly string[]) => void) {
    this.#others.addEventListener('message', ({ data }: MessageEvent<string[]>) => forgotten(data));
    this.#database = opened().catch(() => null);
    this.#lock = Promise.resolve(navigator.locks?.request(lockOf(this.#page), () => this.#end.promise));
  }

  /** The map is closed: its unsaved edits are kept, and offered when it is opened again. */
  async close(): Promise<void> {
    this.#others.close();
    await this.#writing;
    this.#end.resolve();
    await this.#lock;
    (await this.#database)?.close();
  }

  /** Notes all that is unsaved; nothing takes the entry away. */
  note(noted: Noted): void {
    const isWaiting = this.#next !== undefined;
    this.#next = noted;
    if (!isWaiting) this.#writing = this.#writing.then(() => this.#writeNext());
  }

  /** Answers, once nothing waits, whether what was noted last is kept. */
  settled(): Promise<boolean> {
    return this.#writing;
  }

  /** Entries of openings that are over, the newest last. */
  async left(map_uuid: string, username: string): Promise<JournalEntry[]> {
    const database = await this.#database;
    const held = (await navigator.locks?.query())?.held ?? [];
    const living = new Set(held.map(({ name }) => name));
    const all = (await database?.getAll('edits').catch(() => [])) ?? [];
    const own = all.filter(
      (one) => one.map_uuid === map_uuid && one.username === username && !living.has(lockOf(pageOf(one))),
    );
    return [...Map.groupBy(own, pageOf)]
      .map(([page, records]) => ({
        page,
        map_uuid,
        username,
        changes: records.flatMap(({ changes }) => changes),
        written_at_ms: records.reduce((latest, one) => Math.max(latest, one.written_at_ms), 0),
      }))
      .sort((a, b) => a.written_at_ms - b.written_at_ms);
  }

  /** Deletes entries, here and on the pages that offer them too. Before `close`. */
  async forget(entries: readonly JournalEntry[]): Promise<void> {
    this.#others.postMessage(entries.map(({ page }) => page));
    const database = await this.#database;
    for (const { page } of entries) await database?.delete('edits', recordsOf(page)).catch(() => undefined);
  }

  async #writeNext(): Promise<boolean> {
    const database = await this.#database;
    const noted = this.#next;
    this.#next = undefined;
    if (database === null || noted === undefined) return false;
    const { changes, ...by } = noted;
    const now = new Map(changes.map((one) => [one.id, one]));
    const changed = changes.filter(({ id, before, after }) => {
      const kept = this.#kept.get(id);
      return kept === undefined || kept.before !== before || kept.after !== after; // features are never changed in place
    });
    const gone = [...this.#kept.keys()].filter((id) => !now.has(id));
    if (changed.length + gone.length === 0) return true;
    try {
      // Strict: a crash of the machine right after it must not lose it.
      const transaction = database.transaction('edits', 'readwrite', { durability: 'strict' });
      const { store } = transaction;
      await Promise.all([
        ...changed.map((one) => store.put({ ...by, page: recordOf(this.#page, one.id), changes: [one] })),
        ...gone.map((id) => store.delete(recordOf(this.#page, id))),
        transaction.done,
      ]);
      this.#kept = now;
      return true;
    } catch {
      return false; // no room, or the browser closed the database
    }
  }
}
