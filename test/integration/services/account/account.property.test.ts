import fc from 'fast-check';
import { expect, it } from 'vitest';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import { permissions, type Permission } from '../../../../server/contract/permission.ts';
import type { Role } from '../../../../server/contract/role.ts';
import type { User } from '../../../../server/contract/user.ts';
import { isRefusal } from '../../../../server/contract/errors.ts';
import { actorOf, goodPassword, testAccounts, type TestAccounts } from '../../../support/accounts.ts';

const newPassword = 'broad-window-77';

/** One attempt of somebody; numbers pick users and roles of those that there are. */
interface Attempt {
  by: number;
  on: number;
  role: number;
  permissions: Permission[];
  isEnabled: boolean;
  what: 'create' | 'place' | 'disable' | 'remove' | 'password' | 'key' | 'make role' | 'change role' | 'remove role';
}

const pick = fc.nat({ max: 9 });
const attempt: fc.Arbitrary<Attempt> = fc.record({
  by: pick,
  on: pick,
  role: pick,
  permissions: fc.subarray([...permissions]),
  isEnabled: fc.boolean(),
  what: fc.constantFrom(
    'create',
    'place',
    'disable',
    'remove',
    'password',
    'key',
    'make role',
    'change role',
    'remove role',
  ),
});

let count = 0;

/** Tries it with what the acting user may at this moment; a refusal is as good as a success. */
async function perform(test: TestAccounts, tried: Attempt, by: User): Promise<void> {
  const actor = actorOf(by, held(test, by));
  const [users, roles] = [test.accounts.list(), test.roles.list()];
  const on = users[tried.on % users.length] ?? by;
  const role = roles[tried.role % roles.length] ?? { unique_id: '', name: '' };
  count += 1;
  const works: Record<Attempt['what'], () => unknown> = {
    create: () => test.accounts.create({ username: `u${count}`, password: goodPassword, role: role.name }, actor),
    place: () => test.accountChanges.update(on.unique_id, { role: role.name }, actor),
    disable: () => test.accountChanges.update(on.unique_id, { is_enabled: tried.isEnabled }, actor),
    remove: () => test.accountChanges.remove(on.unique_id, actor),
    password: () => test.accountChanges.update(on.unique_id, { password: newPassword }, actor),
    key: () => test.keys.create(on.unique_id, { name: 'k' }, actor),
    'make role': () => test.roles.create({ name: `r${count}`, permissions: tried.permissions }, actor),
    'change role': () => test.roles.update(role.unique_id, { permissions: tried.permissions }, actor),
    'remove role': () => test.roles.remove(role.unique_id, actor),
  };
  try {
    await works[tried.what]();
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

function held(test: TestAccounts, user: User): Permission[] {
  if (!user.is_enabled) return [];
  return test.roles.list().find((role) => role.name === user.role)?.permissions ?? [];
}

function isWithin(inner: readonly Permission[], outer: readonly Permission[]): boolean {
  return inner.every((permission) => outer.includes(permission));
}

/** What must be true after every attempt of `by`, who held `before`. */
function check(test: TestAccounts, by: User, before: { held: Permission[]; users: User[]; roles: Role[] }): void {
  const users = test.accounts.list();
  expect(users.some((user) => user.is_enabled && user.role === 'Admin')).toBe(true);
  const now = users.find((user) => user.unique_id === by.unique_id);
  if (now !== undefined) expect(isWithin(held(test, now), before.held)).toBe(true);
  for (const user of users) {
    const earlier = before.users.find((one) => one.unique_id === user.unique_id);
    const earlierRole = before.roles.find((role) => role.name === earlier?.role);
    const role = test.roles.list().find((one) => one.name === user.role);
    const gained = (role?.permissions ?? []).filter((one) => !(earlierRole?.permissions ?? []).includes(one));
    expect(isWithin(gained, before.held)).toBe(true);
  }
}

it('never leaves no enabled administrator, and never gives anybody what the giver lacks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { maxLength: 25 }), async (attempts) => {
      const test = testAccounts();
      test.db.pragma('synchronous = OFF'); // thousands of commits that no power cut matters to
      await test.add('kim', 'Admin');
      const make = (name: string, permissions: Permission[]): Role =>
        test.roles.create({ name, permissions }, systemActor);
      make('Clerk', ['edit_users', 'view_stats']);
      make('Head', ['edit_users', 'edit_settings', 'view_logs']);
      for (const [username, role] of [
        ['lee', 'Clerk'],
        ['park', 'Head'],
        ['cho', 'Editor'],
      ] as const)
        await test.add(username, role);
      for (const tried of attempts) {
        const users = test.accounts.list();
        const by = users[tried.by % users.length];
        if (by === undefined) throw new Error('everybody is gone');
        const before = { held: held(test, by), users, roles: test.roles.list() };
        await perform(test, tried, by);
        check(test, by, before);
      }
    }),
    { numRuns: process.env['TEST_SCALE'] === 'long' ? 1000 : 30 },
  );
});
