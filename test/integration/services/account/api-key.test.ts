import { beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../../server/contract/user.ts';
import { actorOf, codeOf, testAccounts, type TestAccounts } from '../../../support/accounts.ts';

const nobody = '00000000-0000-4000-8000-000000000000';
let test: TestAccounts;
let admin: User;
let guest: User;

beforeEach(async () => {
  test = testAccounts();
  admin = await test.add('kim', 'Admin');
  guest = await test.add('lee', 'Guest');
});

describe('create', () => {
  it('makes a key of one’s own without any permission, full and without an end', () => {
    const made = test.keys.create(guest.unique_id, { name: 'script' }, actorOf(guest, []));
    expect(made).toMatchObject({ name: 'script', scope: 'full', expires_at: null });
    const { key: _, ...listed } = made;
    expect(test.keys.list(guest.unique_id, actorOf(guest, []))).toEqual([
      { ...listed, last_used_at: null, revoked_at: null },
    ]);
    expect(test.audits.list({ kind: 'apikey.create' }).audit).toMatchObject([
      { username: 'lee', target: made.key_id, after: { name: 'script', user_id: guest.unique_id } },
    ]);
  });

  it('makes a key of somebody else with edit_users', () => {
    expect(codeOf(() => test.keys.create(guest.unique_id, { name: 'k' }, actorOf(admin)))).toBeUndefined();
  });

  it('stores the end in UTC whatever its precision', () => {
    const made = test.keys.create(admin.unique_id, { name: 'k', expires_at: '2027-01-01T00:00:00Z' }, actorOf(admin));
    expect(made.expires_at).toBe('2027-01-01T00:00:00.000Z');
  });

  it('refuses an end that is past: invalid_field', () => {
    const expires_at = new Date(test.clock.ms).toISOString();
    const make = (): unknown => test.keys.create(admin.unique_id, { name: 'k', expires_at }, actorOf(admin));
    expect(codeOf(make)).toBe('invalid_field');
    expect(test.keys.list(admin.unique_id, actorOf(admin))).toEqual([]);
  });

  it('refuses a key of somebody else without edit_users, known or not: forbidden', () => {
    const held = actorOf(guest, ['edit_settings', 'view_logs']);
    expect(codeOf(() => test.keys.create(admin.unique_id, { name: 'k' }, held))).toBe('forbidden');
    expect(codeOf(() => test.keys.create(nobody, { name: 'k' }, held))).toBe('forbidden');
  });

  it('refuses a key of somebody who may more than oneself: forbidden', () => {
    const held = actorOf(guest, ['edit_users']);
    expect(codeOf(() => test.keys.create(admin.unique_id, { name: 'k' }, held))).toBe('forbidden');
  });

  it('refuses a user that is not there: not_found', () => {
    expect(codeOf(() => test.keys.create(nobody, { name: 'k' }, actorOf(admin)))).toBe('not_found');
  });
});

describe('list', () => {
  it('shows the keys of others to edit_users only: forbidden, not_found', () => {
    expect(test.keys.list(guest.unique_id, actorOf(admin))).toEqual([]);
    expect(codeOf(() => test.keys.list(admin.unique_id, actorOf(guest, ['view_settings'])))).toBe('forbidden');
    expect(codeOf(() => test.keys.list(nobody, actorOf(admin)))).toBe('not_found');
  });

  it('shows a readonly key its own user’s keys', () => {
    const readonly = { ...actorOf(guest, []), scope: 'readonly' as const };
    expect(test.keys.list(guest.unique_id, readonly)).toEqual([]);
  });
});

describe('revoke', () => {
  function made(): { userId: string; keyId: string } {
    const { key_id } = test.keys.create(guest.unique_id, { name: 'k' }, actorOf(guest, []));
    return { userId: guest.unique_id, keyId: key_id };
  }

  it('keeps the record and writes it down', () => {
    const path = made();
    test.clock.forward(1000);
    const revoked = test.keys.revoke(path, actorOf(guest, []));
    expect(revoked.revoked_at).toBe(new Date(test.clock.ms).toISOString());
    expect(test.keys.list(guest.unique_id, actorOf(guest, []))).toEqual([revoked]);
    expect(test.audits.list({ kind: 'apikey.revoke' }).audit).toMatchObject([
      { target: path.keyId, before: { revoked_at: null }, after: { revoked_at: revoked.revoked_at } },
    ]);
  });

  it('refuses somebody else without edit_users: forbidden', async () => {
    const other = await test.add('park', 'Guest');
    const path = made();
    expect(codeOf(() => test.keys.revoke(path, actorOf(other, [])))).toBe('forbidden');
    expect(codeOf(() => test.keys.revoke(path, actorOf(admin)))).toBeUndefined();
  });

  it('refuses the key of somebody who may more: forbidden', () => {
    const { key_id } = test.keys.create(admin.unique_id, { name: 'k' }, actorOf(admin));
    const path = { userId: admin.unique_id, keyId: key_id };
    expect(codeOf(() => test.keys.revoke(path, actorOf(guest, ['edit_users'])))).toBe('forbidden');
    expect(test.keys.list(admin.unique_id, actorOf(admin))).toMatchObject([{ revoked_at: null }]);
    expect(codeOf(() => test.keys.revoke(path, actorOf(admin)))).toBeUndefined();
  });

  it('refuses a key that is not there, or is another user’s: not_found', () => {
    const { keyId } = made();
    expect(codeOf(() => test.keys.revoke({ userId: admin.unique_id, keyId }, actorOf(admin)))).toBe('not_found');
    expect(codeOf(() => test.keys.revoke({ userId: admin.unique_id, keyId: nobody }, actorOf(admin)))).toBe(
      'not_found',
    );
  });

  it('refuses a second time and leaves the first: conflict', () => {
    const path = made();
    const { revoked_at } = test.keys.revoke(path, actorOf(guest, []));
    test.clock.forward(1000);
    expect(codeOf(() => test.keys.revoke(path, actorOf(guest, [])))).toBe('conflict');
    expect(test.keys.list(guest.unique_id, actorOf(guest, []))).toMatchObject([{ revoked_at }]);
  });
});
