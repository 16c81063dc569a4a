import { beforeEach, expect, it, vi } from 'vitest';
import type { Change } from '../../../../renderer/map/edit-buffer.ts';
import { Journal, putBack, type JournalEntry } from '../../../../renderer/map/journal.ts';
import { square } from './features.ts';
import { eventually } from '../../../support/eventually.ts';

/** The records of the browser, and the keys that were written, in order. */
const { records, written } = vi.hoisted(() => ({
  records: new Map<string, JournalEntry>(),
  written: [] as string[],
}));

vi.mock('idb', () => ({
  openDB: () =>
    Promise.resolve({
      transaction: () => ({
        store: {
          put: (record: JournalEntry) => records.set(record.page, record) && written.push(record.page),
          delete: (page: string) => records.delete(page) && written.push(page),
        },
        done: Promise.resolve(),
      }),
      put: (_store: string, record: JournalEntry) => Promise.resolve(records.set(record.page, record)),
      getAll: () => Promise.resolve([...records.values()]),
      delete: (_store: string, range: Pick<IDBKeyRange, 'includes'>) =>
        Promise.resolve([...records.keys()].filter((key) => range.includes(key)).map((key) => records.delete(key))),
      close: () => undefined,
    }),
}));

beforeEach(() => {
  records.clear();
  written.length = 0;
  const bound = (lower: string, upper: string, lowerOpen = false, upperOpen = false) => ({
    includes: (key: string) => (lowerOpen ? key > lower : key >= lower) && (upperOpen ? key < upper : key <= upper),
  });
  vi.stubGlobal('IDBKeyRange', { bound });
});

const map_uuid = '6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a10';
const noted = (changes: Change[], written_at_ms = 1) => ({ map_uuid, username: 'ann', written_at_ms, changes });
const moved = Array.from({ length: 1_000 }, (_, at): Change => {
  const before = square(at);
  return { id: before.properties.unique_id, before, after: { ...before } };
});

it('writes the shape that was edited, and none of the thousand that were before', async () => {
  const journal = new Journal(() => undefined);
  journal.note(noted(moved));
  await journal.settled();
  expect(written).toHaveLength(moved.length);
  const [first, ...others] = moved;
  if (first === undefined) throw new Error('it is there');
  written.length = 0;
  journal.note(noted([{ ...first, after: square(0) }, ...others.slice(1).map((one) => ({ ...one }))]));
  await journal.settled();
  const ids = [first, others[0]].map((one) => one?.id);
  expect(written.map((key) => key.split(':')[1])).toEqual(ids); // the first is written, the second is gone
  await journal.close();
});

it('finds what an ended page left in one entry, forgets all of it, and puts it back', async () => {
  const ended = new Journal(() => undefined);
  ended.note(noted(moved.slice(0, 1), 3));
  await ended.settled();
  ended.note(noted(moved.slice(0, 2), 5));
  await ended.close();
  const next = new Journal(() => undefined);
  const left = await next.left(map_uuid, 'ann');
  expect(left.map(({ changes, written_at_ms }) => [changes, written_at_ms])).toEqual([[moved.slice(0, 2), 5]]);
  expect(await next.left(map_uuid, 'bob')).toEqual([]);
  await next.forget(left);
  expect(records.size).toBe(0);
  await putBack(left);
  expect(await next.left(map_uuid, 'ann')).toEqual(left);
  await next.close();
});

it('finds, forgets and puts back what a page left when all its edits were one record, and no other', async () => {
  const page = '6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a20';
  const former: JournalEntry = { page, ...noted(moved.slice(0, 3), 4) };
  const others = ['6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a1f', '6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a21'];
  for (const one of [former, ...others.map((id) => ({ ...former, page: id, username: 'bob' }))])
    records.set(one.page, one);
  const journal = new Journal(() => undefined);
  expect(await journal.left(map_uuid, 'ann')).toEqual([former]);
  await journal.forget([former]);
  expect([...records.keys()]).toEqual(others);
  await putBack([former]);
  expect(await journal.left(map_uuid, 'ann')).toEqual([former]);
  await journal.forget([former]);
  expect([...records.keys()]).toEqual(others);
  await journal.close();
});

it('tells other pages which entries it has taken over', async () => {
  const told: string[][] = [];
  const ended = new Journal(() => undefined);
  ended.note(noted(moved.slice(0, 1)));
  await ended.close();
  const [one, other] = [new Journal(() => undefined), new Journal((pages) => told.push([...pages]))];
  const left = await one.left(map_uuid, 'ann');
  expect(await other.left(map_uuid, 'ann')).toEqual(left);
  await one.forget(left);
  await eventually(() => expect(told).toEqual([left.map(({ page }) => page)]));
  await Promise.all([one.close(), other.close()]);
});
