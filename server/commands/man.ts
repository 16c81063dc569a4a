import { commandNames, commonOptions, exitCodes, specOf, optionSpec, type CommandOption } from './command-list.ts';
import { explained, typed, usageOf } from './help.ts';

/** The page orangery(1), in the language of man (groff_man(7)). */
export function manPage(version: string): string {
  return [
    `.TH ORANGERY 1 "" "Orangery ${escaped(version)}" "User Commands"`,
    '.SH NAME',
    escaped('orangery - control of a greenhouse, from a shell'),
    '.SH SYNOPSIS',
    '.B orangery',
    '.I COMMAND',
    '[\\fIOPTIONS\\fR]',
    '.SH COMMANDS',
    ...commandNames.flatMap((name) => [
      '.TP',
      `.B ${escaped(usageOf(name))}`,
      escaped(sentence(specOf(name).does)),
      ...(specOf(name).options ?? []).flatMap((option) => ['.RS', ...optionItem(option), '.RE']),
    ]),
    '.SH OPTIONS',
    'Of every command:',
    ...commonOptions.flatMap(optionItem),
    '.SH EXIT STATUS',
    ...Object.entries(exitCodes).flatMap(([code, meaning]) => ['.TP', `.B ${code}`, escaped(sentence(meaning))]),
    '.SH ENVIRONMENT',
    'Each says the same as the option of its name, which goes before it:',
    ...variables().flatMap(([variable, option]) => ['.TP', `.B ${variable}`, escaped(`--${option}`)]),
    '.SH FILES',
    '.TP',
    '.I /var/lib/orangery',
    'Data of the installed service.',
    '.TP',
    '.I /etc/default/orangery',
    'Its environment.',
    '',
  ].join('\n');
}

function optionItem(option: CommandOption): string[] {
  return ['.TP', `.B ${escaped(typed(option))}`, escaped(sentence(explained(option)))];
}

function variables(): [variable: string, option: CommandOption][] {
  const options = new Set([...commonOptions, ...commandNames.flatMap((name) => specOf(name).options ?? [])]);
  return [...options].flatMap((option) => {
    const { variable } = optionSpec(option);
    return variable === undefined ? [] : [[variable, option] satisfies [string, CommandOption]];
  });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/**
 * A plain hyphen would become a dash; a backslash anywhere, and a dot or an apostrophe at the start of a line, begin a
 * command.
 */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&');
}
