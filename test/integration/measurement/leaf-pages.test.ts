import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../server/db/open.ts';
import { rowsOfPages, type NumberRow } from '../../../server/measurement/sqlite/leaf-pages.ts';
import { testFolder } from '../../support/database.ts';

function fileOf(rows: readonly NumberRow[]): string {
  const file = join(testFolder(), 'pages.db');
  const db = openDatabase(file);
  db.exec('CREATE TABLE kept (id INTEGER PRIMARY KEY, a, b, c) WITHOUT ROWID; CREATE TABLE other (a INTEGER, b TEXT)');
  const insert = db.prepare('INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?)');
  db.transaction(() => rows.forEach((row) => insert.run(row)))();
  db.prepare("INSERT INTO other VALUES (1, 'text')").run();
  db.close();
  return file;
}

const number = fc.oneof(
  fc.constant(null),
  fc.constantFrom(0, 1, -1, 127, -128, 32_767, 8_388_607, 2 ** 31, -(2 ** 40), 2 ** 50),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const row = fc.tuple(fc.integer({ min: 0, max: 1e6 }), number, number, number);

it('reads what SQLite has written, every kind of number', () => {
  fc.assert(
    fc.property(fc.uniqueArray(row, { selector: ([id]) => id, minLength: 1, maxLength: 400 }), (rows) => {
      const read = [...rowsOfPages(fileOf(rows))].flat().filter(({ length }) => length === 4);
      expect(read.sort(byFirst)).toEqual([...rows].map((one) => one.map((value) => value && value + 0)).sort(byFirst));
    }),
    { numRuns: 20 },
  );
});

it('makes nothing of pages that are spoilt, wherever they point', () => {
  const rows = Array.from({ length: 300 }, (_, at) => [at, at / 3, null, 1]);
  const sound = readFileSync(fileOf(rows));
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(sound.length - 1), (bytes, at) => {
      const file = join(testFolder(), 'spoilt.db');
      const spoilt = Buffer.from(sound);
      spoilt.set(bytes.subarray(0, spoilt.length - at), at);
      writeFileSync(file, spoilt);
      expect(() => [...rowsOfPages(file)]).not.toThrow();
    }),
    { numRuns: 200 },
  );
});

function byFirst([a]: NumberRow, [b]: NumberRow): number {
  return Number(a) - Number(b);
}
