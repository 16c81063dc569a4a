import { join } from 'node:path';
import type { z } from 'zod';
import { systemActor } from '../auth/system-actor.ts';
import { composeAccounts, type Accounts } from '../composition/accounts.ts';
import { apiKeyEndpoints } from '../contract/api-key.ts';
import { parseOrRefuse } from '../contract/field-errors.ts';
import { userEndpoints, type User } from '../contract/user.ts';
import { lockDataDirectory } from '../data-directory.ts';
import { orangeryMigrations } from '../db/migrations/orangery.ts';
import { isBehind, openDatabase, type Database } from '../db/open.ts';
import { refuseLostConfiguration } from '../lost-configuration.ts';
import { directoryOf, readLine, UsageError, type Answer, type Command, type Options } from './asked.ts';
import type { Terminal } from '../commands/terminal.ts';

/** A running service holds the lock for milliseconds, another program perhaps for seconds. */
const lockPatienceMs = 5_000;

export const accountCommands = {
  'admin create': createAdmin,
  'admin api-key': createApiKey,
  'admin password': setPassword,
  'admin totp-off': removeTotp,
} satisfies Record<string, Command>;

async function createAdmin(given: Options, terminal: Terminal): Promise<Answer> {
  const username = needed(given, 'username');
  const password = await readPassword('admin create', given, terminal);
  const wanted = checked(userEndpoints.create.body, { username, password, role: 'Admin' });
  return withAccounts(given, terminal, async ({ accounts }) => {
    const user = await accounts.create(wanted, systemActor);
    return { lines: [`administrator ${user.username} made`], data: user };
  });
}

async function createApiKey(given: Options, terminal: Terminal): Promise<Answer> {
  const username = needed(given, 'username');
  const wanted = checked(apiKeyEndpoints.create.body, { name: needed(given, 'name'), scope: given.scope });
  return withAccounts(given, terminal, ({ accounts, keys }) => {
    const made = keys.create(findUser(accounts, username).unique_id, wanted, systemActor);
    return { lines: [made.key], data: made };
  });
}

async function setPassword(given: Options, terminal: Terminal): Promise<Answer> {
  const username = needed(given, 'username');
  const password = await readPassword('admin password', given, terminal);
  const wanted = checked(userEndpoints.update.body, { password });
  return withAccounts(given, terminal, async ({ accounts, accountChanges }) => {
    const user = await accountChanges.update(findUser(accounts, username).unique_id, wanted, systemActor);
    return { lines: [`password of ${user.username} set`], data: { username: user.username } };
  });
}

async function removeTotp(given: Options, terminal: Terminal): Promise<Answer> {
  const username = needed(given, 'username');
  return withAccounts(given, terminal, ({ accounts, factors }) => {
    const user = findUser(accounts, username);
    factors.removeOf(user.unique_id, systemActor);
    return { lines: [`${user.username} logs in by the password alone`], data: { username: user.username } };
  });
}

async function readPassword(command: string, given: Options, terminal: Terminal): Promise<string> {
  if (given['password-stdin'] !== true) throw new UsageError(`${command} needs --password-stdin`);
  return readLine(terminal);
}

function findUser(accounts: Accounts['accounts'], username: string): User {
  const user = accounts.find(username);
  if (user === undefined) throw new Error(`there is no user ${username}`);
  return user;
}

/** A running service may hold the directory: its accounts can be changed meanwhile, its file cannot be migrated. */
async function withAccounts(
  given: Options,
  terminal: Terminal,
  work: (accounts: Accounts) => Answer | Promise<Answer>,
): Promise<Answer> {
  const db = openAccounts(directoryOf(given, terminal));
  const accounts = composeAccounts({ db, now: Date.now });
  try {
    return await work(accounts);
  } finally {
    if (accounts.later.state.waiting > 0) await accounts.later.unlocked(lockPatienceMs);
    accounts.later.stop();
    await accounts.audits.stop();
    db.close();
  }
}

function openAccounts(directory: string): Database {
  const file = join(directory, 'orangery.db');
  refuseLostConfiguration(directory);
  if (!isBehind(file, orangeryMigrations)) return openDatabase(file, { migrations: orangeryMigrations });
  const release = lockDataDirectory(directory);
  try {
    return openDatabase(file, { migrations: orangeryMigrations });
  } finally {
    release();
  }
}

function needed(given: Options, name: 'username' | 'name'): string {
  const value = given[name];
  if (value === undefined) throw new UsageError(`--${name} is needed`);
  return value;
}

function checked<Schema extends z.ZodType>(schema: Schema | undefined, value: unknown): z.infer<Schema> {
  if (schema === undefined) throw new TypeError('the endpoint has no body');
  return parseOrRefuse(schema, value);
}
