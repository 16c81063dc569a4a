import { randomUUID } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { chainedWithoutKey } from '../../../server/auth/audit-chain.ts';
import { AuditLog } from '../../../server/auth/audit.ts';
import { systemActor } from '../../../server/auth/system-actor.ts';
import { openDatabase, type Database } from '../../../server/db/open.ts';
import { AuditRepository } from '../../../server/db/repositories/audit.ts';
import { FacilityRepository } from '../../../server/db/repositories/facility.ts';
import { LaterWrites } from '../../../server/db/later-writes.ts';
import { transactor } from '../../../server/db/transaction.ts';
import { actor, FakeClock } from '../../support/accounts.ts';
import { testDatabase } from '../../support/database.ts';
import { newFacility } from '../../support/commissioning-bench.ts';

let db: Database;
let clock: FakeClock;
let log: AuditLog;

function logOf(database: Database): AuditLog {
  const rows = new AuditRepository(database);
  return new AuditLog({ rows, transact: transactor(database), now: clock.now, directory: dirname(database.name) });
}

beforeEach(() => {
  db = testDatabase('orangery');
  clock = new FakeClock();
  log = logOf(db);
});

function recordThree(): void {
  for (const target of ['a', 'b', 'c']) log.record({ kind: 'design.save', actor: systemActor, target });
}

function recordOne(to: AuditLog, target: string): void {
  to.record({ kind: 'design.save', actor: systemActor, target });
}

const keyFile = (): string => join(dirname(db.name), 'audit.key');
const headFile = (): string => join(dirname(db.name), 'audit.head');

function headWithId(last_id: number): string {
  return JSON.stringify({ ...(JSON.parse(readFileSync(headFile(), 'utf8')) as object), last_id });
}

function tamper(sql: string): void {
  db.exec('DROP TRIGGER IF EXISTS audit_is_written_once; DROP TRIGGER IF EXISTS audit_goes_from_its_old_end');
  db.exec(sql);
}

/** Hashes as the program made them before there was a key, from the first record on. */
function chainAnewWithoutKey(lastId = Infinity): void {
  tamper('');
  const rows = new AuditRepository(db);
  const store = db.prepare<[Buffer, Buffer, number]>('UPDATE audit SET previous_hash = ?, hash = ? WHERE id = ?');
  let previous = rows.start().hash;
  for (const row of [...rows.all()].filter(({ id }) => id <= lastId)) {
    const hash = chainedWithoutKey(previous, row);
    store.run(previous, hash, row.id);
    previous = hash;
  }
}

describe('record', () => {
  it('keeps who, when, from where, what, and what it was before and after', () => {
    const who = actor({ user_id: 'u', username: 'kim', key_id: 'k' });
    log.record({ kind: 'design.save', actor: who, target: 'm', before: { zoom: 3 }, after: { zoom: 4 } });
    expect(log.list({ limit: 10 })).toEqual([
      {
        id: 1,
        at: '2026-03-01T06:00:00.000Z',
        kind: 'design.save',
        user_id: 'u',
        username: 'kim',
        key_id: 'k',
        key_name: null,
        address: '192.168.1.20',
        target: 'm',
        target_name: null,
        before: { zoom: 3 },
        after: { zoom: 4 },
      },
    ]);
  });

  it('names its target as it is called now, and what is gone as it was called then', () => {
    const output = [randomUUID(), 'Heater'];
    db.prepare(
      "INSERT INTO outputs (unique_id, name, driver, options, is_activated) VALUES (?, ?, 'virtual', '{}', 1)",
    ).run(output);
    const about = (target: string | undefined, more: object) =>
      log.record({ kind: 'output.change', actor: systemActor, ...(target !== undefined && { target }), ...more });
    about(output[0] ?? '', { after: { name: 'Old heater' } });
    about(randomUUID(), { before: { name: 'Fan' }, after: { name: 'Fan 2' } });
    about(randomUUID(), { before: { name: 'Vent' } });
    about(undefined, { after: { name: 'Farm' } });
    about(randomUUID(), { after: ['name'] });
    const names = log.list({ limit: 5 }).map(({ target_name }) => target_name);
    expect(names).toEqual([null, null, 'Vent', 'Fan 2', 'Heater']);
  });

  it('names the house of a check', () => {
    const house = newFacility([], []);
    new FacilityRepository(db).insert(house);
    log.record({
      kind: 'commissioning.start',
      actor: systemActor,
      target: randomUUID(),
      after: { facility_uuid: house.unique_id },
    });
    expect(log.list({ limit: 1 })[0]?.target_name).toBe(house.name);
  });

  it('leaves secrets out at any depth', () => {
    const after = { name: 'post', login: { password: 'p', deeper: [{ api_key: 'k', port: 25 }] }, token: 't' };
    log.record({ kind: 'setting.save', actor: systemActor, after });
    expect(log.list({ limit: 1 })[0]?.after).toEqual({ name: 'post', login: { deeper: [{ port: 25 }] } });
  });

  it('goes with the transaction that it is part of', () => {
    const transact = transactor(db);
    const failing = (): void => {
      transact(() => {
        log.record({ kind: 'design.save', actor: systemActor });
        throw new Error('the save failed');
      });
    };
    expect(failing).toThrow('the save failed');
    expect(log.list({ limit: 1 })).toEqual([]);
  });

  it('cannot be changed', () => {
    recordThree();
    expect(() => db.exec("UPDATE audit SET username = 'somebody else'")).toThrow(/never changes/);
  });
});

it('says how many records were lost where more wait than there is room for', () => {
  const later = new LaterWrites({ db, most: 2 });
  const waiting = new AuditLog({
    rows: new AuditRepository(db),
    transact: transactor(db),
    now: clock.now,
    directory: dirname(db.name),
    later,
  });
  db.pragma('query_only = ON');
  for (const target of ['a', 'b', 'c', 'd']) {
    waiting.record({ kind: 'output.command', actor: systemActor, target });
    clock.forward(1_000);
  }
  expect(waiting.lost).toBe(2);
  db.pragma('query_only = OFF');
  later.flush();
  waiting.record({ kind: 'output.command', actor: systemActor, target: 'e' });
  expect(waiting.list({ limit: 10 }).map(({ kind, target, after }) => [target ?? kind, after])).toEqual([
    ['e', null],
    [
      'audit.loss',
      {
        what: '2 records: the disk took nothing',
        count: 2,
        from: '2026-03-01T06:00:02.000Z',
        to: '2026-03-01T06:00:03.000Z',
      },
    ],
    ['b', null],
    ['a', null],
  ]);
  expect(waiting.check().broken).toBeNull();
});

describe('the chain', () => {
  const whole = (records: number): object => ({ records, broken: null });

  it('is whole after records of two processes', () => {
    recordThree();
    const other = openDatabase(db.name);
    logOf(other).record({ kind: 'user.create', actor: systemActor });
    other.close();
    recordThree();
    expect(log.check()).toEqual(whole(7));
  });

  it('is whole before the first record', () => {
    expect(log.check()).toEqual(whole(0));
  });

  /** What somebody does who can write orangery.db and knows how the chain is made, but not its key. */
  it.each([
    ['a changed record', "UPDATE audit SET target = 'x' WHERE id = 2", 2, 'was changed'],
    ['a changed time', "UPDATE audit SET at = '2020-01-01T00:00:00.000Z' WHERE id = 2", 2, 'was changed'],
    ['a removed record', 'DELETE FROM audit WHERE id = 2', 3, 'does not follow from record 1'],
    ['a removed beginning', 'DELETE FROM audit WHERE id = 1', 2, 'does not follow from record 0'],
    ['a removed end', 'DELETE FROM audit WHERE id = 3', 3, 'the records after 2 are missing'],
    [
      'an end that was cut with its count',
      "DELETE FROM audit WHERE id = 3; UPDATE sqlite_sequence SET seq = 2 WHERE name = 'audit'",
      3,
      'the records up to it are missing',
    ],
    ['nothing left', 'DELETE FROM audit', 3, 'the records after 0 are missing'],
    [
      'all wiped as on the first day',
      `DELETE FROM audit; DELETE FROM sqlite_sequence WHERE name = 'audit';
       UPDATE audit_start SET last_id = 0, hash = zeroblob(32), keyed_from = NULL, mac = NULL`,
      3,
      'the records up to it are missing',
    ],
    ['a record in another place', 'UPDATE audit SET id = 9 WHERE id = 1', 2, 'does not follow from record 0'],
    [
      'a beginning that was moved with its hash',
      `UPDATE audit_start SET last_id = 1, hash = (SELECT hash FROM audit WHERE id = 1);
       DELETE FROM audit WHERE id = 1`,
      2,
      'the beginning was moved',
    ],
  ])('shows %s', async (_, tampering, id, what) => {
    recordThree();
    await log.close();
    tamper(tampering);
    expect(log.check().broken).toEqual({ id, what: expect.stringContaining(what) as string });
  });

  it.each([
    ['as it is', ''],
    ['with its seal taken off', 'UPDATE audit_start SET keyed_from = NULL, mac = NULL'],
  ])('shows a chain made anew by somebody without the key, %s', async (_, more) => {
    recordThree();
    await log.close();
    tamper("UPDATE audit SET username = 'eve' WHERE id = 2");
    chainAnewWithoutKey();
    tamper(more);
    expect(log.check().broken?.what).toMatch(/was changed|is not the one that was written/);
  });

  it('goes on to show what was cut once more was written, in a record of its own too', async () => {
    recordThree();
    await log.close();
    tamper("DELETE FROM audit WHERE id = 3; UPDATE sqlite_sequence SET seq = 2 WHERE name = 'audit'");
    const next = logOf(db);
    recordOne(next, 'd');
    await next.close();
    await next.close();
    expect(next.check().broken).toEqual({ id: 3, what: 'is not the one that was written' });
    expect(next.list({ limit: 10 }).map(({ kind }) => kind)).toEqual([
      'audit.loss',
      'design.save',
      'design.save',
      'design.save',
    ]);
  });

  it('shows a database that was put back to what it was', async () => {
    recordThree();
    await log.close();
    db.pragma('wal_checkpoint(TRUNCATE)');
    copyFileSync(db.name, `${db.name}.before`);
    recordThree();
    await log.close();
    const head = readFileSync(headFile());
    const before = openDatabase(`${db.name}.before`);
    expect(logOf(before).check().broken).toEqual({ id: 6, what: 'the records up to it are missing' });
    before.close();
    expect(readFileSync(headFile())).toEqual(head);
  });

  it.each([
    ['a head that is gone', () => rmSync(headFile()), /head of the audit is missing/],
    ['a head that was changed', () => writeFileSync(headFile(), headWithId(2)), /head of the audit was changed/],
    ['an empty head', () => truncateSync(headFile()), /head of the audit was changed/],
    ['a key that is gone', () => rmSync(keyFile()), /the key of the audit is lost/],
    ['an empty key', () => truncateSync(keyFile()), /the key of the audit is lost/],
    ['another key', () => writeFileSync(keyFile(), 'another'), /the beginning was moved/],
  ])('shows %s', async (_, damage, what) => {
    recordThree();
    await log.close();
    damage();
    expect(logOf(db).check().broken?.what).toMatch(what);
  });

  it('goes on without its key, and says that what was before cannot be proven', async () => {
    recordThree();
    await log.close();
    rmSync(keyFile());
    const next = logOf(db);
    recordOne(next, 'd');
    await next.close();
    expect(next.list({ limit: 10 })).toHaveLength(5);
    expect(next.check().broken).toEqual({ id: 1, what: 'was changed' });
  });

  it('goes on with the records of a program that knew no key', async () => {
    recordThree();
    await log.close();
    chainAnewWithoutKey();
    tamper('UPDATE audit_start SET keyed_from = NULL, mac = NULL');
    for (const file of [keyFile(), headFile()]) rmSync(file);
    const next = logOf(db);
    expect(next.check()).toEqual(whole(3));
    recordOne(next, 'd');
    await next.close();
    expect(next.check()).toEqual(whole(4));
    tamper("UPDATE audit SET username = 'eve' WHERE id = 2");
    chainAnewWithoutKey(3);
    expect(next.check().broken).toEqual({ id: 4, what: 'does not follow from record 3' });
  });

  it('is whole although the head could not be written for the last records', async () => {
    recordThree();
    await log.close();
    const head = readFileSync(headFile());
    recordThree();
    await log.close();
    writeFileSync(headFile(), head); // as a power cut leaves it
    expect(logOf(db).check()).toEqual(whole(6));
  });

  it('does not count a record whose transaction came to nothing', async () => {
    recordThree();
    const failing = (): void =>
      transactor(db)(() => {
        recordThree();
        throw new Error('the save failed');
      });
    expect(failing).toThrow('the save failed');
    await log.close();
    expect(log.check()).toEqual(whole(3));
  });

  it('keeps key and head for their owner alone', async () => {
    recordThree();
    await log.close();
    for (const file of [keyFile(), headFile()]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('cannot lose a record by a slip', () => {
    recordThree();
    expect(() => db.exec('DELETE FROM audit WHERE id = 1')).toThrow(/by its age alone/);
  });
});

describe('giveUp', () => {
  const dayMs = 86_400_000;

  function recordOnThreeDays(): void {
    for (const target of ['a', 'b', 'c']) {
      log.record({ kind: 'design.save', actor: systemActor, target });
      clock.forward(dayMs);
    }
  }

  it('takes what is older, and the chain goes on from there', () => {
    recordOnThreeDays();
    expect(log.giveUp(clock.ms - 2 * dayMs)).toBe(1);
    expect(log.list({ limit: 10 }).map((record) => record.target)).toEqual(['c', 'b']);
    expect(log.check()).toEqual({ records: 2, broken: null });
  });

  it('takes all where all is older, and new records follow', () => {
    recordOnThreeDays();
    expect(log.giveUp(clock.ms)).toBe(3);
    expect(log.giveUp(clock.ms)).toBe(0);
    expect(log.check()).toEqual({ records: 0, broken: null });
    recordThree();
    expect(log.check()).toEqual({ records: 3, broken: null });
  });

  it('keeps what was written after a record of a later time', () => {
    recordOnThreeDays();
    clock.forward(-10 * dayMs); // somebody set the clock
    recordThree();
    expect(log.giveUp(clock.ms + 5 * dayMs)).toBe(0);
    expect(log.check()).toEqual({ records: 6, broken: null });
  });

  it('takes nothing where somebody without the key moved the beginning', () => {
    recordOnThreeDays();
    tamper(`UPDATE audit_start SET last_id = 1, hash = (SELECT hash FROM audit WHERE id = 1);
            DELETE FROM audit WHERE id = 1`);
    expect(() => log.giveUp(clock.ms)).toThrow(/nothing of it is given up/);
    expect(log.list({ limit: 10 })).toHaveLength(2);
  });

  it('takes 400 at most at once', () => {
    db.pragma('synchronous = OFF');
    for (let index = 0; index < 401; index += 1) log.record({ kind: 'design.save', actor: systemActor });
    expect([log.giveUp(clock.ms + 1), log.giveUp(clock.ms + 1)]).toEqual([400, 1]);
  });
});
