import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const sources = ['server', 'electron', 'renderer', 'resources', 'build', 'package-lock.json'];
/** Time at which a build began; written last and removed first, so that an interrupted one counts as none. */
export const buildStamp = join(root, 'dist/built');

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/**
 * True when the build of dist/ began after the last change of its sources. A packaged or shipped dist has no sources
 * beside it.
 */
export function distIsUpToDate(): boolean {
  if (!existsSync(buildStamp)) return false;
  const built = statSync(buildStamp).mtimeMs;
  return sources.every((name) => !existsSync(join(root, name)) || newest(join(root, name)) <= built);
}
