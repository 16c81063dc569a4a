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

/**
 * Unsaved edits of a map in IndexedDB, from when it is opened until it is left, so that a crash of page or machine loses none. Each opening
 * writes an entry of its own and holds a lock while it lasts: what another open page has not saved yet is not offered here. Where the
 * browser keeps nothing (private windows), it is silent.
 */
export class Journal {
  readonly #page = crypto.randomUUID();
  readonly #database: Promise<IDBPDatabase<JournalSchema> | null>;
  /** Written one after the other, the newest of those that wait. */
  #next: JournalEntry | null | undefined;
  #writing: Promise<boolean> = Promise.resolve(true);
  readonly #end = Promise.withResolvers<void>();
  readonly #lock: Promise<unknown>;

  constructor() {
    this.#database = opened().catch(() => null);
    this.#lock = Promise.resolve(navigator.locks?.request(lockOf(this.#page), () => this.#end.promise));
  }

  /** The map is closed: its unsaved edits are kept, and offered when it is opened again. */
  async close(): Promise<void> {
    await this.#writing;
    this.#end.resolve();
    await this.#lock;
    (await this.#database)?.close();
  }

  /** Notes all that is unsaved; nothing takes the entry away. */
  note(entry: Omit<JournalEntry, 'page'>): void {
    this.#write(entry.changes.length === 0 ? null : { ...entry, page: this.#page });
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
    return all
      .filter((one) => one.map_uuid === map_uuid && one.username === username && !living.has(lockOf(one.page)))
      .sort((a, b) => a.written_at_ms - b.written_at_ms);
  }

  async forget(entries: readonly JournalEntry[]): Promise<void> {
    const database = await this.#database;
    for (const { page } of entries) await database?.delete('edits', page).catch(() => undefined);
  }

  #write(entry: JournalEntry | null): void {
    const isWaiting = this.#next !== undefined;
    this.#next = entry;
    if (!isWaiting) this.#writing = this.#writing.then(() => this.#writeNext());
  }

  async #writeNext(): Promise<boolean> {
    const database = await this.#database;
    const entry = this.#next;
    this.#next = undefined;
    if (database === null || entry === undefined) return false;
    try {
      // Strict: a crash of the machine right after it must not lose it.
      const transaction = database.transaction('edits', 'readwrite', { durability: 'strict' });
      const work = entry === null ? transaction.store.delete(this.#page) : transaction.store.put(entry);
      await Promise.all([work, transaction.done]);
      return true;
    } catch {
      return false; // no room, or the browser closed the database
    }
  }
}
