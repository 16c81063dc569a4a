import { dirname, join, relative, sep } from 'node:path';
import { refusedBy } from './layers.ts';

const root = join(import.meta.dirname, '..');

interface Source {
  value?: unknown;
}

/** The part of the linter's context that this rule uses; ESLint and oxlint both have it. */
interface Context {
  filename: string;
  report(found: { node: object; message: string }): void;
}

type Importing = { source?: Source | null };

/** Shows in the editor what the test of import rules refuses, from the same table. */
const layers = {
  meta: { type: 'problem', schema: [] },
  create(context: Context) {
    const check = ({ source }: Importing): void => {
      if (!source || typeof source.value !== 'string' || !source.value.startsWith('.')) return;
      const [from, to] = [context.filename, join(dirname(context.filename), source.value)].map(fromRoot);
      const layer = refusedBy(from ?? '', to ?? '');
      if (layer !== null)
        context.report({ node: source, message: `${layer} may not import ${to}: see build/layers.ts` });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

function fromRoot(file: string): string {
  return relative(root, file).split(sep).join('/');
}

export default { meta: { name: 'house' }, rules: { layers } };
