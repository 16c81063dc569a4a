import { dirname, join, relative, sep } from 'node:path';
import { refusedBy } from './layers.ts';

const root = join(import.meta.dirname, '..');

interface Source {
  value?: unknown;
}

interface Comment {
  loc: Record<'start' | 'end', { line: number; column: number }>;
}

/** The part of the linter's context that these rules use; ESLint and oxlint both have it. */
interface Context {
  filename: string;
  sourceCode: { text: string; getAllComments(): Comment[] };
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

/** The formatter breaks code there, and leaves comments as they are. */
const mostColumns = 120;

/** Keeps comments as narrow as the code around them. */
const commentWidth = {
  meta: { type: 'layout', schema: [] },
  create(context: Context) {
    return {
      Program(): void {
        const lines = context.sourceCode.text.split('\n');
        for (const comment of context.sourceCode.getAllComments()) {
          const { start, end } = comment.loc;
          const own = lines.slice(start.line - 1, end.line);
          const isBehindCode = own[0]?.slice(0, start.column).trim() !== '';
          if (!isBehindCode && own.some(({ length }) => length > mostColumns))
            context.report({ node: comment, message: `wrap it: no line over ${mostColumns} columns` });
        }
      },
    };
  },
};

function fromRoot(file: string): string {
  return relative(root, file).split(sep).join('/');
}

export default { meta: { name: 'house' }, rules: { layers, 'comment-width': commentWidth } };
