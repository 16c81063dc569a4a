import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandNames, optionsOf, shells } from '../../server/commands/command-list.ts';
import { completionOf } from '../../server/commands/completion.ts';
import { commandHelp, generalHelp } from '../../server/commands/help.ts';
import { manPage } from '../../server/commands/man.ts';

describe('the list of commands', () => {
  it.each(commandNames)('%s stands in the help and the man page, with its options', (name) => {
    expect(generalHelp()).toContain(`  ${name}`);
    const page = manPage('1.0.0').replaceAll('\\-', '-');
    for (const option of optionsOf(name)) {
      expect(commandHelp(name)).toContain(`--${option}`);
      expect(page).toContain(`.B --${option}`);
    }
  });

  it.each(shells)('completes options and words of every command in %s', (shell) => {
    const script = completionOf(shell);
    for (const name of commandNames) expect(script).toContain(name.split(' ').at(-1));
    expect(script).toContain('passphrase-stdin');
  });
});

describe.runIf(spawnSync('bash', ['--version']).status === 0)('the completion of bash', () => {
  it.each([
    ['orangery ba', ['backup']],
    ['orangery backup ch', ['check']],
    ['orangery admin ', ['create', 'api-key', 'password', 'totp-off']],
    ['orangery restore --new', ['--newest']],
    ['orangery completion f', ['fish']],
    ['orangery nonsense ', commandNames.filter((name) => !name.includes(' '))],
  ])('%s', (line, expected) => {
    const words = line.split(' ');
    const script = `${completionOf('bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_orangery
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc'], { input: script, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual(expect.arrayContaining(expected));
  });
});

it.runIf(process.env['REQUIRE_PEERS'] === '1' || spawnSync('groff', ['--version']).status === 0)(
  'the man page is set without a warning',
  () => {
    const { status, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww'], {
      input: manPage('1.0.0'),
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  },
);
