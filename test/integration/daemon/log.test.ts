import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { testFolder } from '../../support/database.ts';
import { daemonProgram } from '../../support/programs.ts';

it('a daemon says on standard error and in its file what it must, without secrets, also at its end', async () => {
  const data = join(testFolder(), 'data?token=let-me-in');
  mkdirSync(data);
  writeFileSync(join(data, 'remote.loopback_secret'), ''); // which it tells of, by its path
  const child = spawn(process.execPath, [daemonProgram, '--data', data, '--port', '0', '--until-safe-s', '1'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  const kept = readFileSync(join(data, 'logs/daemon.log'), 'utf8');
  for (const one of [said, kept]) {
    expect(one).toContain('is empty');
    expect(one).not.toContain('let-me-in');
  }
});
