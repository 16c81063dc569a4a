import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Actor } from '../../../server/auth/actor.ts';
import type { Authenticated } from '../../../server/auth/authenticator.ts';
import { builtInRoles } from '../../../server/contract/permission.ts';
import type { NewApiKey } from '../../../server/contract/api-key.ts';
import type { User } from '../../../server/contract/user.ts';
import { openDatabase, type Database } from '../../../server/db/open.ts';
import { composeAccounts } from '../../../server/composition/accounts.ts';
import { actor, actorOf, goodPassword, lanAddress, testAccounts, type TestAccounts } from '../../support/accounts.ts';

const dayMs = 24 * 60 * 60 * 1000;
const minuteMs = 60 * 1000;

let test: TestAccounts;
let kim: User;

beforeEach(async () => {
  test = testAccounts();
  kim = await test.add('kim', 'Editor');
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function logIn(): Promise<string> {
  return (await test.logins.logIn({ username: 'kim', password: goodPassword }, actor())).token;
}

function makeKey(wanted: { scope?: 'full' | 'readonly'; expires_at?: string } = {}): NewApiKey {
  return test.keys.create(kim.unique_id, { name: 'script', ...wanted }, actorOf(kim));
}

function bySession(session_cookie: string): Authenticated | null {
  return test.authenticator.authenticate({ address: lanAddress, session_cookie });
}

function byKey(key: string, carrier: 'basic' | 'header' | 'query' = 'header'): Authenticated | null {
  return test.authenticator.authenticate({ address: lanAddress, api_key: { key, carrier } });
}

describe('a session', () => {
  it('tells who calls, what he may and which CSRF token goes with it', async () => {
    const { session, token } = await test.logins.logIn({ username: 'kim', password: goodPassword }, actor());
    expect(bySession(token)).toEqual({
      actor: {
        user_id: kim.unique_id,
        username: 'kim',
        role: 'Editor',
        permissions: new Set(builtInRoles['Editor']),
        key_id: null,
        scope: 'full',
        session_id: expect.any(String) as string, // a matcher stands for the text
        address: lanAddress,
      } satisfies Actor,
      csrf_token: session.csrf_token,
    });
  });

  it('survives a restart of the server', async () => {
    const token = await logIn();
    const reopened = openDatabase(test.db.name);
    const { authenticator } = composeAccounts({ db: reopened, now: test.clock.now });
    expect(authenticator.authenticate({ address: lanAddress, session_cookie: token })?.actor.username).toBe('kim');
    reopened.close();
  });

  it('ends after 7 days without use, not before', async () => {
    const token = await logIn();
    test.clock.forward(7 * dayMs - 1);
    expect(bySession(token)).not.toBeNull();
    test.clock.forward(7 * dayMs);
    expect(bySession(token)).toBeNull();
  });

  it('ends after 30 days however much it is used', async () => {
    const token = await logIn();
    for (let day = 1; day < 30; day += 1) {
      test.clock.forward(dayMs);
      expect(bySession(token)).not.toBeNull();
    }
    test.clock.forward(dayMs);
    expect(bySession(token)).toBeNull();
  });

  it('ends with its log-out', async () => {
    const token = await logIn();
    const found = bySession(token);
    if (found) test.logins.logOut(found.actor);
    expect(bySession(token)).toBeNull();
  });

  it('is not opened by another value, nor by what is stored of it', async () => {
    await logIn();
    const stored = test.db.prepare<[], Buffer>('SELECT token_hash FROM sessions').pluck().get();
    expect(bySession('')).toBeNull();
    expect(bySession('nonsense')).toBeNull();
    expect(bySession(stored?.toString('base64url') ?? '')).toBeNull();
  });

  it('wins over a key that comes along, and an ended one gives way to it', async () => {
    const credentials = {
      address: lanAddress,
      session_cookie: await logIn(),
      api_key: { key: makeKey().key, carrier: 'header' as const },
    };
    expect(test.authenticator.authenticate(credentials)?.actor.key_id).toBeNull();
    test.clock.forward(31 * dayMs);
    expect(test.authenticator.authenticate(credentials)?.actor.key_id).not.toBeNull();
  });
});

describe('an API key', () => {
  it.each(['basic', 'header', 'query'] as const)('opens by the carrier %s, without a CSRF token', (carrier) => {
    const { key, key_id } = makeKey();
    expect(byKey(key, carrier)).toMatchObject({
      actor: { key_id, session_id: null, username: 'kim' },
      csrf_token: null,
    });
  });

  it('is 128 bytes in base64, of which the database holds nothing', () => {
    const { key } = makeKey();
    expect(Buffer.from(key, 'base64')).toHaveLength(128);
    const rows = JSON.stringify([
      test.db.prepare('SELECT * FROM api_keys').all(),
      test.db.prepare('SELECT * FROM audit').all(),
    ]);
    expect(rows).not.toContain(key.slice(0, 20));
  });

  it('has the scope that it was made with', () => {
    expect(byKey(makeKey({ scope: 'readonly' }).key)?.actor.scope).toBe('readonly');
    expect(byKey(makeKey().key)?.actor.scope).toBe('full');
  });

  it('may come with spaces for pluses in a query, and only there', () => {
    const key = keyWithPlus();
    expect(byKey(key.replaceAll('+', ' '), 'query')).not.toBeNull();
    expect(byKey(key.replaceAll('+', ' '), 'header')).toBeNull();
  });

  it('ends at its end, to the millisecond', () => {
    const { key } = makeKey({ expires_at: new Date(test.clock.ms + dayMs).toISOString() });
    test.clock.forward(dayMs - 1);
    expect(byKey(key)).not.toBeNull();
    test.clock.forward(1);
    expect(byKey(key)).toBeNull();
  });

  it('stays ended once it ran out, even if the clock is set back', () => {
    const expires_at = new Date(test.clock.ms + dayMs).toISOString();
    const { key, key_id } = makeKey({ expires_at });
    const lasting = makeKey();
    test.clock.forward(dayMs);
    expect([test.keys.endExpired(), test.keys.endExpired()]).toEqual([1, 0]);
    test.clock.forward(-dayMs);
    expect(byKey(key)).toBeNull();
    expect(byKey(lasting.key)).not.toBeNull();
    const ended = test.keys.list(kim.unique_id, actorOf(kim)).filter(({ revoked_at }) => revoked_at !== null);
    expect(ended).toMatchObject([{ key_id, revoked_at: expires_at }]);
  });

  it('opens nothing once it is revoked, even if the clock is set back', () => {
    const { key, key_id } = makeKey();
    expect(byKey(key)).not.toBeNull();
    test.keys.revoke({ userId: kim.unique_id, keyId: key_id }, actorOf(kim));
    expect(byKey(key)).toBeNull();
    test.clock.forward(-dayMs);
    expect(byKey(key)).toBeNull();
  });

  it.each(['', 'abc', '='.repeat(172), 'A'.repeat(171) + '=', 'A'.repeat(100_000)])('is not %.12s', (key) => {
    makeKey();
    expect(byKey(key)).toBeNull();
  });

  it('has its use noted at most once a minute', () => {
    const { key } = makeKey();
    const lastUsed = (): string | null | undefined => test.keys.list(kim.unique_id, actorOf(kim))[0]?.last_used_at;
    expect(lastUsed()).toBeNull();
    byKey(key);
    const first = lastUsed();
    expect(first).toBe(new Date(test.clock.ms).toISOString());
    test.clock.forward(minuteMs - 1);
    byKey(key);
    expect(lastUsed()).toBe(first);
    test.clock.forward(1);
    byKey(key);
    expect(lastUsed()).toBe(new Date(test.clock.ms).toISOString());
  });

  function keyWithPlus(): string {
    for (;;) {
      const { key } = makeKey();
      if (key.includes('+')) return key;
    }
  }
});

describe('an account that changes', () => {
  it.each([
    ['is disabled', (db: Database) => db.exec('UPDATE users SET is_enabled = 0')],
    ['is deleted', (db: Database) => db.exec('DELETE FROM users')],
  ])('that %s loses its session and keys at once', async (_, change) => {
    const token = await logIn();
    const { key } = makeKey();
    expect([bySession(token), byKey(key)]).not.toContain(null);
    change(test.db);
    expect([bySession(token), byKey(key)]).toEqual([null, null]);
  });

  it.each([
    ['role of the user', "UPDATE users SET role = 'Kiosk'"],
    ['permissions of the role', `UPDATE roles SET permissions = '["view_stats"]' WHERE name = 'Editor'`],
  ])('has the new permissions at once: %s', (_, change) => {
    const { key } = makeKey();
    expect(byKey(key)?.actor.permissions.size).toBe(5);
    test.db.exec(change);
    expect(byKey(key)?.actor.permissions).toEqual(new Set(['view_stats']));
  });

  it('changes at once when another process makes the change', () => {
    const { key } = makeKey();
    expect(byKey(key)).not.toBeNull();
    const other = openDatabase(test.db.name);
    other.exec('UPDATE users SET is_enabled = 0');
    expect(byKey(key)).toBeNull();
    other.exec('UPDATE users SET is_enabled = 1');
    expect(byKey(key)).not.toBeNull();
    other.close();
  });
});

it('asks the database nothing for a credential that it knows', async () => {
  const token = await logIn();
  const { key } = makeKey();
  bySession(token);
  byKey(key);
  const asked = spyOnStatements(test.db);
  for (let index = 0; index < 10; index += 1) {
    expect(bySession(token)).not.toBeNull();
    expect(byKey(key)).not.toBeNull();
  }
  expect(new Set(asked)).toEqual(new Set(['PRAGMA data_version']));
});

/** The text of every statement that runs from now on. */
function spyOnStatements(db: Database): string[] {
  const asked: string[] = [];
  const prototype = Object.getPrototypeOf(db.prepare('SELECT 1')) as Record<string, (...p: unknown[]) => unknown>; // methods of Statement
  for (const name of ['get', 'all', 'run', 'iterate']) {
    const original = prototype[name];
    vi.spyOn(prototype, name).mockImplementation(function (this: { source: string }, ...parameters: unknown[]) {
      asked.push(this.source);
      return original?.apply(this, parameters);
    });
  }
  return asked;
}
