import { systemActor } from '../../server/auth/system-actor.ts';
import type { Actor } from '../../server/auth/actor.ts';
import { SetupToken } from '../../server/auth/setup-token.ts';
import type { User } from '../../server/contract/user.ts';
import { permissions, type Permission } from '../../server/contract/permission.ts';
import type { Database } from '../../server/db/open.ts';
import { composeAccounts, type Accounts } from '../../server/composition/accounts.ts';
import { testDatabase } from './database.ts';

export const start = Date.parse('2026-03-01T06:00:00.000Z');
export const goodPassword = 'tall-ladder-42';
export const lanAddress = '192.168.1.20';

/** A clock that moves only when the test moves it. */
export class FakeClock {
  ms = start;
  readonly now = (): number => this.ms;

  forward(ms: number): void {
    this.ms += ms;
  }
}

export interface TestAccounts extends Accounts {
  db: Database;
  clock: FakeClock;
  setupToken: SetupToken;
  /** Creates an account with `goodPassword`. */
  add(username: string, role: string): Promise<User>;
}

/** Everything about accounts over a fresh orangery.db, with scrypt at its cheapest. */
export function testAccounts(options: { onSetUp?: () => void } = {}): TestAccounts {
  const db = testDatabase('orangery');
  const clock = new FakeClock();
  const setupToken = new SetupToken();
  const passwordCost = { log2N: 1, r: 8, p: 1 };
  const composed = composeAccounts({
    db,
    now: clock.now,
    elapsed: clock.now,
    trusted: clock.now,
    setupToken,
    passwordCost,
    timeZone: 'Asia/Seoul',
    ...options,
  });
  const add = (username: string, role: string): Promise<User> =>
    composed.accounts.create({ username, role, password: goodPassword }, systemActor);
  return { ...composed, db, clock, setupToken, add };
}

/** A caller on the LAN, without a login unless the test sets one. */
export function actor(is: Partial<Omit<Actor, 'permissions'>> & { permissions?: readonly Permission[] } = {}): Actor {
  return { ...systemActor, address: lanAddress, ...is, permissions: new Set(is.permissions) };
}

/** An actor with every permission, or the ones named. */
export function actorOf(user: User, held: readonly Permission[] = permissions): Actor {
  return actor({ user_id: user.unique_id, username: user.username, role: user.role, permissions: held });
}

/** The code of the error that a call throws, undefined when it succeeds. */
export function codeOf(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
  return undefined;
}

/** The same for an asynchronous call. */
export async function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => codeOf(() => throwIt(error)),
  );
}

function throwIt(error: unknown): never {
  throw error instanceof Error ? error : new TypeError('not an Error was thrown');
}
