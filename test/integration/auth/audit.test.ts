import { beforeEach, describe, expect, it } from 'vitest';
import { AuditLog } from '../../../server/auth/audit.ts';
import { systemActor } from '../../../server/auth/system-actor.ts';
import { openDatabase, type Database } from '../../../server/db/open.ts';
import { AuditRepository } from '../../../server/db/repositories/audit.ts';
import { transactor } from '../../../server/db/transaction.ts';
import { actor, FakeClock } from '../../support/accounts.ts';
import { testDatabase } from '../../support/database.ts';

let db: Database;
let clock: FakeClock;
let log: AuditLog;

function logOf(database: Database): AuditLog {
  return new AuditLog({ rows: new AuditRepository(database), transact: transactor(database), now: clock.now });
}

beforeEach(() => {
  db = testDatabase('orangery');
  clock = new FakeClock();
  log = logOf(db);
});

function recordThree(): void {
  for (const target of ['a', 'b', 'c']) log.record({ kind: 'design.save', actor: systemActor, target });
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
        address: '192.168.1.20',
        target: 'm',
        before: { zoom: 3 },
        after: { zoom: 4 },
      },
    ]);
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

  it.each([
    ['a changed record', "UPDATE audit SET target = 'x' WHERE id = 2", 2, 'was changed'],
    ['a changed time', "UPDATE audit SET at = '2020-01-01T00:00:00.000Z' WHERE id = 2", 2, 'was changed'],
    ['a removed record', 'DELETE FROM audit WHERE id = 2', 3, 'does not follow from record 1'],
    ['a removed beginning', 'DELETE FROM audit WHERE id = 1', 2, 'does not follow from record 0'],
    ['a removed end', 'DELETE FROM audit WHERE id = 3', 3, 'the records after 2 are missing'],
    ['nothing left', 'DELETE FROM audit', 3, 'the records after 0 are missing'],
    ['a record in another place', 'UPDATE audit SET id = 9 WHERE id = 1', 2, 'does not follow from record 0'],
    ['a moved beginning', 'UPDATE audit_start SET last_id = 1; DELETE FROM audit WHERE id = 1', 2, 'does not follow'],
  ])('shows %s', (_, tampering, id, what) => {
    recordThree();
    db.exec('DROP TRIGGER audit_is_written_once; DROP TRIGGER audit_goes_from_its_old_end');
    db.exec(tampering);
    expect(log.check().broken).toEqual({ id, what: expect.stringContaining(what) as string });
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

  it('takes 400 at most at once', () => {
    db.pragma('synchronous = OFF');
    for (let index = 0; index < 401; index += 1) log.record({ kind: 'design.save', actor: systemActor });
    expect([log.giveUp(clock.ms + 1), log.giveUp(clock.ms + 1)]).toEqual([400, 1]);
  });
});
