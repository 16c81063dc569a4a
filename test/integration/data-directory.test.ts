import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataDirectory, lockDataDirectory } from '../../server/data-directory.ts';
import { codeOf } from '../support/accounts.ts';
import { testFolder } from '../support/database.ts';

describe('dataDirectory', () => {
  const home = '/home/kim';

  it.each([
    ['linux', {}, '/home/kim/.local/share/orangery'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/orangery'],
    ['darwin', {}, '/home/kim/Library/Application Support/Orangery'],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/Orangery'],
    ['win32', {}, '/home/kim/AppData/Local/Orangery'],
  ] as const)('is on %s with %j: %s', (platform, env, expected) => {
    expect(dataDirectory(undefined, { platform, env, home })).toBe(expected);
  });

  it('is the chosen one, as an absolute path', () => {
    expect(dataDirectory('data')).toBe(resolve('data'));
  });
});

describe('lockDataDirectory', () => {
  it('makes the directory with all above it, for its owner alone', () => {
    const directory = join(testFolder(), 'a', 'b');
    lockDataDirectory(directory)();
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, 'service.lock')).mode & 0o777).toBe(0o600);
  });

  it('refuses a second holder, names the first, and lets one in after its release: data_directory_in_use', () => {
    const directory = testFolder();
    const release = lockDataDirectory(directory);
    expect(codeOf(() => lockDataDirectory(directory))).toBe('data_directory_in_use');
    expect(() => lockDataDirectory(directory)).toThrow(`process ${process.pid}`);
    release();
    lockDataDirectory(directory)();
  });

  it('is held by another process until that is killed, however hard', async () => {
    const directory = testFolder();
    const module = resolve(import.meta.dirname, '../../server/data-directory.ts');
    const script = `const { lockDataDirectory } = await import(process.argv[1]);
      lockDataDirectory(process.argv[2]); console.log('held'); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script, module, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(holder, 'exit');
    try {
      await once(holder.stdout, 'data');
      expect(() => lockDataDirectory(directory)).toThrow(`process ${holder.pid ?? ''}`);
    } finally {
      holder.kill('SIGKILL');
      await ended;
    }
    lockDataDirectory(directory)();
  });

  it('refuses a place where nothing can be written: data_directory_not_writable', () => {
    const file = join(testFolder(), 'file');
    writeFileSync(file, '');
    expect(codeOf(() => lockDataDirectory(file))).toBe('data_directory_not_writable');
    expect(codeOf(() => lockDataDirectory(join(file, 'below')))).toBe('data_directory_not_writable');
    expect(() => lockDataDirectory(file)).toThrow(`${file} cannot be written`);
  });
});
