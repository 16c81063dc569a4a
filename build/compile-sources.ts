import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { distIsUpToDate } from './up-to-date.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'node_modules/.cache/compiled');

/** What tests start as processes and threads, built (if up to date) and not, with all its imports. */
const sources = ['server/**/*.ts', 'test/support/**/*.ts'];
const built = 'dist/main/!(index).js';

/**
 * Fills Node's compile cache before the tests. A thread that strips types itself uses WebAssembly, and V8 then
 * sometimes ends its whole process ("Check failed: jit_page.has_value()", https://github.com/nodejs/node/issues/64500);
 * besides, a thread starts in half the time, and a killed process adds nothing to the cache itself.
 */
export default async function compileSources(): Promise<void> {
  if (process.env.NODE_COMPILE_CACHE === folder) return; // by another project of this run
  process.env.NODE_COMPILE_CACHE = folder;
  const files = [...sources, ...(distIsUpToDate() ? [built] : [])].flatMap((pattern) =>
    globSync(pattern, { cwd: root }),
  );
  // All imports are compiled before the first runs, and that one ends the process.
  const modules = ['data:text/javascript,process.exit()', ...files.map((file) => pathToFileURL(join(root, file)).href)];
  const imports = modules.map((module) => `import ${JSON.stringify(module)};`).join('\n');
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', imports], { cwd: root });
}
