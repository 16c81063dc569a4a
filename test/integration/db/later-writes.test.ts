import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LaterWrites } from '../../../server/db/later-writes.ts';
import { openDatabase, type Database } from '../../../server/db/open.ts';
import { transactor } from '../../../server/db/transaction.ts';
import { testFolder } from '../../support/database.ts';

let db: Database;
let other: Database;
let faults: unknown[];
let nowMs: number;

beforeEach(() => {
  vi.useFakeTimers();
  const file = join(testFolder(), 'notes.db');
  db = openDatabase(file);
  db.exec('CREATE TABLE notes (text TEXT NOT NULL) STRICT');
  other = openDatabase(file);
  faults = [];
  nowMs = 0;
});

afterEach(() => {
  vi.useRealTimers();
  db.close();
  other.close();
});

const laterOf = (limits: { most?: number; mostBytes?: number } = {}) =>
  new LaterWrites({ db, onFault: (error) => void faults.push(error), now_ms: () => nowMs, ...limits });
const insert = (text: string) => (): void => void db.prepare('INSERT INTO notes VALUES (?)').run(text);
const notes = () => db.prepare<[], string>('SELECT text FROM notes').pluck().all();

/** Real refusals of SQLite, and their end. */
const troubles = {
  busy: () => {
    other.exec('BEGIN IMMEDIATE');
    return () => other.exec('ROLLBACK');
  },
  readonly: () => {
    db.pragma('query_only = ON');
    return () => db.pragma('query_only = OFF');
  },
  full: () => {
    const pages = Number(db.pragma('page_count', { simple: true }));
    db.pragma(`max_page_count = ${pages}`);
    insert('');
    const filler = 'x'.repeat(100);
    try {
      for (;;) insert(filler)();
    } catch {
      db.pragma('wal_checkpoint(PASSIVE)');
    }
    return () => db.pragma('max_page_count = 100000');
  },
};

describe.each(Object.entries(troubles))('a file that is %s', (kind, begin) => {
  it('lets writes wait in their order, says why, and has them once it takes them', () => {
    const later = laterOf();
    const end = begin();
    const had = notes().length;
    for (const text of ['a'.repeat(200), 'b'.repeat(200)]) expect(later.put({ write: insert(text) })).toBe(true);
    expect(notes()).toHaveLength(had);
    nowMs = 60_000;
    expect(later.state).toMatchObject({ fault: kind, waiting: 2 });
    end();
    vi.advanceTimersByTime(1_000);
    expect(notes().slice(had)).toEqual(['a'.repeat(200), 'b'.repeat(200)]);
    expect(later.state).toEqual({ fault: null, message: null, waiting: 0 });
  });
});

it('waits for no lock of another, and is patient again where others write', () => {
  const later = laterOf();
  const patience = db.pragma('busy_timeout');
  const end = troubles.busy();
  later.put({ write: insert('a') });
  expect(db.pragma('busy_timeout')).toEqual(patience);
  expect(later.state.fault).toBeNull(); // a lock is no news for two seconds
  end();
  expect(later.stop()).toBe(0);
  expect(notes()).toEqual(['a']);
});

it('waits for the lock of another without holding up anybody', async () => {
  vi.useRealTimers();
  const later = new LaterWrites({ db });
  expect(await later.unlocked(0)).toBe(true);
  const end = troubles.busy();
  expect(await later.unlocked(60)).toBe(false);
  setTimeout(end, 100);
  expect(await later.unlocked(60_000)).toBe(true);
});

it('looks at the lock once for all who wait for it', async () => {
  vi.useRealTimers();
  const later = new LaterWrites({ db });
  const end = troubles.busy();
  const looks = vi.spyOn(db, 'transaction');
  const waiting = Array.from({ length: 100 }, () => later.unlocked(60_000));
  expect(looks.mock.calls.length).toBeLessThan(3);
  await expect.poll(() => looks.mock.calls.length, { interval: 1 }).toBeGreaterThan(4);
  expect(looks.mock.calls.length).toBeLessThan(100);
  end();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
});

it('is part of a transaction that is under way, and goes with it', () => {
  const later = laterOf();
  const failing = () =>
    transactor(db)(() => {
      later.put({ write: insert('a') });
      throw new Error('the save failed');
    });
  expect(failing).toThrow('the save failed');
  expect([notes(), later.state.waiting]).toEqual([[], 0]);
});

it('stores together what is put together, and says when each is on the disk', () => {
  const later = laterOf();
  const stored: string[] = [];
  later.together(() => {
    for (const text of ['a', 'b']) later.put({ write: insert(text), stored: () => void stored.push(text) });
    expect(notes()).toEqual([]);
  });
  expect([notes(), stored]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});

it('keeps the last of a name, and no more than there is room for', () => {
  const later = laterOf({ most: 2, mostBytes: 500 });
  const end = troubles.readonly();
  const kept = (['a', 'b', 'c'] as const).map((text) => later.put({ write: insert(text), name: 'one' }));
  expect([kept, later.state.waiting]).toEqual([[true, true, true], 1]);
  expect(later.put({ write: insert('d') })).toBe(true);
  expect(later.put({ write: insert('e') })).toBe(false);
  expect(later.put({ write: insert('f'), name: 'two', bytes: 101 })).toBe(false);
  expect(later.put({ write: insert('g'), name: 'two', bytes: 100 })).toBe(true);
  end();
  later.flush();
  expect(notes()).toEqual(['c', 'd', 'g']);
});

it('stores a long queue some at a time, in order, and all of it before it stops', () => {
  const texts = Array.from({ length: 450 }, (_, at) => String(at));
  const later = laterOf();
  later.together(() => texts.forEach((text) => later.put({ write: insert(text) })));
  expect(later.state.waiting).toBe(350);
  vi.advanceTimersByTime(1);
  expect(later.state.waiting).toBeLessThan(350);
  expect(later.stop()).toBe(0);
  expect(notes()).toEqual(texts);
});

it('leaves out what cannot be written at all, and the rest is stored', () => {
  const later = laterOf();
  const impossible = () => db.exec('INSERT INTO nowhere VALUES (1)');
  later.together(() => {
    for (const write of [insert('a'), impossible, insert('b')]) later.put({ write });
  });
  expect(notes()).toEqual(['a', 'b']);
  expect(faults).toEqual([expect.objectContaining({ message: 'no such table: nowhere' })]);
});

it('hears of writes elsewhere that the disk refused, and asks the file until it takes them', () => {
  const later = laterOf();
  const told: unknown[] = [];
  later.subscribe(() => void told.push(later.state.fault));
  const end = troubles.readonly();
  expect(later.noticed(new Error('something else'))).toBe(false);
  expect(later.noticed(Object.assign(new Error('attempt to write'), { code: 'SQLITE_READONLY' }))).toBe(true);
  vi.advanceTimersByTime(1_000);
  end();
  vi.advanceTimersByTime(1_000);
  expect([told[0], told.at(-1)]).toEqual(['readonly', null]);
});

it('says of no write that failed that it is stored', () => {
  const later = laterOf();
  const stored: string[] = [];
  later.together(() => {
    later.put({ write: () => db.exec('INSERT INTO nowhere VALUES (1)'), stored: () => void stored.push('impossible') });
    later.put({ write: insert('a'), stored: () => void stored.push('a') });
  });
  expect(stored).toEqual(['a']);
});

it('keeps the write that waits when the next one of its name finds no room', () => {
  const later = laterOf({ mostBytes: 1_000 });
  const end = troubles.readonly();
  expect(later.put({ name: 'other', write: insert('other'), bytes: 400 })).toBe(true);
  expect(later.put({ name: 'last seen', write: insert('early'), bytes: 400 })).toBe(true);
  expect(later.put({ name: 'last seen', write: insert('late'), bytes: 700 })).toBe(false);
  end();
  vi.advanceTimersByTime(1_000);
  expect(notes()).toEqual(['other', 'early']);
});

it('takes one alone whatever its size', () => {
  const later = laterOf({ mostBytes: 1_000 });
  expect(later.put({ write: insert('large'), bytes: 2_000 })).toBe(true);
  expect(notes()).toEqual(['large']);
});
