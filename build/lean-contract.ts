import { parseAst, Visitor, type ESTree, type Plugin } from 'vite';

/**
 * Properties that only the server reads in calls to these functions: schemas by which it checks requests and answers.
 */
const dropped: Record<string, readonly string[]> = {
  endpoint: ['params', 'query', 'body', 'answer', 'tag', 'summary', 'statuses', 'errors', 'goesSafe'],
  settingsEndpoints: ['settings', 'create', 'patch'],
  controllerKind: ['settings', 'series'],
};
const isContract = /\/server\/contract\/.+\.ts$/;

/**
 * Lets the page leave out schemas that it never reads, a quarter of the script before its first paint: removes
 * `dropped`, and marks each top-level value as free of side effects, as all of the contract is.
 */
export function leanContract(): Plugin {
  return {
    name: 'lean-contract',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: (code, id) => (isContract.test(id) ? { code: leaned(code), map: null } : null),
  };
}

interface Edit {
  start: number;
  end: number;
  put: string;
}

/** A module of the contract in JavaScript, as `leanContract` passes it on. */
export function leaned(code: string): string {
  const program = parseAst(code);
  const edits: Edit[] = program.body.flatMap(marksOf);
  new Visitor({
    CallExpression: (call) => void edits.push(...cutsOf(call, code)),
  }).visit(program);
  // From last to first, so that earlier positions stay valid.
  edits.sort((one, other) => other.start - one.start);
  return edits.reduce((text, { start, end, put }) => text.slice(0, start) + put + text.slice(end), code);
}

function marksOf(statement: ESTree.Program['body'][number]): Edit[] {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declared?.type !== 'VariableDeclaration') return [];
  return declared.declarations.flatMap(({ init }) =>
    init === null || init.type === 'Literal' || init.type === 'ArrowFunctionExpression'
      ? []
      : [
          { start: init.start, end: init.start, put: '/* @__PURE__ */ (() => (' },
          { start: init.end, end: init.end, put: '))()' },
        ],
  );
}

function cutsOf({ callee, arguments: given }: ESTree.CallExpression, code: string): Edit[] {
  const names = callee.type === 'Identifier' ? dropped[callee.name] : undefined;
  if (names === undefined) return [];
  return given.flatMap((declared) => {
    if (declared.type !== 'ObjectExpression') return [];
    const kept = declared.properties.filter(
      (one) => one.type === 'SpreadElement' || one.key.type !== 'Identifier' || !names.includes(one.key.name),
    );
    const put = `{ ${kept.map(({ start, end }) => code.slice(start, end)).join(', ')} }`;
    return [{ start: declared.start, end: declared.end, put }];
  });
}
