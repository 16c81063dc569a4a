import { beforeEach, describe, expect, it } from 'vitest';
import { composeAccounts } from '../../../../server/composition/accounts.ts';
import { builtInRoles } from '../../../../server/contract/permission.ts';
import { openDatabase } from '../../../../server/db/open.ts';
import {
  actor,
  actorOf,
  codeOf,
  goodPassword,
  lanAddress,
  rejectionOf,
  testAccounts,
  type TestAccounts,
} from '../../../support/accounts.ts';

const minuteMs = 60_000;
let test: TestAccounts;

beforeEach(async () => {
  test = testAccounts();
  await test.add('Kim', 'Editor');
});

function logIn(
  changed: { username?: string; password?: string; address?: string } = {},
): ReturnType<TestAccounts['logins']['logIn']> {
  const { address = lanAddress, ...body } = changed;
  return test.logins.logIn({ username: 'Kim', password: goodPassword, ...body }, actor({ address }));
}

async function failTimes(times: number, changed: { username?: string; address?: string } = {}): Promise<unknown[]> {
  const codes = [];
  for (let index = 0; index < times; index += 1)
    codes.push(await rejectionOf(logIn({ password: 'wrong', ...changed })));
  return codes;
}

describe('logIn', () => {
  it('gives the user, what he may, a CSRF token and a cookie value of 256 random bits', async () => {
    const { session, token, maxAge_s } = await logIn();
    expect(session.user).toMatchObject({ username: 'Kim', last_login_at: new Date(test.clock.ms).toISOString() });
    expect(session.permissions).toEqual(builtInRoles['Editor']);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(Buffer.from(session.csrf_token, 'base64url')).toHaveLength(32);
    expect(maxAge_s).toBe(30 * 24 * 60 * 60);
  });

  it('takes the username in any case and writes the log-in down', async () => {
    const { session } = await logIn({ username: 'kIM' });
    expect(test.audits.list({ kind: 'auth.login' }).audit).toMatchObject([
      { user_id: session.user.unique_id, username: 'Kim', address: lanAddress },
    ]);
  });

  it('refuses a wrong password, an unknown user and a disabled one alike: invalid_credentials', async () => {
    await test.add('off', 'Guest');
    test.db.exec("UPDATE users SET is_enabled = 0 WHERE username = 'off'");
    const messages = await Promise.all(
      [{ password: 'wrong' }, { username: 'nobody' }, { username: 'off' }].map((changed) =>
        logIn(changed).then(
          () => 'logged in',
          (error: unknown) => String(error),
        ),
      ),
    );
    expect(new Set(messages)).toEqual(new Set(['Refusal: the username or the password is wrong']));
    expect(await rejectionOf(logIn({ username: 'nobody' }))).toBe('invalid_credentials');
  });

  it('writes down a failure on an account, and of an unknown name nothing', async () => {
    await failTimes(1);
    await failTimes(1, { username: 'my-password-typed-here' });
    expect(test.audits.list({ kind: 'auth.login_failed' }).audit).toHaveLength(1);
    expect(JSON.stringify(test.audits.list({}))).not.toContain('my-password');
  });

  it.each([
    ['the account was disabled', 'is_enabled = 0'],
    ['the password was changed', "password_hash = 'another'"],
  ])('notices that %s while the password was checked', async (_, change) => {
    const slow = logIn();
    test.db.exec(`UPDATE users SET ${change}`);
    expect(await rejectionOf(slow)).toBe('invalid_credentials');
  });

  it.each(['Kim', 'nobody'])('locks %s for the address after five failures: locked_out', async (username) => {
    const codes = await failTimes(6, { username });
    expect(codes).toEqual([...Array<string>(5).fill('invalid_credentials'), 'locked_out']);
    expect(await rejectionOf(logIn())).toBe(username === 'Kim' ? 'locked_out' : undefined);
    test.clock.forward(10 * minuteMs);
    expect(await rejectionOf(logIn())).toBeUndefined();
  });

  it('locks for the time that passes, also when the clock of the machine is set', async () => {
    const db = openDatabase(test.db.name);
    const { logins } = composeAccounts({
      db,
      now: test.clock.now,
      passwordCost: { log2N: 1, r: 8, p: 1 },
    });
    const enter = (password: string): Promise<unknown> =>
      rejectionOf(logins.logIn({ username: 'Kim', password }, actor({ address: lanAddress })));
    for (let index = 0; index < 5; index += 1) await enter('wrong');
    for (const day of [1, -2]) {
      test.clock.forward(day * 24 * 60 * minuteMs);
      expect(await enter(goodPassword)).toBe('locked_out');
    }
    db.close();
  });

  it('locks one account however its name is written', async () => {
    await failTimes(5, { username: 'KIM' });
    expect(await rejectionOf(logIn({ username: 'kim' }))).toBe('locked_out');
  });

  it('never locks out whoever is at the machine', async () => {
    await failTimes(12, { address: '::1' });
    expect(await rejectionOf(logIn({ address: '::1' }))).toBeUndefined();
  });

  it('slows an account under attack for strangers only: rate_limited', async () => {
    await logIn();
    for (let index = 0; index < 50; index += 1) await failTimes(1, { address: `10.0.0.${index}` });
    expect(await failTimes(2, { address: '10.0.1.1' })).toEqual(['invalid_credentials', 'rate_limited']);
    expect(await rejectionOf(logIn())).toBeUndefined();
  });

  it('clears away sessions that have ended', async () => {
    await logIn();
    test.clock.forward(31 * 24 * 60 * minuteMs);
    await logIn();
    expect(test.db.prepare('SELECT count(*) FROM sessions').pluck().get()).toBe(1);
  });
});

describe('session', () => {
  it('tells by cookie with the CSRF token, by key without', async () => {
    const { session, token } = await logIn();
    const found = test.authenticator.authenticate({ address: lanAddress, session_cookie: token });
    expect(found && test.logins.session(found.actor)).toEqual(session);
    expect(test.logins.session(actorOf(session.user)).csrf_token).toBeNull();
  });
});

describe('logOut', () => {
  it('ends the session and writes it down', async () => {
    const { token } = await logIn();
    const found = test.authenticator.authenticate({ address: lanAddress, session_cookie: token });
    if (found) test.logins.logOut(found.actor);
    expect(test.authenticator.authenticate({ address: lanAddress, session_cookie: token })).toBeNull();
    expect(test.audits.list({ kind: 'auth.logout' }).audit).toHaveLength(1);
  });

  it('refuses a call by key: forbidden', async () => {
    const { session } = await logIn();
    expect(codeOf(() => test.logins.logOut(actorOf(session.user)))).toBe('forbidden');
  });
});
