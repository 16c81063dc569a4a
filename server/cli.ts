import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { systemActor } from './auth/system-actor.ts';
import { apiKeyEndpoints } from './contract/api-key.ts';
import { checkReport } from './contract/commissioning-endpoints.ts';
import { parseOrRefuse } from './contract/field-errors.ts';
import { parseJson } from './contract/json-body.ts';
import { userEndpoints, type User } from './contract/user.ts';
import { dataDirectory, lockDataDirectory } from './data-directory.ts';
import { orangeryMigrations } from './db/migrations/orangery.ts';
import { isBehind, openDatabase, type Database } from './db/open.ts';
import { salvageConfiguration } from './commands/salvage.ts';
import { acquireInstanceLock } from './db/instance-lock.ts';
import { refuseLostConfiguration } from './lost-configuration.ts';
import { examine } from './commands/doctor.ts';
import type { Terminal } from './commands/terminal.ts';
import { readEnvironment } from './environment.ts';
import { rebuildRollups } from './measurement/sqlite/rebuild.ts';
import { faultOfReport } from './services/commissioning/chain.ts';
import { composeAccounts, type Accounts } from './composition/accounts.ts';

const help = `Usage: orangery COMMAND [OPTIONS]

  serve                                        start the service without a window
  admin create --username U --password-stdin   make an administrator; the password is read from standard input
  admin api-key --username U --name N          make an API key and print it, this once
                [--scope full|readonly]
  admin password --username U --password-stdin set a user's password; ends the user's sessions
  admin totp-off --username U                  take away the second factor of a user who lost it
  commissioning verify FILE                    look whether a report of a check is whole
                [--sha256 HASH]                and the one whose hash is printed on paper
  client OPERATION [ARGUMENTS]                 command the control daemon; see orangery client --help
  doctor                                       look whether databases, audit, certificates and disk are sound
  salvage                                      make orangery.db of what is left of it, while the service is stopped
  measurements rebuild                         compute all rollups anew from the samples, while the service is stopped
  fingerprint                                  print the SHA-256 fingerprint of the certificate authority

Options of every command, each the same as the environment variable beside it
  --data-dir DIR          ORANGERY_DATA_DIR      where everything is kept
  --help

Options of serve
  --https-port PORT       ORANGERY_HTTPS_PORT    8443
  --host ADDRESS          ORANGERY_HOST          all addresses once an administrator exists, loopback before
  --daemon-port PORT      ORANGERY_DAEMON_PORT   9080
  --daemon-network-host ADDRESS   ORANGERY_DAEMON_NETWORK_HOST   none: only this machine reaches the daemon
  --daemon-network-port PORT      ORANGERY_DAEMON_NETWORK_PORT   9081
  --log-level LEVEL       ORANGERY_LOG_LEVEL     trace, debug, info, warn, error or silent
  --tls-names NAMES       ORANGERY_TLS_NAMES     more names and addresses of this machine, with commas between`;

const options = {
  'data-dir': { type: 'string' },
  help: { type: 'boolean' },
  'https-port': { type: 'string' },
  host: { type: 'string' },
  'daemon-port': { type: 'string' },
  'daemon-network-host': { type: 'string' },
  'daemon-network-port': { type: 'string' },
  'log-level': { type: 'string' },
  'tls-names': { type: 'string' },
  username: { type: 'string' },
  'password-stdin': { type: 'boolean' },
  name: { type: 'string' },
  scope: { type: 'string' },
  sha256: { type: 'string' },
} as const;

type Options = ReturnType<typeof parse>['values'];
type Command = (given: Options, terminal: Terminal, operand: string) => void | Promise<void>;

/** A running service that saves a large map holds the lock for seconds. */
const lockPatienceMs = 5_000;

/** Commands that are followed by the name of a file. */
const withOperand: ReadonlySet<string> = new Set(['commissioning verify']);

const commands: Record<string, Command> = {
  serve,
  'admin create': createAdmin,
  'admin api-key': createApiKey,
  'admin password': setPassword,
  'admin totp-off': removeTotp,
  'commissioning verify': verifyReport,
  doctor,
  salvage,
  'measurements rebuild': rebuildMeasurements,
  fingerprint: printFingerprint,
};

/** The command line was not understood. */
class UsageError extends Error {
  readonly code = 'usage';
}

/** Runs one command line. Returns the exit code: 0, 1 for a failure told in one line, 2 for a line not understood; `client` has 3 for a daemon out of reach. */
export async function run(argv: string[], terminal: Terminal): Promise<number> {
  if (argv[0] === 'client') return (await import('./commands/client.ts')).runClient(argv.slice(1), terminal);
  try {
    const { values, positionals } = parse(argv);
    const [name, operand] = nameOf(positionals);
    const command = commands[name];
    if (values.help === true || positionals.length === 0) terminal.stdout(help);
    else if (command === undefined) throw unknownCommand(name);
    else await command(values, terminal, operand);
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isUsage = error instanceof UsageError || ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
    terminal.stderr(`orangery: ${error.message}${isUsage ? '; see orangery --help' : ''}`);
    return isUsage ? 2 : 1;
  }
}

function unknownCommand(name: string): UsageError {
  const parts = Object.keys(commands).flatMap((one) => (one.startsWith(`${name} `) ? one.slice(name.length + 1) : []));
  if (parts.length === 0) return new UsageError(`there is no command "${name}"`);
  return new UsageError(`${name} needs one of ${parts.join(', ')}`);
}

function nameOf(positionals: readonly string[]): [name: string, operand: string] {
  const name = positionals.slice(0, -1).join(' ');
  return withOperand.has(name) ? [name, positionals.at(-1) ?? ''] : [positionals.join(' '), ''];
}

function parse(argv: string[]): ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>> {
  return parseArgs({ args: argv, options, allowPositionals: true });
}

async function serve(given: Options, terminal: Terminal): Promise<void> {
  const main = await import('./main.ts');
  await main.serve(environment(given, terminal));
}

async function createAdmin(given: Options, terminal: Terminal): Promise<void> {
  const username = needed(given, 'username');
  const password = await readPassword('admin create', given, terminal);
  const wanted = checked(userEndpoints.create.body, { username, password, role: 'Admin' });
  await withAccounts(given, terminal, async ({ accounts }) => {
    const user = await accounts.create(wanted, systemActor);
    terminal.stdout(`administrator ${user.username} made`);
  });
}

async function createApiKey(given: Options, terminal: Terminal): Promise<void> {
  const username = needed(given, 'username');
  const wanted = checked(apiKeyEndpoints.create.body, { name: needed(given, 'name'), scope: given.scope });
  await withAccounts(given, terminal, ({ accounts, keys }) => {
    terminal.stdout(keys.create(findUser(accounts, username).unique_id, wanted, systemActor).key);
  });
}

async function setPassword(given: Options, terminal: Terminal): Promise<void> {
  const username = needed(given, 'username');
  const password = await readPassword('admin password', given, terminal);
  const wanted = checked(userEndpoints.update.body, { password });
  await withAccounts(given, terminal, async ({ accounts, accountChanges }) => {
    const user = await accountChanges.update(findUser(accounts, username).unique_id, wanted, systemActor);
    terminal.stdout(`password of ${user.username} set`);
  });
}

async function removeTotp(given: Options, terminal: Terminal): Promise<void> {
  const username = needed(given, 'username');
  await withAccounts(given, terminal, ({ accounts, factors }) => {
    const user = findUser(accounts, username);
    factors.removeOf(user.unique_id, systemActor);
    terminal.stdout(`${user.username} logs in by the password alone`);
  });
}

async function readPassword(command: string, given: Options, { stdin }: Terminal): Promise<string> {
  if (given['password-stdin'] !== true) throw new UsageError(`${command} needs --password-stdin`);
  return (await text(stdin)).replace(/\r?\n$/, '');
}

function findUser(accounts: Accounts['accounts'], username: string): User {
  const user = accounts.find(username);
  if (user === undefined) throw new Error(`there is no user ${username}`);
  return user;
}

function doctor(given: Options, terminal: Terminal): void {
  const directory = directoryOf(given, terminal);
  if (!existsSync(directory)) throw new Error(`there is no ${directory} yet: the first start of the service makes it`);
  const findings = examine({ directory, now: new Date() });
  for (const { state, subject, text } of findings) terminal.stdout(`${state.padEnd(7)}  ${subject}: ${text}`);
  const faults = findings.filter((finding) => finding.state === 'fault').length;
  if (faults > 0) throw new Error(`${faults} ${faults === 1 ? 'fault' : 'faults'} in ${directory}`);
}

function verifyReport({ sha256 }: Options, terminal: Terminal, file: string): void {
  if (file === '') throw new UsageError('commissioning verify needs the name of a file');
  const report = parseJson(readFileSync(file));
  const fault = faultOfReport(report);
  if (fault !== null) throw new Error(`${file}: ${fault}`);
  const whole = checkReport.parse(report);
  if (sha256 !== undefined && sha256.toLowerCase() !== whole.sha256) {
    throw new Error(`${file}: it is whole, but its hash is ${whole.sha256}`);
  }
  terminal.stdout(`whole: check ${whole.check_id}, ${whole.links.length} links, SHA-256 ${whole.sha256}`);
}

function salvage(given: Options, terminal: Terminal): void {
  const directory = directoryOf(given, terminal);
  if (!existsSync(directory)) throw new Error(`there is no ${directory} yet: the first start of the service makes it`);
  for (const line of salvageConfiguration(directory)) terminal.stdout(line);
}

/** The daemon alone writes measurements.db: nobody else while one runs. */
function rebuildMeasurements(given: Options, terminal: Terminal): void {
  const directory = directoryOf(given, terminal);
  const file = join(directory, 'measurements.db');
  if (!existsSync(file)) throw new Error(`there is no ${file} yet: the first start of the service makes it`);
  const lock = acquireInstanceLock(join(directory, 'daemon.lock'));
  try {
    const { series, days } = rebuildRollups(file);
    terminal.stdout(`rollups of ${series} series computed anew, ${days} days`);
  } finally {
    lock.release();
  }
}

function printFingerprint(given: Options, terminal: Terminal): void {
  const file = join(directoryOf(given, terminal), 'tls', 'ca.crt');
  if (!existsSync(file)) throw new Error(`there is no ${file} yet: the first start of the service makes it`);
  terminal.stdout(new X509Certificate(readFileSync(file)).fingerprint256);
}

/** A running service may hold the directory: its accounts can be changed beside it, its file cannot be migrated. */
async function withAccounts(
  given: Options,
  terminal: Terminal,
  work: (accounts: Accounts) => void | Promise<void>,
): Promise<void> {
  const db = openAccounts(directoryOf(given, terminal));
  const accounts = composeAccounts({ db, now: Date.now });
  try {
    await work(accounts);
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

function environment(given: Options, { env }: Terminal): ReturnType<typeof readEnvironment> {
  const variables = {
    ORANGERY_DATA_DIR: given['data-dir'],
    ORANGERY_HTTPS_PORT: given['https-port'],
    ORANGERY_HOST: given.host,
    ORANGERY_DAEMON_PORT: given['daemon-port'],
    ORANGERY_DAEMON_NETWORK_HOST: given['daemon-network-host'],
    ORANGERY_DAEMON_NETWORK_PORT: given['daemon-network-port'],
    ORANGERY_LOG_LEVEL: given['log-level'],
    ORANGERY_TLS_NAMES: given['tls-names'],
  };
  const named = Object.entries(variables).filter(([, value]) => value !== undefined);
  return readEnvironment({ ...env, ...Object.fromEntries(named) });
}

function directoryOf(given: Options, terminal: Terminal): string {
  return dataDirectory(environment(given, terminal).dataDirectory);
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
