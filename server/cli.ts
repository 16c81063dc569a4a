import { parseArgs } from 'node:util';
import { accountCommands } from './cli/account-commands.ts';
import { environment, UsageError, type Answer, type Command, type Options } from './cli/asked.ts';
import { backupCommands } from './cli/backup-commands.ts';
import { careCommands } from './cli/care-commands.ts';
import { historyCommands } from './cli/history-commands.ts';
import {
  commandList,
  commandNames,
  commandOptions,
  optionsOf,
  specOf,
  unreachableCodes,
  type CommandName,
  type ExitCode,
} from './commands/command-list.ts';
import { commandHelp, generalHelp } from './commands/help.ts';
import type { Terminal } from './commands/terminal.ts';
import { transferCommands } from './cli/transfer-commands.ts';

/** Commands that keep running and return no answer. */
type Running = 'serve' | 'client';

const commands: Record<Exclude<CommandName, Running>, Command> = {
  ...accountCommands,
  ...backupCommands,
  ...careCommands,
  ...historyCommands,
  ...transferCommands,
};

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
  return unreachableCodes.has(code) ? 3 : 1;
}

function helpOf(name: CommandName | undefined): string {
  return name === undefined ? generalHelp() : commandHelp(name);
}

function isAnswered(name: string): name is Exclude<CommandName, 'client'> {
  return name !== 'client' && Object.hasOwn(commandList, name);
}

/** The command and its operand; undefined when there is no such command. */
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

/** Refuses options that the command does not have, as they were meant for something. */
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
