import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { distIsUpToDate } from '../../build/up-to-date.ts';

const root = join(import.meta.dirname, '../..');

/** Builds what a test runs as it ships, unless dist/ is up to date. Throws with the bundler's output. */
export function buildIfNeeded(): void {
  if (distIsUpToDate()) return;
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const built = spawnSync(process.execPath, [vite, 'build', '--app', '--config', 'build/vite.config.ts'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' }, // and not that of the tests
  });
  if (built.status !== 0) throw new Error(`the build failed: ${built.stdout}${built.stderr}`);
}
