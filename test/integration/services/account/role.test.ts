import { beforeEach, describe, expect, it } from 'vitest';
import { builtInRoles, type Permission } from '../../../../server/contract/permission.ts';
import type { Role } from '../../../../server/contract/role.ts';
import type { User } from '../../../../server/contract/user.ts';
import {
  actor,
  actorOf,
  codeOf,
  goodPassword,
  lanAddress,
  testAccounts,
  type TestAccounts,
} from '../../../support/accounts.ts';
import { refusalOf } from '../../../support/refusal.ts';

const unheard = '00000000-0000-4000-8000-000000000000';

let test: TestAccounts;
let kim: User;
let grower: Role;

beforeEach(async () => {
  test = testAccounts();
  kim = await test.add('kim', 'Admin');
  grower = test.roles.create({ name: 'Grower', permissions: ['view_stats', 'edit_controllers'] }, actorOf(kim));
});

function limited(...held: Permission[]): ReturnType<typeof actorOf> {
  return actorOf(kim, held);
}

async function logIn(username: string): Promise<() => Permission[] | undefined> {
  const { token } = await test.logins.logIn({ username, password: goodPassword }, actor());
  return () => {
    const found = test.authenticator.authenticate({ address: lanAddress, session_cookie: token });
    return found === null ? undefined : [...found.actor.permissions];
  };
}

describe('list', () => {
  it('has the delivered roles and the own ones', () => {
    const roles = test.roles.list();
    const delivered = roles.filter((role) => role.is_delivered);
    expect(Object.fromEntries(delivered.map((role) => [role.name, role.permissions]))).toEqual(builtInRoles);
    expect(roles.filter((role) => !role.is_delivered)).toEqual([grower]);
    for (const role of roles) expect(test.roles.get(role.unique_id)).toEqual(role);
  });
});

describe('create', () => {
  it('makes a role that users can have', async () => {
    expect(grower).toMatchObject({
      name: 'Grower',
      permissions: ['edit_controllers', 'view_stats'],
      is_delivered: false,
    });
    expect(await test.add('lee', 'Grower')).toMatchObject({ role: 'Grower' });
    expect((await logIn('lee'))()).toEqual(['edit_controllers', 'view_stats']);
    expect(test.audits.list({ kind: 'role.create' }).audit).toMatchObject([
      { target: grower.unique_id, after: grower },
    ]);
  });

  it('gives nobody more than its maker has: forbidden', async () => {
    const make = (): Role =>
      test.roles.create({ name: 'Boss', permissions: ['edit_users', 'edit_settings'] }, limited('edit_users'));
    expect(await refusalOf(make)).toMatchObject({ code: 'forbidden', members: { permissions: ['edit_settings'] } });
  });

  it.each(['Grower', 'GROWER', 'ｇｒｏｗｅｒ', 'admin'])(
    'refuses the name %s, which there is: already_exists',
    (name) => {
      expect(codeOf(() => test.roles.create({ name, permissions: [] }, actorOf(kim)))).toBe('already_exists');
    },
  );
});

describe('update', () => {
  it('takes effect at once and ends the sessions of who has the role', async () => {
    await test.add('lee', 'Grower');
    await test.add('park', 'Editor');
    const { key } = test.keys.create(test.accounts.find('lee')?.unique_id ?? '', { name: 'script' }, actorOf(kim));
    const [lee, park] = [await logIn('lee'), await logIn('park')];
    test.roles.update(grower.unique_id, { permissions: ['view_stats'] }, actorOf(kim));
    expect(lee()).toBeUndefined();
    expect(park()).toContain('edit_settings');
    const byKey = test.authenticator.authenticate({ address: lanAddress, api_key: { key, carrier: 'header' } });
    expect([...(byKey?.actor.permissions ?? [])]).toEqual(['view_stats']);
    expect((await logIn('lee'))()).toEqual(['view_stats']);
  });

  it('keeps users and sessions under a new name', async () => {
    const made = await test.add('lee', 'Grower');
    const lee = await logIn('lee');
    const renamed = test.roles.update(grower.unique_id, { name: 'Head grower' }, actorOf(kim));
    expect(renamed).toEqual({ ...grower, name: 'Head grower' });
    expect(test.accounts.find('lee')).toMatchObject({ unique_id: made.unique_id, role: 'Head grower' });
    expect(lee()).toEqual(['edit_controllers', 'view_stats']);
  });

  it('takes the whole role back unchanged, a delivered one too, and writes nothing down', () => {
    for (const role of test.roles.list()) expect(test.roles.update(role.unique_id, role, actorOf(kim))).toEqual(role);
    const mixed = { permissions: grower.permissions.toReversed(), unique_id: grower.unique_id };
    expect(test.roles.update(grower.unique_id, mixed, actorOf(kim))).toEqual(grower);
    expect(test.audits.list({ kind: 'role.update' }).audit).toEqual([]);
  });

  it.each<[string, () => unknown, string]>([
    ['another id', () => test.roles.update(grower.unique_id, { unique_id: unheard }, actorOf(kim)), 'read_only_field'],
    ['delivered', () => test.roles.update(grower.unique_id, { is_delivered: true }, actorOf(kim)), 'read_only_field'],
    [
      'more than the actor has',
      () =>
        test.roles.update(
          grower.unique_id,
          { permissions: ['edit_users', 'view_logs'] },
          limited('edit_users', 'view_stats', 'edit_controllers'),
        ),
      'forbidden',
    ],
    [
      'less, of a role that may more',
      () => test.roles.update(grower.unique_id, { permissions: [] }, limited('edit_users')),
      'forbidden',
    ],
    ['an unheard role', () => test.roles.update(unheard, { name: 'X' }, actorOf(kim)), 'not_found'],
    [
      'a name that there is',
      () => test.roles.update(grower.unique_id, { name: 'kiosk' }, actorOf(kim)),
      'already_exists',
    ],
  ])('refuses %s and changes nothing: %s', (_, change, code) => {
    expect(codeOf(change)).toBe(code);
    expect(test.roles.get(grower.unique_id)).toEqual(grower);
  });

  it.each(Object.keys(builtInRoles))('never changes or deletes the delivered role %s: conflict', (name) => {
    const role = test.roles.list().find((one) => one.name === name) ?? grower;
    expect(codeOf(() => test.roles.update(role.unique_id, { name: 'Mine' }, actorOf(kim)))).toBe('conflict');
    const changed = { permissions: name === 'Guest' ? (['view_stats'] as const).slice() : [] };
    expect(codeOf(() => test.roles.update(role.unique_id, changed, actorOf(kim)))).toBe('conflict');
    expect(codeOf(() => test.roles.remove(role.unique_id, actorOf(kim)))).toBe('conflict');
  });
});

describe('remove', () => {
  it('names who has the role: in_use', async () => {
    const lee = await test.add('lee', 'Grower');
    const refusal = await refusalOf(() => test.roles.remove(grower.unique_id, actorOf(kim)));
    expect(refusal).toMatchObject({
      code: 'in_use',
      members: { users: [{ kind: 'user', unique_id: lee.unique_id, name: 'lee' }] },
    });
  });

  it('takes one that nobody has', () => {
    test.roles.remove(grower.unique_id, actorOf(kim));
    expect(codeOf(() => test.roles.get(grower.unique_id))).toBe('not_found');
    expect(test.audits.list({ kind: 'role.delete' }).audit).toMatchObject([{ before: grower }]);
  });

  it('takes none that may more than the actor: forbidden', () => {
    expect(codeOf(() => test.roles.remove(grower.unique_id, limited('edit_users')))).toBe('forbidden');
  });
});
