import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { controlMigrations } from '../../../../server/db/migrations/control.ts';
import { openDatabase } from '../../../../server/db/open.ts';
import { AlarmRepository } from '../../../../server/db/repositories/alarm.ts';
import { FollowedJournal } from '../../../../server/services/alarm/followed-journal.ts';
import { testFolder } from '../../../support/database.ts';

function journalOf(file: string) {
  const db = openDatabase(file, { migrations: controlMigrations });
  const rows = new AlarmRepository(db);
  return {
    db,
    note: (note: string) =>
      rows.save({
        alarms: [],
        entries: [
          {
            at: new Date().toISOString(),
            alarm_id: randomUUID(),
            transition: 'raise',
            note,
            state_before: 'normal',
            state: 'unacknowledged',
            actor: null,
            code: 'frost',
            severity: 'warning',
            source_kind: 'input',
            source_id: 'a',
            source_name: null,
            channel: null,
            role: null,
            name: null,
            value: null,
            limit: null,
            unit: null,
            message: null,
          },
        ],
      }),
  };
}

it('follows the file that the daemon has put in the place of another, and says where there is none', () => {
  const file = join(testFolder(), 'control.db');
  const journal = new FollowedJournal(file);
  onTestFinished(() => journal.close());
  const notes = (): (string | null)[] => journal.after(0, 10).map(({ note }) => note);

  expect(notes).toThrow(expect.objectContaining({ code: 'not_available' }));
  const first = journalOf(file);
  first.note('a');
  expect(notes()).toEqual(['a']);
  first.note('b');
  expect([notes(), journal.lastOrdinal()]).toEqual([['a', 'b'], 2]);
  first.db.close();

  renameSync(file, `${file}.damaged`);
  const second = journalOf(file);
  second.note('c');
  expect(notes()).toEqual(['c']);
  second.db.close();

  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
  expect(notes).toThrow(expect.objectContaining({ code: 'not_available' }));
});
