import { spawn, type ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';

// In parallel: tests wait for other processes half of the time, and the checks have lower priority.
const checks = spawn(process.execPath, ['build/check.ts'], { stdio: ['ignore', 'inherit', 'pipe'] });
const tests = spawn('vitest', ['run', '--config', 'build/vitest.config.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { PICTURES: '0', ...process.env },
  shell: process.platform === 'win32',
});

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));

const [found, checked, tested] = await Promise.all([text(checks.stderr), ended(checks), ended(tests)]);
process.stderr.write(found);
process.exitCode = checked === 0 && tested === 0 ? 0 : 1;
