import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../server/db/open.ts';
import { unlessBusy } from '../../../server/db/unless-busy.ts';
import { testFolder } from '../../support/database.ts';

it('leaves a write out while another connection writes, and is patient again after it', () => {
  const file = join(testFolder(), 'notes.db');
  const [own, other] = [openDatabase(file), openDatabase(file)];
  own.exec('CREATE TABLE seen (at INTEGER NOT NULL)');
  const write = (at: number) => () => void own.prepare('INSERT INTO seen VALUES (?)').run(at);
  const patience = own.pragma('busy_timeout');
  other.exec('BEGIN IMMEDIATE');
  unlessBusy(own, write(1));
  expect(own.pragma('busy_timeout')).toEqual(patience);
  other.exec('COMMIT');
  unlessBusy(own, write(2));
  expect(own.prepare('SELECT at FROM seen').pluck().all()).toEqual([2]);
  expect(() => unlessBusy(own, () => own.exec('INSERT INTO nowhere VALUES (1)'))).toThrow('no such table');
  for (const db of [own, other]) db.close();
});
