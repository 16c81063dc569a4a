import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, type SFCScriptBlock } from 'vue/compiler-sfc';

const root = join(import.meta.dirname, '..');

/** `Row extends { name: string }` of a script's tag, as a type that the script can name. */
function typeOf(parameter: string): string {
  const [name, bound = 'unknown'] = parameter.split(' extends ');
  return `type ${name} = ${bound};`;
}

/** A script with each line at its place in the component. */
function moduleOf({ attrs, content, loc }: SFCScriptBlock): string {
  const generic = typeof attrs.generic === 'string' ? attrs.generic.split(/, (?![^<]*>)/) : [];
  return '\n'.repeat(loc.start.line - 1) + generic.map(typeOf).join(' ') + content;
}

/**
 * Copies the script of every component into a folder of modules, for the linter: it has types only for modules, and
 * ESLint, which has them for components, makes a type checker for each (two minutes of a processor). Relative imports
 * reach the sources by `rootDirs`.
 *
 * @returns the path of the copies, which are removed with it.
 */
export function componentScripts(): { path: string; [Symbol.dispose](): void } {
  const folder = mkdtempSync(join(tmpdir(), 'component-scripts-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const file of globSync('renderer/**/*.vue', { cwd: root })) {
    const { scriptSetup } = parse(readFileSync(join(root, file), 'utf8')).descriptor;
    if (!scriptSetup) continue;
    const copy = join(folder, `${file}.script.ts`);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, moduleOf(scriptSetup));
  }
  const compilerOptions = { rootDirs: [root, folder], noUnusedLocals: false };
  const tsconfig = {
    extends: join(root, 'renderer/tsconfig.json'),
    compilerOptions,
    include: ['**/*.ts', join(root, 'renderer/*.d.ts')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  return { path: join(folder, 'renderer'), [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
