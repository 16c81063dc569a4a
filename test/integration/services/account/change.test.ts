import { beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import type { Permission } from '../../../../server/contract/permission.ts';
import type { User, UserUpdate } from '../../../../server/contract/user.ts';
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

const newPassword = 'broad-window-77';
const unheard = '00000000-0000-4000-8000-000000000000';

let test: TestAccounts;
let kim: User;
let lee: User;

beforeEach(async () => {
  test = testAccounts();
  kim = await test.add('kim', 'Admin');
  lee = await test.add('lee', 'Editor');
});

function update(user: User, patch: UserUpdate, by = actorOf(kim)): Promise<User> {
  return test.accountChanges.update(user.unique_id, patch, by);
}

function by(user: User, ...held: Permission[]): ReturnType<typeof actorOf> {
  return actorOf(user, held);
}

async function logIn(username: string, password = goodPassword): Promise<string> {
  return (await test.logins.logIn({ username, password }, actor())).token;
}

/** Whether a session still opens anything, and as which role. */
function roleOf(token: string): string | null | undefined {
  return test.authenticator.authenticate({ address: lanAddress, session_cookie: token })?.actor.role;
}

describe('update', () => {
  it('changes what is named and leaves the rest', async () => {
    const first = await update(lee, { email: 'lee@example.com', language: 'ko' });
    expect(first).toEqual({ ...lee, email: 'lee@example.com', language: 'ko' });
    const second = await update(lee, { language: 'ja' });
    expect(second).toEqual({ ...first, language: 'ja' });
    expect(await update(lee, { email: null })).toEqual({ ...second, email: null });
    expect(test.accounts.get(lee.unique_id, actorOf(kim))).toEqual({ ...second, email: null });
  });

  it('writes down what was and what is, and no password', async () => {
    await update(lee, { role: 'Monitor', email: null, password: newPassword });
    const [record] = test.audits.list({ kind: 'user.update' }).audit;
    expect(record).toMatchObject({
      username: 'kim',
      target: lee.unique_id,
      before: { role: 'Editor' },
      after: { role: 'Monitor', password_changed: true },
    });
    expect(JSON.stringify(record)).not.toContain(newPassword);
  });

  it('takes the whole user back unchanged, and writes nothing down', async () => {
    const sent = { ...lee, unique_id: lee.unique_id };
    expect(await update(lee, sent)).toEqual(lee);
    expect(test.audits.list({ kind: 'user.update' }).audit).toEqual([]);
  });

  it.each<[UserUpdate, string]>([
    [{ unique_id: unheard }, 'read_only_field'],
    [{ username: 'eve' }, 'read_only_field'],
    [{ last_login_at: '2026-01-01T00:00:00.000Z' }, 'read_only_field'],
    [{ role: 'Boss' }, 'unknown_reference'],
    [{ password: 'password123' }, 'weak_password'],
    [{ password: newPassword, current_password: goodPassword }, 'invalid_field'],
    [{ current_password: goodPassword }, 'invalid_field'],
  ])('refuses %j and changes nothing: %s', async (patch, code) => {
    expect(await rejectionOf(update(lee, { email: 'lee@example.com', ...patch }))).toBe(code);
    expect(test.accounts.list()).toEqual([kim, lee]);
    await logIn('lee');
  });

  it('knows nobody of an unheard id: not_found', async () => {
    expect(await rejectionOf(update({ ...lee, unique_id: unheard }, { email: null }))).toBe('not_found');
  });
});

describe('one who may not edit users', () => {
  it('reads and changes his own address, language and password alone', async () => {
    const own = by(lee, 'edit_settings');
    expect(test.accounts.get(lee.unique_id, own)).toEqual(lee);
    expect(await update(lee, { email: 'lee@example.com', language: 'ja' }, own)).toMatchObject({ language: 'ja' });
    expect(await rejectionOf(update(lee, { role: 'Admin' }, own))).toBe('forbidden');
    expect(await rejectionOf(update(lee, { is_enabled: false }, own))).toBe('forbidden');
    expect(await rejectionOf(update(kim, { email: null }, own))).toBe('forbidden');
    expect(await rejectionOf(update({ ...kim, unique_id: unheard }, { email: null }, own))).toBe('forbidden');
    expect(codeOf(() => test.accounts.get(kim.unique_id, own))).toBe('forbidden');
  });
});

describe('a password of one’s own', () => {
  it('is changed with the one before', async () => {
    await update(lee, { password: newPassword, current_password: goodPassword }, by(lee));
    expect(await rejectionOf(logIn('lee'))).toBe('invalid_credentials');
    await logIn('lee', newPassword);
  });

  it('is not changed without it, nor with another: invalid_field, wrong_password', async () => {
    expect(await rejectionOf(update(lee, { password: newPassword }, by(lee)))).toBe('invalid_field');
    const wrong = { password: newPassword, current_password: 'guess' };
    expect(await rejectionOf(update(lee, wrong, by(lee)))).toBe('wrong_password');
    expect(await rejectionOf(update(kim, { password: newPassword }))).toBe('invalid_field'); // administrators too
    await logIn('lee');
  });

  it('is not guessed at by a stolen session: locked_out', async () => {
    const guess = { password: newPassword, current_password: 'guess' };
    for (let tries = 0; tries < 5; tries += 1) await rejectionOf(update(lee, guess, by(lee)));
    const right = { password: newPassword, current_password: goodPassword };
    expect(await rejectionOf(update(lee, right, by(lee)))).toBe('locked_out');
  });
});

describe('the sessions of a user', () => {
  it.each<[string, UserUpdate]>([
    ['a new role', { role: 'Monitor' }],
    ['a new password', { password: newPassword }],
    ['being disabled', { is_enabled: false }],
  ])('end with %s', async (_, patch) => {
    const [one, other, mine] = [await logIn('lee'), await logIn('lee'), await logIn('kim')];
    await update(lee, patch);
    expect([one, other, mine].map(roleOf)).toEqual([undefined, undefined, 'Admin']);
  });

  it('stay with a new language', async () => {
    const token = await logIn('lee');
    await update(lee, { language: 'ko' });
    expect(roleOf(token)).toBe('Editor');
  });

  it('end with a new password of his own, but the one that changed it', async () => {
    const [here, there] = [await logIn('lee'), await logIn('lee')];
    const own = test.authenticator.authenticate({ address: lanAddress, session_cookie: here })?.actor ?? systemActor;
    await update(lee, { password: newPassword, current_password: goodPassword }, own);
    expect([here, there].map(roleOf)).toEqual(['Editor', undefined]);
  });

  it('do not come back when the user is enabled again', async () => {
    const token = await logIn('lee');
    await update(lee, { is_enabled: false });
    expect(await rejectionOf(logIn('lee'))).toBe('invalid_credentials');
    await update(lee, { is_enabled: true });
    expect(roleOf(token)).toBeUndefined();
    await logIn('lee');
  });
});

describe('the last enabled administrator', () => {
  it.each<[string, () => unknown]>([
    ['demoted', () => update(kim, { role: 'Editor' })],
    ['disabled', () => update(kim, { is_enabled: false })],
    ['deleted', async () => test.accountChanges.remove(kim.unique_id, actorOf(kim))],
    ['demoted by the command line', () => update(kim, { role: 'Guest' }, systemActor)],
  ])('is not %s: last_admin', async (_, change) => {
    const park = await test.add('park', 'Admin');
    await update(park, { is_enabled: false });
    expect(await rejectionOf(Promise.resolve(change()))).toBe('last_admin');
    await update(park, { is_enabled: true });
    expect(await rejectionOf(Promise.resolve(change()))).toBeUndefined();
  });

  it('remains when two administrators demote each other at once', async () => {
    const park = await test.add('park', 'Admin');
    const codes = await Promise.all([
      rejectionOf(update(kim, { role: 'Guest', password: newPassword }, actorOf(park))),
      rejectionOf(update(park, { role: 'Guest', password: newPassword }, actorOf(kim))),
    ]);
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect(test.accounts.list().filter((user) => user.role === 'Admin')).toHaveLength(1);
  });
});

describe('who may edit users and little else', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['raises himself', () => update(lee, { role: 'Admin' }, by(lee, 'edit_users'))],
    [
      'raises another',
      () => test.add('cho', 'Guest').then((cho) => update(cho, { role: 'Editor' }, by(lee, 'edit_users'))),
    ],
    ['sets the password of one who may more', () => update(kim, { password: newPassword }, by(lee, 'edit_users'))],
    ['disables one who may more', () => update(kim, { is_enabled: false }, by(lee, 'edit_users'))],
  ])('never %s: forbidden', async (_, change) => {
    expect(await rejectionOf(change())).toBe('forbidden');
  });

  it('deletes nobody who may more: forbidden', () => {
    expect(codeOf(() => test.accountChanges.remove(kim.unique_id, by(lee, 'edit_users')))).toBe('forbidden');
  });

  it('cannot use what he lost while a password was hashed: forbidden', async () => {
    const boss = await test.add('park', 'Admin');
    const slow = update(lee, { role: 'Admin', password: newPassword }, actorOf(boss));
    test.db.exec("UPDATE users SET role = 'Guest' WHERE username = 'park'");
    expect(await rejectionOf(slow)).toBe('forbidden');
    expect(test.accounts.find('lee')?.role).toBe('Editor');
  });
});

describe('remove', () => {
  it('takes sessions, keys and name, and leaves what the user did', async () => {
    const token = await logIn('lee');
    const { key, key_id } = test.keys.create(lee.unique_id, { name: 'script' }, actorOf(lee));
    test.accountChanges.remove(lee.unique_id, actorOf(kim));
    expect(roleOf(token)).toBeUndefined();
    const byKey = { address: lanAddress, api_key: { key, carrier: 'header' as const } };
    expect(test.authenticator.authenticate(byKey)).toBeNull();
    expect(test.accounts.list()).toEqual([kim]);
    expect(test.audits.list({ user: 'lee' }).audit.map((record) => record.kind)).toEqual([
      'apikey.create',
      'auth.login',
    ]);
    expect(test.audits.list({ kind: 'user.delete' }).audit).toMatchObject([
      { username: 'kim', target: lee.unique_id, before: { username: 'lee', api_keys: [{ key_id, name: 'script' }] } },
    ]);
    const again = await test.add('lee', 'Guest');
    expect(again.unique_id).not.toBe(lee.unique_id);
  });

  it('knows nobody of an unheard id: not_found', () => {
    expect(codeOf(() => test.accountChanges.remove(unheard, actorOf(kim)))).toBe('not_found');
  });
});
