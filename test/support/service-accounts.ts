import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { systemActor } from '../../server/auth/system-actor.ts';
import { orangeryMigrations } from '../../server/db/migrations/orangery.ts';
import { openDatabase, type Database } from '../../server/db/open.ts';
import { composeAccounts, type Accounts } from '../../server/composition/accounts.ts';
import { goodPassword } from './accounts.ts';

/**
 * Works with the accounts of a data directory like the command line does, beside a service or before its first start.
 */
export async function withAccounts<T>(
  dataDirectory: string,
  work: (accounts: Accounts, db: Database) => Promise<T> | T,
): Promise<T> {
  const db = openDatabase(join(dataDirectory, 'orangery.db'), { migrations: orangeryMigrations });
  // scrypt at its cheapest: the cost is stored with each password
  const accounts = composeAccounts({ db, now: Date.now, passwordCost: { log2N: 1, r: 8, p: 1 } });
  try {
    return await work(accounts, db);
  } finally {
    accounts.later.stop();
    await accounts.audits.stop();
    db.close();
  }
}

/** Creates an account with `goodPassword` and returns a key for it. */
export function addAccount(dataDirectory: string, role = 'Admin'): Promise<string> {
  return withAccounts(dataDirectory, async ({ accounts, keys }) => {
    const username = `${role.toLowerCase()}-${randomUUID().slice(0, 8)}`;
    const user = await accounts.create({ username, role, password: goodPassword }, systemActor);
    return keys.create(user.unique_id, { name: 'test', scope: 'full' }, systemActor).key;
  });
}
