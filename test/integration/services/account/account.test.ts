import { beforeEach, describe, expect, it, vi } from 'vitest';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import { builtInRoles } from '../../../../server/contract/permission.ts';
import {
  actor,
  actorOf,
  goodPassword,
  rejectionOf,
  testAccounts,
  type TestAccounts,
} from '../../../support/accounts.ts';

const onSetUp = vi.fn();
let test: TestAccounts;

beforeEach(() => {
  onSetUp.mockClear();
  test = testAccounts({ onSetUp });
});

function setUp(changed: { setup_token?: string; username?: string; password?: string } = {}): Promise<unknown> {
  const body = { setup_token: test.setupToken.value, username: 'kim', password: goodPassword, ...changed };
  return test.accounts.setUp(body, actor());
}

describe('setUp', () => {
  it('makes the first administrator', async () => {
    expect(test.accounts.isSetUp()).toBe(false);
    expect(await setUp()).toMatchObject({ username: 'kim', role: 'Admin', is_enabled: true, last_login_at: null });
    expect(test.accounts.isSetUp()).toBe(true);
    expect(onSetUp).toHaveBeenCalledOnce();
    expect(test.audits.list({}).audit).toMatchObject([{ kind: 'auth.setup', username: null }]);
  });

  it('refuses a weak password: weak_password', async () => {
    expect(await rejectionOf(setUp({ password: 'password123' }))).toBe('weak_password');
    expect(test.accounts.isSetUp()).toBe(false);
  });

  it('refuses another token: setup_token_invalid', async () => {
    expect(await rejectionOf(setUp({ setup_token: 'guess' }))).toBe('setup_token_invalid');
    expect(test.accounts.isSetUp()).toBe(false);
  });

  it('refuses a second time, with the right token too: already_set_up', async () => {
    await setUp();
    expect(await rejectionOf(setUp({ username: 'eve' }))).toBe('already_set_up');
    expect(await rejectionOf(setUp({ username: 'eve', setup_token: 'guess' }))).toBe('already_set_up');
  });

  it('lets one of two at the same time win', async () => {
    const codes = await Promise.all([rejectionOf(setUp()), rejectionOf(setUp({ username: 'eve' }))]);
    expect(codes).toEqual([undefined, 'already_set_up']);
    expect(test.accounts.list().map((user) => user.username)).toEqual(['kim']);
  });

  it('refuses after the command line made an administrator', async () => {
    await test.add('lee', 'Admin');
    expect(await rejectionOf(setUp())).toBe('already_set_up');
  });
});

describe('create', () => {
  const wanted = { username: 'lee', password: goodPassword, role: 'Monitor' };

  it('makes a user and writes it down, without the password', async () => {
    const kim = await test.add('kim', 'Admin');
    const lee = await test.accounts.create({ ...wanted, email: 'lee@farm.example', language: 'ko' }, actorOf(kim));
    expect(lee).toMatchObject({ username: 'lee', role: 'Monitor', email: 'lee@farm.example', language: 'ko' });
    expect(test.accounts.list()).toEqual([kim, lee]);
    expect(test.audits.list({ kind: 'user.create', user: 'kim' }).audit).toMatchObject([
      { username: 'kim', target: lee.unique_id, after: lee },
    ]);
    expect(JSON.stringify(test.audits.list({}))).not.toContain('scrypt');
  });

  it('refuses a weak password: weak_password', async () => {
    expect(await rejectionOf(test.accounts.create({ ...wanted, password: 'lee' }, systemActor))).toBe('weak_password');
    expect(test.accounts.list()).toEqual([]);
  });

  it('refuses a role that is not there: unknown_reference', async () => {
    expect(await rejectionOf(test.accounts.create({ ...wanted, role: 'admin' }, systemActor))).toBe(
      'unknown_reference',
    );
  });

  it('refuses a role that may more than who gives it: forbidden', async () => {
    const kim = await test.add('kim', 'Admin');
    const limited = actorOf(kim, ['edit_users', 'view_stats']);
    expect(await rejectionOf(test.accounts.create(wanted, limited))).toBe('forbidden');
    expect(await rejectionOf(test.accounts.create({ ...wanted, role: 'Kiosk' }, limited))).toBeUndefined();
  });

  it.each(['lee', 'LEE', 'ｌｅｅ'])(
    'refuses a username that is taken, written %s: already_exists',
    async (username) => {
      await test.add('Lee', 'Guest');
      expect(await rejectionOf(test.accounts.create({ ...wanted, username }, systemActor))).toBe('already_exists');
    },
  );

  it('lets one of two with the same name at the same time win', async () => {
    const codes = await Promise.all([1, 2].map(() => rejectionOf(test.accounts.create(wanted, systemActor))));
    expect(codes.sort()).toEqual(['already_exists', undefined]);
  });

  it('tells that the first account exists', async () => {
    await test.add('kim', 'Admin');
    await test.add('lee', 'Guest');
    expect(onSetUp).toHaveBeenCalledOnce();
  });
});

it('delivers the roles of the contract', () => {
  const rows = test.db.prepare<[], { name: string; permissions: string }>('SELECT * FROM roles').all();
  const roles = rows.map(({ name, permissions }) => [name, JSON.parse(permissions) as unknown] as const);
  expect(Object.fromEntries(roles)).toEqual(builtInRoles);
});
