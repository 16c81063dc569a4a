import { text } from 'node:stream/consumers';
import type { parseArgs } from 'node:util';
import { dataDirectory } from '../data-directory.ts';
import { readEnvironment } from '../environment.ts';
import type { commandOptions } from '../commands/command-list.ts';
import type { Terminal } from '../commands/terminal.ts';

/** The values of a command line's options. */
export type Options = ReturnType<
  typeof parseArgs<{ options: typeof commandOptions; allowPositionals: true }>
>['values'];

/** What a command returns: lines for people, or `data` for programs (`--json`). */
export interface Answer {
  lines: readonly string[];
  data: unknown;
  /** Set when something examined is not sound; printed on standard error. */
  fault?: string;
}
export type Command = (given: Options, terminal: Terminal, operand: string) => Answer | Promise<Answer>;

/** The command line was not understood. */
export class UsageError extends Error {
  readonly code = 'usage';
}

export function environment(given: Options, { env }: Terminal): ReturnType<typeof readEnvironment> {
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

export function directoryOf(given: Options, terminal: Terminal): string {
  return dataDirectory(environment(given, terminal).dataDirectory);
}

export async function readLine({ stdin }: Terminal): Promise<string> {
  return (await text(stdin)).replace(/\r?\n$/, '');
}
