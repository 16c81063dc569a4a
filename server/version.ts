import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifest = z.object({ version: z.string() });

/** The program's version, from package.json: one folder above the sources, two above the bundle. */
export function programVersion(): string {
  const isSource = new URL(import.meta.url).pathname.endsWith('.ts');
  const file = new URL(isSource ? '../package.json' : '../../package.json', import.meta.url);
  return manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}
