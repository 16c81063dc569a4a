import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { NewApiKey } from '../../../server/contract/api-key.ts';
import type { User } from '../../../server/contract/user.ts';
import { openDatabase, type Database } from '../../../server/db/open.ts';
import { actorOf, codeOf, lanAddress, testAccounts, type TestAccounts } from '../../support/accounts.ts';

const minuteMs = 60_000;

/** What a key should be worth, kept apart from the code under test. */
interface Expected {
  key: NewApiKey;
  endsAt: number;
  isRevoked: boolean;
}

interface World {
  test: TestAccounts;
  owner: User;
  other: Database;
  keys: Expected[];
  isEnabled: boolean;
}

type Operation = (world: World) => void;

const pick = fc.nat({ max: 9 });

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }).map((minutes): Operation => (world) => {
    const endsAt = minutes === undefined ? Infinity : world.test.clock.ms + minutes * minuteMs;
    const end = minutes === undefined ? {} : { expires_at: new Date(endsAt).toISOString() };
    const key = world.test.keys.create(world.owner.unique_id, { name: 'script', ...end }, actorOf(world.owner));
    world.keys.push({ key, endsAt, isRevoked: false });
  }),
  fc.tuple(pick, fc.boolean()).map(([index, byOther]): Operation => (world) => {
    const expected = world.keys[index % world.keys.length];
    if (expected === undefined) return;
    const { key_id } = expected.key;
    if (byOther) world.other.prepare("UPDATE api_keys SET revoked_at = 'now' WHERE key_id = ?").run(key_id);
    else codeOf(() => world.test.keys.revoke({ userId: world.owner.unique_id, keyId: key_id }, actorOf(world.owner)));
    expected.isRevoked = true;
  }),
  fc.integer({ min: -10, max: 40 }).map(
    (minutes): Operation =>
      ({ test }) =>
        test.clock.forward(minutes * minuteMs),
  ),
  fc.tuple(fc.boolean(), fc.boolean()).map(([isEnabled, byOther]): Operation => (world) => {
    const db = byOther ? world.other : world.test.db;
    db.prepare('UPDATE users SET is_enabled = ?').run(Number(isEnabled));
    world.isEnabled = isEnabled;
  }),
  pick.map((index): Operation => (world) => {
    const expected = world.keys[index % world.keys.length];
    if (expected !== undefined) authenticates(world, expected);
  }),
);

function authenticates({ test }: World, { key }: Expected): boolean {
  const credentials = { address: lanAddress, api_key: { key: key.key, carrier: 'basic' as const } };
  return test.authenticator.authenticate(credentials)?.actor.key_id === key.key_id;
}

it('a key opens exactly while it is neither revoked nor past its end and its user is enabled', async () => {
  const test = testAccounts();
  const owner = await test.add('kim', 'Admin');
  const other = openDatabase(test.db.name);
  test.db.pragma('synchronous = OFF'); // thousands of commits that no power cut matters to
  other.pragma('synchronous = OFF');
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
      const world: World = { test, owner, other, keys: [], isEnabled: true };
      test.db.exec('DELETE FROM api_keys; UPDATE users SET is_enabled = 1');
      for (const operate of operations) {
        operate(world);
        for (const expected of world.keys) {
          const isGood = world.isEnabled && !expected.isRevoked && test.clock.ms < expected.endsAt;
          expect(authenticates(world, expected)).toBe(isGood);
        }
      }
    }),
    { numRuns: process.env['TEST_SCALE'] === 'long' ? 2000 : 60 },
  );
  other.close();
});
