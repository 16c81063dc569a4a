import * as icons from '@mdi/js';
import { parseAst, type ESTree, type Plugin } from 'vite';

const source = '@mdi/js';
const paths: Readonly<Record<string, string>> = icons;

/**
 * Writes the icons that a module imports into it. They are one module of their package, of which a bundle can only have
 * one part: the first script would bring the icons of every page.
 */
export function ownIcons(): Plugin {
  return {
    name: 'own-icons',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: (code, id) =>
      code.includes(source) && !id.includes('node_modules') ? { code: withIcons(code), map: null } : null,
  };
}

/** A module in JavaScript with constants for the icons that it imported; throws for one that there is not. */
export function withIcons(code: string): string {
  const imports = parseAst(code).body.filter(
    (one): one is ESTree.ImportDeclaration => one.type === 'ImportDeclaration' && one.source.value === source,
  );
  // From last to first, so that earlier positions stay valid.
  return imports.reduceRight(
    (text, { start, end, specifiers }) => text.slice(0, start) + specifiers.map(constantOf).join('') + text.slice(end),
    code,
  );
}

function constantOf(specifier: ESTree.ImportDeclaration['specifiers'][number]): string {
  const name = specifier.type === 'ImportSpecifier' && 'name' in specifier.imported ? specifier.imported.name : '';
  const path = paths[name];
  if (path === undefined) throw new Error(`${source} has no icon ${name}`);
  return `const ${specifier.local.name} = ${JSON.stringify(path)};`;
}
