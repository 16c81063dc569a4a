import { spawn } from 'node:child_process';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { componentScripts } from './component-scripts.ts';

const root = join(import.meta.dirname, '..');

using scripts = componentScripts();
const lint = ['oxlint', '--config', '.oxlintrc.json', '--type-aware', '--deny-warnings'];
/** The lint has every type at hand: a compiler beside it would work out all of them again. */
const lintAndTypes = [...lint, '--type-check'];
/** Rules that need a component's template. */
const ofTemplates = ['no-unused-vars', 'typescript/consistent-type-imports'].flatMap((rule) => ['--allow', rule]);

/** From the longest to the shortest, so that none runs alone at the end. */
const checks: string[][] = [
  lintAndTypes,
  ['vue-tsc', '-p', 'renderer'],
  ['eslint', '--config', 'build/eslint.config.js', '--max-warnings', '0', 'renderer/**/*.vue'],
  [...lint, ...ofTemplates, scripts.path],
  ['knip', '--config', 'build/knip.jsonc', '--include', 'files,exports,types'],
  ['oxfmt', '--check'],
];

/** MB for what is new, of which most lives long in a check: a sixth of vue-tsc's time was copying it. */
const fewerCopies = '--min-semi-space-size=64';

/** Runs one check; returns its output, null when it found nothing. */
function run([program = '', ...args]: readonly string[]): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const command = join(root, 'node_modules/.bin', program);
    const child = spawn(process.execPath, [fewerCopies, command, ...args], { cwd: root });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (printed += text.toString()));
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0 ? null : `${program} ${args.join(' ')}\n${printed}`));
  });
}

/** Takes checks one after the other until none is left; there is one worker for each processor. */
async function work(waiting: string[][], found: string[]): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const printed = await run(check);
    if (printed !== null) found.push(printed);
  }
}

setPriority(constants.priority.PRIORITY_BELOW_NORMAL); // tests run beside them
const found: string[] = [];
const waiting = [...checks];
await Promise.all(Array.from({ length: availableParallelism() }, () => work(waiting, found)));
for (const printed of found) console.error(printed);
if (found.length > 0) process.exitCode = 1;
