import { beforeEach, describe, expect, it } from 'vitest';
import { Sessions } from '../../../server/auth/sessions.ts';
import { LaterWrites } from '../../../server/db/later-writes.ts';
import { SessionRepository } from '../../../server/db/repositories/session.ts';
import { testAccounts } from '../../support/accounts.ts';

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;

let time: { wallMs: number; elapsedMs: number };
let userId: string;
let begin: () => Sessions;

beforeEach(async () => {
  const accounts = testAccounts();
  const { db } = accounts;
  userId = (await accounts.add('kim', 'Admin')).unique_id;
  time = { wallMs: Date.UTC(2026, 5, 1), elapsedMs: 5_000 };
  begin = () =>
    new Sessions(
      new SessionRepository(db),
      () => time.wallMs,
      new LaterWrites({ db }),
      () => time.elapsedMs,
    );
});

function pass(ms: number): void {
  time.wallMs += ms;
  time.elapsedMs += ms;
}

/** Whether the session of a cookie still runs. */
function runs(sessions: Sessions, token: string): boolean {
  const row = sessions.find(token);
  return row !== undefined && sessions.endOf(row) > time.wallMs;
}

/** Uses the session every day for so many days. */
function useDaily(sessions: Sessions, token: string, days: number): void {
  for (let day = 0; day < days; day += 1) {
    pass(dayMs);
    const row = sessions.find(token);
    if (row !== undefined && runs(sessions, token)) sessions.use(row);
  }
}

describe('a session', () => {
  it('ends after seven days unused, and after thirty in all', () => {
    const sessions = begin();
    const [idle, used] = [sessions.start(userId, null), sessions.start(userId, null)];
    useDaily(sessions, used.token, 7);
    expect([runs(sessions, idle.token), runs(sessions, used.token)]).toEqual([false, true]);
    useDaily(sessions, used.token, 22);
    expect(runs(sessions, used.token)).toBe(true);
    useDaily(sessions, used.token, 1);
    expect(runs(sessions, used.token)).toBe(false);
  });

  it('lives no longer where the clock is set back by a year', () => {
    const sessions = begin();
    const [idle, used] = [sessions.start(userId, null), sessions.start(userId, null)];
    time.wallMs -= yearMs;
    useDaily(sessions, used.token, 7);
    expect([runs(sessions, idle.token), runs(sessions, used.token)]).toEqual([false, true]);
    useDaily(sessions, used.token, 23);
    expect(runs(sessions, used.token)).toBe(false);
  });

  it('has no more left than a new one in a process that starts with a clock a year back', () => {
    const { token } = begin().start(userId, null);
    time.wallMs -= yearMs;
    const next = begin();
    expect(runs(next, token)).toBe(true);
    pass(7 * dayMs);
    expect(runs(next, token)).toBe(false);
  });
});
