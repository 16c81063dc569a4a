import {
  commandNames,
  commonOptions,
  exitCodes,
  optionSpec,
  optionsOf,
  specOf,
  type CommandName,
  type CommandOption,
} from './command-list.ts';

/** The help of the whole command line. */
export function generalHelp(): string {
  const width = Math.max(...commandNames.map((name) => usageOf(name).length)) + 2;
  return [
    'Usage: orangery COMMAND [OPTIONS]',
    '',
    ...commandNames.map((name) => `  ${usageOf(name).padEnd(width)}${specOf(name).does}`),
    '',
    'Options of every command; orangery COMMAND --help tells its own',
    ...optionLines(commonOptions),
    '',
    ...exitLines(),
  ].join('\n');
}

export function commandHelp(name: CommandName): string {
  return [
    `Usage: orangery ${usageOf(name)} [OPTIONS]`,
    '',
    `  ${specOf(name).does}`,
    '',
    ...optionLines(optionsOf(name)),
    '',
    ...exitLines(),
  ].join('\n');
}

/** The command as it is typed: name and operand. */
export function usageOf(name: CommandName): string {
  const { operand } = specOf(name);
  if (operand === undefined) return name;
  const shown = operand.choices?.join('|') ?? operand.name;
  return operand.isOptional === true ? `${name} [${shown}]` : `${name} ${shown}`;
}

/** The option as it is typed: `--data-dir DIR`. */
export function typed(option: CommandOption): string {
  const { value } = optionSpec(option);
  return value === undefined ? `--${option}` : `--${option} ${value}`;
}

/** What it does, its values and the equivalent variable. */
export function explained(option: CommandOption): string {
  const { does, choices, variable } = optionSpec(option);
  return [does, choices?.join(', '), variable].filter((one) => one !== undefined).join('; ');
}

function optionLines(options: readonly CommandOption[]): string[] {
  const width = Math.max(...options.map((option) => typed(option).length)) + 2;
  return options.map((option) => `  ${typed(option).padEnd(width)}${explained(option)}`);
}

function exitLines(): string[] {
  return ['Exit codes', ...Object.entries(exitCodes).map(([code, meaning]) => `  ${code}  ${meaning}`)];
}
