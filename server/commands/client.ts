import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { unreachableCodes, type ExitCode } from './command-list.ts';
import type { Terminal } from './terminal.ts';
import { argumentsOf, operationsHelp } from './client-operations.ts';
import { daemonObjectId } from '../contract/daemon.ts';
import { isRemoteMethod, type RemoteMethodName } from '../contract/remote/index.ts';
import { messageOf } from '../contract/message-of.ts';
import { dataDirectory } from '../data-directory.ts';
import { readSecretFile } from '../db/secret-file.ts';
import { readEnvironment } from '../environment.ts';
import { DaemonControl } from '../orangery_client.ts';
import { RemoteError } from '../remote/exception.ts';

/** done; refused or failed, as the line says; the command line was not understood; the daemon cannot be reached. */
const exits = { done: 0, failed: 1, usage: 2, unreachable: 3 } as const satisfies Record<string, ExitCode>;

const options = {
  help: { type: 'boolean' },
  json: { type: 'boolean' },
  follow: { type: 'boolean' },
  uri: { type: 'string' },
  timeout: { type: 'string' },
  'secret-file': { type: 'string' },
  ca: { type: 'string' },
  'data-dir': { type: 'string' },
  'daemon-port': { type: 'string' },
} as const;

type Options = ReturnType<typeof parse>['values'];

const help = (): string =>
  [
    'Usage: orangery client OPERATION [ARGUMENTS] [OPTIONS]',
    '',
    'Commands the control daemon, as any outside program may. Arguments come in order or as name=value.',
    '',
    ...operationsHelp(),
    '',
    '  --json               print the answer as JSON',
    '  --follow             of events_since: print events as they come, until it is interrupted',
    '  --uri URI            PYRO:orangery.pyro_server@HOST:PORT; this machine when absent',
    '  --daemon-port PORT   of this machine, 9080 when absent',
    '  --timeout SECONDS    longest time for an answer, 10 when absent',
    "  --secret-file FILE   secret that the daemon asks for; remote.loopback_secret of this machine's data directory when absent",
    '  --ca FILE            certificate authority of a daemon on another machine',
    '  --data-dir DIR       where everything is kept on this machine',
    '',
    'Exit code: 0 done, 1 refused or failed, 2 not understood, 3 the daemon cannot be reached.',
  ].join('\n');

/** Runs `orangery client ...` without its first word; returns the exit code. */
export async function runClient(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let call: Call;
  try {
    const { values, positionals } = parse(argv);
    if (values.help === true || positionals.length === 0) {
      terminal.stdout(help());
      return exits.done;
    }
    call = callOf(values, positionals, terminal);
  } catch (error) {
    terminal.stderr(`orangery: ${reasonOf(error)}; see orangery client --help`);
    return exits.usage;
  }
  return runCall(call, terminal);
}

interface Call {
  name: RemoteMethodName;
  args: unknown[];
  control: DaemonControl;
  isJson: boolean;
  isFollowing: boolean;
}

function callOf(given: Options, [name = '', ...words]: string[], terminal: Terminal): Call {
  if (!isRemoteMethod(name)) throw new Error(`there is no operation "${name}"`);
  if (given.follow === true && name !== 'events_since') throw new Error('--follow goes with events_since');
  const args = argumentsOf(name, words);
  return {
    name,
    args,
    control: controlOf(given, terminal),
    isJson: given.json === true,
    isFollowing: given.follow === true,
  };
}

async function runCall(call: Call, terminal: Terminal): Promise<ExitCode> {
  try {
    if (call.isFollowing) return await follow(call, terminal);
    const answer = await ask(call);
    terminal.stdout(call.isJson ? JSON.stringify(answer) : readable(answer));
    return isRefused(call.name, answer) ? exits.failed : exits.done;
  } catch (error) {
    terminal.stderr(`orangery: ${reasonOf(error)}`);
    return error instanceof RemoteError && unreachableCodes.has(error.code) ? exits.unreachable : exits.failed;
  } finally {
    call.control.close();
  }
}

async function ask({ name, args, control }: Call): Promise<unknown> {
  if (name === 'check_daemon') await control.daemon_status(); // it answers, or throws that it cannot be reached
  const methods = control as unknown as Record<RemoteMethodName, (...args: unknown[]) => Promise<unknown>>; // the daemon checks
  return methods[name](...args);
}

/** Prints events until the signal; if some were lost it says so and continues. */
async function follow({ args, control, isJson }: Call, { stdout, stderr, signal }: Terminal): Promise<ExitCode> {
  let cursor = (args[0] as string) || (await control.live_state()).cursor; // its parameter is a text
  for (;;) {
    const batch = await control.events_since(cursor, undefined, signal).catch((error: unknown) => {
      if (signal?.aborted === true) return undefined;
      throw error;
    });
    if (batch === undefined) return exits.done;
    const { events, gap, cursor: next } = batch;
    if (gap) stderr('orangery: events were lost here');
    for (const event of events) stdout(isJson ? JSON.stringify(event) : fields(event));
    cursor = next;
  }
}

function controlOf(given: Options, { env }: Terminal): DaemonControl {
  const environment = readEnvironment({
    ...env,
    ...(given['daemon-port'] !== undefined && { ORANGERY_DAEMON_PORT: given['daemon-port'] }),
  });
  const seconds = Number(given.timeout ?? 10);
  if (!(seconds > 0)) throw new Error('--timeout is a number of seconds');
  const directory = dataDirectory(given['data-dir'] ?? environment.dataDirectory);
  const isHere = given.uri === undefined;
  const file = given['secret-file'] ?? (isHere ? join(directory, 'remote.loopback_secret') : undefined);
  const secret = file === undefined ? undefined : readSecretFile(file);
  return new DaemonControl({
    pyro_uri: given.uri ?? `PYRO:${daemonObjectId}@127.0.0.1:${environment.daemonPort}`,
    pyro_timeout: seconds,
    ...(secret !== undefined && { pyro_handshake: secret }),
    ...(given.ca !== undefined && { pyro_ca: readFileSync(given.ca, 'utf8') }),
  });
}

function parse(
  argv: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>> {
  return parseArgs({ args: [...argv], options, allowPositionals: true });
}

/** An answered call that was not carried out, or whose answer reports a fault. */
function isRefused(name: RemoteMethodName, answer: unknown): boolean {
  if (name === 'check_daemon') return answer !== 'GOOD';
  if (isPair(answer)) return answer[0] !== 0;
  if (!isObject(answer) || !('outcome' in answer)) return false;
  const isSent = answer['outcome'] === 'unknown' && answer['code'] === 'cannot_answer';
  return !isSent && answer['outcome'] !== 'confirmed' && answer['outcome'] !== 'pending';
}

/** An answer for a person: the message of a pair, lists one a line, null as unknown. */
function readable(answer: unknown): string {
  if (isPair(answer)) return word(answer[1]);
  if (Array.isArray(answer)) return answer.map((item) => (isObject(item) ? fields(item) : word(item))).join('\n');
  if (!isObject(answer)) return word(answer);
  return Object.entries(answer)
    .map(([key, value]) => `${key}: ${word(value)}`)
    .join('\n');
}

function fields(record: object): string {
  return Object.entries(record)
    .map(([key, value]) => `${key}=${word(value)}`)
    .join(' ');
}

function word(value: unknown): string {
  if (value === null || value === undefined) return 'unknown';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isPair(answer: unknown): answer is [number, unknown] {
  return Array.isArray(answer) && answer.length === 2 && typeof answer[0] === 'number';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function reasonOf(error: unknown): string {
  if (error instanceof RemoteError) return `${error.code}: ${error.message}`;
  return messageOf(error);
}
