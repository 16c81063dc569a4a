import { expect, it } from 'vitest';
import house from '../../../build/lint-rules.ts';

const long = 'word '.repeat(30);

/** What the rule reports of the comments of a text, by their first lines. */
function reported(text: string): string[] {
  const lines = text.split('\n');
  const comments = lines.flatMap((line, at) => {
    const column = line.indexOf('//');
    return column < 0 ? [] : [{ loc: { start: { line: at + 1, column }, end: { line: at + 1, column: line.length } } }];
  });
  const found: object[] = [];
  const sourceCode = { text, getAllComments: () => comments };
  const report = ({ node }: { node: object }): void => void found.push(node);
  house.rules['comment-width'].create({ filename: '', sourceCode, report }).Program();
  return comments.filter((one) => found.includes(one)).map(({ loc }) => lines[loc.start.line - 1] ?? '');
}

it('refuses a comment that runs past the code around it, but not what stands behind code', () => {
  expect(reported(`// ${long}\n  // ${long}\n// short\nconst a = 1; // ${long}`)).toEqual([
    `// ${long}`,
    `  // ${long}`,
  ]);
});
