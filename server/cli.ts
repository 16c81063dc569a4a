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
import {
  commandList,
  commandNames,
  commandOptions,
  optionsOf,
  shells,
  specOf,
  type CommandName,
  type ExitCode,
} from './commands/command-list.ts';
import { completionOf } from './commands/completion.ts';
import { examine } from './commands/doctor.ts';
import { commandHelp, generalHelp } from './commands/help.ts';
import type { Terminal } from './commands/terminal.ts';
import { readEnvironment } from './environment.ts';
import { rebuildRollups } from './measurement/sqlite/rebuild.ts';
import { faultOfReport } from './services/commissioning/chain.ts';
import { composeAccounts, type Accounts } from './composition/accounts.ts';

type Options = ReturnType<typeof parse>['values'];

/** What a command has to say: lines for people, or `data` for programs (`--json`). */
interface Answer {
  lines: readonly string[];
  data: unknown;
  /** What was looked at is not sound; said on standard error. */
  fault?: string;
}
type Command = (given: Options, terminal: Terminal, operand: string) => Answer | Promise<Answer>;

/** A running service that saves a large map holds the lock for seconds. */
const lockPatienceMs = 5_000;

/** What runs on by itself and has no answer. */
type Running = 'serve' | 'client';

const commands: Record<Exclude<CommandName, Running>, Command> = {
  'admin create': createAdmin,
  'admin api-key': createApiKey,
  'admin password': setPassword,
  'admin totp-off': removeTotp,
  'commissioning verify': verifyReport,
  doctor,
  salvage,
  'measurements rebuild': rebuildMeasurements,
  backup: makeBackup,
  'backup list': listBackups,
  'backup check': checkBackup,
  restore: restoreBackup,
  fingerprint: printFingerprint,
  export: exportFile,
  import: importFile,
  completion: printCompletion,
};

/** The command line was not understood. */
class UsageError extends Error {
  readonly code = 'usage';
}

/** Runs one command line and returns its exit code. */
export async function run(argv: string[], terminal: Terminal): Promise<ExitCode> {
  if (argv[0] === 'client') return (await import('./commands/client.ts')).runClient(argv.slice(1), terminal);
  const isJson = argv.includes('--json');
  try {
    const { values, positionals } = parse(argv);
    const asked = nameOf(positionals);
    if (values.help === true || positionals.length === 0) return say(helpOf(asked?.name), terminal);
    const { name, operand } = asked ?? refuseUnknown(positionals);
    refuseForeign(name, values);
    if (name === 'serve') await serve(values, terminal);
    else return tell(await commands[name](values, terminal, operand), { isJson, terminal });
    return 0;
  } catch (error) {
    return fail(error, { isJson, terminal });
  }
}

function say(text: string, { stdout }: Terminal): ExitCode {
  stdout(text);
  return 0;
}

function tell({ lines, data, fault }: Answer, { isJson, terminal }: { isJson: boolean; terminal: Terminal }): ExitCode {
  if (isJson) terminal.stdout(JSON.stringify(data));
  else for (const line of lines) terminal.stdout(line);
  if (fault === undefined) return 0;
  terminal.stderr(isJson ? JSON.stringify({ error: { code: 'found_wrong', message: fault } }) : `orangery: ${fault}`);
  return 1;
}

function fail(error: unknown, { isJson, terminal }: { isJson: boolean; terminal: Terminal }): ExitCode {
  if (!(error instanceof Error)) throw error;
  const code = 'code' in error ? String(error.code) : 'failed';
  const isUsage = error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS');
  const shown = isUsage ? `${error.message}; see orangery --help` : error.message;
  const described = { error: { code: isUsage ? 'usage' : code, message: error.message } };
  terminal.stderr(isJson ? JSON.stringify(described) : `orangery: ${shown}`);
  if (isUsage) return 2;
  return code === 'unreachable' ? 3 : 1;
}

function helpOf(name: CommandName | undefined): string {
  return name === undefined ? generalHelp() : commandHelp(name);
}

function isAnswered(name: string): name is Exclude<CommandName, 'client'> {
  return name !== 'client' && Object.hasOwn(commandList, name);
}

/** The command and the word behind it, where it takes one; undefined where there is no such command. */
function nameOf(positionals: readonly string[]): { name: Exclude<CommandName, 'client'>; operand: string } | undefined {
  const whole = positionals.join(' ');
  if (isAnswered(whole)) return { name: whole, operand: '' };
  const name = positionals.slice(0, -1).join(' ');
  if (!isAnswered(name) || specOf(name).operand === undefined) return undefined;
  return { name, operand: positionals.at(-1) ?? '' };
}

function refuseUnknown(positionals: readonly string[]): never {
  const name = positionals.join(' ');
  const parts = commandNames.flatMap((one) => (one.startsWith(`${name} `) ? one.slice(name.length + 1) : []));
  if (parts.length === 0) throw new UsageError(`there is no command "${name}"`);
  throw new UsageError(`${name} needs one of ${parts.join(', ')}`);
}

/** An option that a command does not know was meant for something. */
function refuseForeign(name: CommandName, given: Options): void {
  const own = optionsOf(name);
  const foreign = Object.keys(given).find((option) => !(own as readonly string[]).includes(option));
  if (foreign !== undefined) throw new UsageError(`${name} has no option --${foreign}`);
}

function parse(
  argv: string[],
): ReturnType<typeof parseArgs<{ options: typeof commandOptions; allowPositionals: true }>> {
  return parseArgs({ args: argv, options: commandOptions, allowPositionals: true });
}

async function serve(given: Options, terminal: Terminal): Promise<void> {
  const main = await import('./main.ts');
  await main.serve(environment(given, terminal));
}

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

async function readLine({ stdin }: Terminal): Promise<string> {
  return (await text(stdin)).replace(/\r?\n$/, '');
}

function findUser(accounts: Accounts['accounts'], username: string): User {
  const user = accounts.find(username);
  if (user === undefined) throw new Error(`there is no user ${username}`);
  return user;
}

function doctor(given: Options, terminal: Terminal): Answer {
  const directory = directoryOf(given, terminal);
  if (!existsSync(directory)) throw new Error(`there is no ${directory} yet: the first start of the service makes it`);
  const findings = examine({ directory, now: new Date() });
  const lines = findings.map(({ state, subject, text: found }) => `${state.padEnd(7)}  ${subject}: ${found}`);
  const faults = findings.filter((finding) => finding.state === 'fault').length;
  const fault = `${faults} ${faults === 1 ? 'fault' : 'faults'} in ${directory}`;
  return { lines, data: { findings }, ...(faults > 0 && { fault }) };
}

function verifyReport({ sha256 }: Options, _terminal: Terminal, file: string): Answer {
  if (file === '') throw new UsageError('commissioning verify needs the name of a file');
  const report = parseJson(readFileSync(file));
  const fault = faultOfReport(report);
  if (fault !== null) throw new Error(`${file}: ${fault}`);
  const whole = checkReport.parse(report);
  if (sha256 !== undefined && sha256.toLowerCase() !== whole.sha256) {
    throw new Error(`${file}: it is whole, but its hash is ${whole.sha256}`);
  }
  const data = { check_id: whole.check_id, links: whole.links.length, sha256: whole.sha256 };
  return { lines: [`whole: check ${data.check_id}, ${data.links} links, SHA-256 ${data.sha256}`], data };
}

function salvage(given: Options, terminal: Terminal): Answer {
  const directory = directoryOf(given, terminal);
  if (!existsSync(directory)) throw new Error(`there is no ${directory} yet: the first start of the service makes it`);
  const lines = salvageConfiguration(directory);
  return { lines, data: { done: lines } };
}

/** The daemon alone writes measurements.db: nobody else while one runs. */
function rebuildMeasurements(given: Options, terminal: Terminal): Answer {
  const directory = directoryOf(given, terminal);
  const file = join(directory, 'measurements.db');
  if (!existsSync(file)) throw new Error(`there is no ${file} yet: the first start of the service makes it`);
  const lock = acquireInstanceLock(join(directory, 'daemon.lock'));
  try {
    const { series, days } = rebuildRollups(file);
    return { lines: [`rollups of ${series} series computed anew, ${days} days`], data: { series, days } };
  } finally {
    lock.release();
  }
}

async function makeBackup(given: Options, terminal: Terminal): Promise<Answer> {
  const { backUp } = await import('./commands/backup.ts');
  const made = await backUp(await backupAsked(given, terminal));
  const without = made.left_out.map(({ part, message }) => `without ${part}: ${message}`);
  return {
    lines: [`${made.file}: ${made.bytes} bytes, restored into a scratch folder and found sound`, ...without],
    data: made,
  };
}

async function listBackups(given: Options, terminal: Terminal): Promise<Answer> {
  const { backupsOf } = await import('./commands/backup.ts');
  const backups = await backupsOf({ directory: directoryOf(given, terminal), folder: given.folder });
  const lines = backups.map(({ file, bytes, check }) => {
    const state = check === null ? 'never checked' : (check.fault?.message ?? `sound on ${check.at}`);
    return `${file}  ${bytes} bytes  ${state}`;
  });
  return { lines, data: { backups } };
}

async function checkBackup(given: Options, terminal: Terminal, file: string): Promise<Answer> {
  if (file === '') throw new UsageError('backup check needs the name of a file');
  const { check } = await import('./commands/backup.ts');
  await check(await backupAsked(given, terminal), file);
  return { lines: [`${file}: restored into a scratch folder and found sound`], data: { file, fault: null } };
}

async function restoreBackup(given: Options, terminal: Terminal, operand: string): Promise<Answer> {
  const [isNewest, isUndo] = [given.newest === true, given.undo === true];
  if ([operand !== '', isNewest, isUndo].filter(Boolean).length !== 1)
    throw new UsageError('restore needs the name of a file, --newest or --undo');
  const { restore, undoLastRestore } = await import('./commands/backup.ts');
  const asked = await backupAsked(given, terminal);
  const lines = isUndo
    ? await undoLastRestore(asked)
    : await restore(asked, { file: isNewest ? undefined : operand, history: given.history === true });
  return { lines, data: { done: lines } };
}

async function backupAsked(given: Options, terminal: Terminal) {
  const passphrase = given['passphrase-stdin'] === true ? await readLine(terminal) : undefined;
  return { directory: directoryOf(given, terminal), folder: given.folder, passphrase };
}

function printFingerprint(given: Options, terminal: Terminal): Answer {
  const file = join(directoryOf(given, terminal), 'tls', 'ca.crt');
  if (!existsSync(file)) throw new Error(`there is no ${file} yet: the first start of the service makes it`);
  const { fingerprint256 } = new X509Certificate(readFileSync(file));
  return { lines: [fingerprint256], data: { fingerprint256 } };
}

async function exportFile(given: Options, terminal: Terminal): Promise<Answer> {
  const { exportDevices } = await import('./commands/transfer.ts');
  const file = await exportDevices(await serviceAsked(given, terminal));
  return { lines: [JSON.stringify(file, null, 2)], data: file };
}

async function importFile(given: Options, terminal: Terminal, operand: string): Promise<Answer> {
  if (operand === '') throw new UsageError('import needs the name of a file');
  const { importDevices } = await import('./commands/transfer.ts');
  const isDry = given['dry-run'] === true;
  const { report, left_out } = await importDevices(await serviceAsked(given, terminal), { file: operand, isDry });
  const { made, refused } = report;
  const lines = [
    ...made.map(({ kind, name, without }) => {
      const missing = without.length === 0 ? '' : ` (enter again: ${without.join(', ')})`;
      return `${isDry ? 'would make' : 'made'}  ${kind} ${name}${missing}`;
    }),
    ...refused.map(({ kind, name, message }) => `refused  ${kind} ${name}: ${message}`),
    ...left_out.map(({ table, name, why }) => `left out  ${table} ${name}: ${why}`),
    `${made.length} ${isDry ? 'would be made' : 'made, none of them activated'}, ${refused.length} refused`,
  ];
  const fault = `${refused.length} of ${made.length + refused.length} could not be taken`;
  return { lines, data: { ...report, left_out }, ...(refused.length > 0 && { fault }) };
}

async function serviceAsked(given: Options, terminal: Terminal) {
  const key = given['key-stdin'] === true ? await readLine(terminal) : terminal.env['ORANGERY_API_KEY'];
  if (!key) throw new UsageError('an API key is needed: --key-stdin, or ORANGERY_API_KEY');
  const { host, httpsPort: port } = environment(given, terminal);
  return { directory: directoryOf(given, terminal), host, port, key };
}

function printCompletion(_given: Options, _terminal: Terminal, operand: string): Answer {
  const shell = shells.find((one) => one === operand);
  if (shell === undefined) throw new UsageError(`completion needs one of ${shells.join(', ')}`);
  const script = completionOf(shell);
  return { lines: [script.trimEnd()], data: { shell, script } };
}

/** A running service may hold the directory: its accounts can be changed beside it, its file cannot be migrated. */
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
