import { spawn, type ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';

const onWindows = process.platform === 'win32';
const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));

// In parallel: tests wait for other processes half of the time, and the checks have lower priority. They read no build.
const checks = spawn(process.execPath, ['build/check.ts'], { stdio: ['ignore', 'inherit', 'pipe'] });
const checking = Promise.all([ended(checks), text(checks.stderr)]);
const built = await ended(spawn('npm', ['run', 'build'], { stdio: 'inherit', shell: onWindows }));
const tested =
  built === 0
    ? await ended(
        spawn('vitest', ['run', '--config', 'build/vitest.config.ts', ...process.argv.slice(2)], {
          stdio: 'inherit',
          env: { PICTURES: '0', ...process.env },
          shell: onWindows,
        }),
      )
    : built;
const [checked, found] = await checking;
process.stderr.write(found);
process.exitCode = checked === 0 && tested === 0 ? 0 : 1;
