import { describe, expect, it } from 'vitest';
import { isLoopback, LockOut } from '../../../server/auth/lock-out.ts';
import { codeOf, FakeClock } from '../../support/accounts.ts';

const minuteMs = 60_000;
const here = '192.168.1.20';
const there = '192.168.1.21';

function lockOut(known: string[] = []): { lock: LockOut; clock: FakeClock } {
  const clock = new FakeClock();
  return { lock: new LockOut({ elapsed: clock.now, knowsAddress: (_, address) => known.includes(address) }), clock };
}

function fail(lock: LockOut, times: number, { account = 'kim', address = here } = {}): void {
  for (let index = 0; index < times; index += 1) lock.admit(account, address);
}

function admitted(lock: LockOut, { account = 'kim', address = here } = {}): unknown {
  return codeOf(() => lock.admit(account, address));
}

describe('five failures', () => {
  it('lock the account for the address for ten minutes', () => {
    const { lock, clock } = lockOut();
    fail(lock, 5);
    expect(admitted(lock)).toBe('locked_out');
    clock.forward(10 * minuteMs - 1);
    expect(admitted(lock)).toBe('locked_out');
    clock.forward(1);
    expect(admitted(lock)).toBeUndefined();
  });

  it('say when to come back', () => {
    const { lock, clock } = lockOut();
    fail(lock, 5);
    clock.forward(minuteMs);
    expect(() => lock.admit('kim', here)).toThrow(
      expect.objectContaining({ status: 429, headers: { 'Retry-After': '540' } }),
    );
  });

  it('lock neither another account nor another address', () => {
    const { lock } = lockOut();
    fail(lock, 5);
    expect(admitted(lock, { account: 'lee' })).toBeUndefined();
    expect(admitted(lock, { address: there })).toBeUndefined();
  });

  it('lock also when they are tried at the same moment', () => {
    const { lock } = lockOut();
    const codes = Array.from({ length: 8 }, () => admitted(lock));
    expect(codes).toEqual([...Array<undefined>(5).fill(undefined), 'locked_out', 'locked_out', 'locked_out']);
  });

  it('start anew after a lock has ended', () => {
    const { lock, clock } = lockOut();
    fail(lock, 5);
    clock.forward(10 * minuteMs);
    fail(lock, 5);
    expect(admitted(lock)).toBe('locked_out');
  });

  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('never lock %s', (address) => {
    const { lock } = lockOut();
    fail(lock, 200, { address });
    expect(admitted(lock, { address })).toBeUndefined();
  });
});

describe('fewer failures', () => {
  it('are forgotten by a success', () => {
    const { lock } = lockOut();
    fail(lock, 4);
    lock.admit('kim', here).succeeded();
    fail(lock, 4);
    expect(admitted(lock)).toBeUndefined();
  });

  it('are forgotten after an hour', () => {
    const { lock, clock } = lockOut();
    fail(lock, 4);
    clock.forward(60 * minuteMs);
    fail(lock, 4);
    expect(admitted(lock)).toBeUndefined();
  });

  it('do not count where the password was never looked at', () => {
    const { lock } = lockOut();
    for (let index = 0; index < 20; index += 1) lock.admit('kim', here).abandoned();
    expect(admitted(lock)).toBeUndefined();
  });
});

describe('fifty failures of an account in an hour', () => {
  /** From many addresses, each below its own lock. */
  function attack(lock: LockOut, times: number): void {
    for (let index = 0; index < times; index += 1) lock.admit('kim', `192.168.7.${index}`);
  }

  it('leave addresses that never succeeded one try in ten seconds', () => {
    const { lock, clock } = lockOut();
    attack(lock, 50);
    expect(admitted(lock)).toBeUndefined();
    expect(admitted(lock, { address: there })).toBe('rate_limited');
    clock.forward(10_000);
    expect(admitted(lock, { address: there })).toBeUndefined();
  });

  it('do not slow an address that has succeeded before', () => {
    const { lock } = lockOut([here]);
    attack(lock, 50);
    fail(lock, 3);
    expect(admitted(lock)).toBeUndefined();
  });

  it('do not slow another account', () => {
    const { lock } = lockOut();
    attack(lock, 50);
    fail(lock, 2, { account: 'lee' });
    expect(admitted(lock, { account: 'lee' })).toBeUndefined();
  });

  it('are past after an hour', () => {
    const { lock, clock } = lockOut();
    attack(lock, 50);
    clock.forward(60 * minuteMs);
    fail(lock, 2);
    expect(admitted(lock)).toBeUndefined();
  });

  it('are not reached by successes', () => {
    const { lock } = lockOut();
    for (let index = 0; index < 60; index += 1) lock.admit('kim', `192.168.7.${index}`).succeeded();
    fail(lock, 2);
    expect(admitted(lock)).toBeUndefined();
  });
});

it('forgets the oldest when made-up names flood it', () => {
  const { lock } = lockOut();
  fail(lock, 5);
  for (let index = 0; index < 10_000; index += 1) lock.admit(`made-up-${index}`, here);
  expect(admitted(lock)).toBeUndefined();
});

it.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['127.evil.example', false],
])('takes %s for loopback: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});
