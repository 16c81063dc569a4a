import { commandNames, optionSpec, optionsOf, specOf, type CommandName, type shells } from './command-list.ts';

type Shell = (typeof shells)[number];

/** The script by which a shell completes a line of `orangery`. */
export function completionOf(shell: Shell): string {
  return { bash, zsh, fish }[shell]();
}

/** What may follow the words of a line: the next word of a command's name, an operand from a list, an option. */
function following(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (path: string, word: string): void => {
    const words = found.get(path) ?? [];
    if (!words.includes(word)) found.set(path, [...words, word]);
  };
  for (const name of commandNames) {
    const words = name.split(' ');
    words.forEach((word, at) => add(words.slice(0, at).join(' '), word));
    for (const word of [...(specOf(name).operand?.choices ?? []), ...optionsOf(name).map((option) => `--${option}`)])
      add(name, word);
  }
  return found;
}

function bash(): string {
  const cases = [...following()].map(([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`);
  return `_orangery() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${pathsOf()
        .map((path) => `'${path}'`)
        .join('|')}) path="\${path:+$path }$word" ;;
      *) break ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _orangery orangery
`;
}

/** Each command and each beginning of one. */
function pathsOf(): string[] {
  const begins = commandNames.flatMap((name) => {
    const words = name.split(' ');
    return words.map((_, at) => words.slice(0, at + 1).join(' '));
  });
  return [...new Set(begins)];
}

/** zsh uses the completion of bash. */
function zsh(): string {
  return `#compdef orangery\nautoload -U +X bashcompinit && bashcompinit\n${bash().replace(
    'mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")',
    'COMPREPLY=($(compgen -W "$words" -- "$current"))',
  )}`;
}

function fish(): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const seen = (words: readonly string[]): string =>
    words.length === 0
      ? '__fish_use_subcommand'
      : words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
  const ofCommand = (name: CommandName): string[] => {
    const words = name.split(' ');
    const steps = words.map(
      (word, at) =>
        `complete -c orangery -f -n ${quoted(seen(words.slice(0, at)))} -a ${word}` +
        (at === words.length - 1 ? ` -d ${quoted(specOf(name).does)}` : ''),
    );
    const operands = (specOf(name).operand?.choices ?? []).map(
      (word) => `complete -c orangery -f -n ${quoted(seen(words))} -a ${word}`,
    );
    const options = optionsOf(name).map((option) => {
      const { type, does, choices } = optionSpec(option);
      const value = type === 'string' ? ` -r${choices === undefined ? '' : ` -f -a ${quoted(choices.join(' '))}`}` : '';
      return `complete -c orangery -n ${quoted(seen(words))} -l ${option}${value} -d ${quoted(does)}`;
    });
    return [...steps, ...operands, ...options];
  };
  return `${[...new Set(commandNames.flatMap(ofCommand))].join('\n')}\n`;
}
