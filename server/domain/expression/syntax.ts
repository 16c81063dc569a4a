import { parse, type Options, type Program } from 'acorn';
import { faultOf, type StatementFault } from '../../contract/statement.ts';

/** A place in a text, both counted from 1. */
export interface Place {
  line: number;
  column: number;
}

/** Maximum nesting of brackets. */
const deepest = 100;

const begin: Place = { line: 1, column: 1 };

const options: Options = { ecmaVersion: 2024, sourceType: 'script', locations: true };

/**
 * The syntax tree of a text, or the one fault that prevents it. The compiler decides which of the tree belongs to the
 * language.
 */
export function syntaxOf(text: string, longest: number): Program | StatementFault {
  if (text.length > longest) return faultOf(begin, 'too_long', { most: String(longest) });
  const deep = tooDeep(text);
  if (deep !== undefined) return deep;
  try {
    return parse(text, options);
  } catch (error) {
    // A recursive parser can exhaust its stack on things other than brackets too.
    if (error instanceof RangeError) return faultOf(begin, 'too_deep');
    if (!(error instanceof SyntaxError)) throw error;
    const { loc } = error as SyntaxError & { loc?: { line: number; column: number } }; // as acorn documents it
    const message = error.message.replace(/ \(\d+:\d+\)$/, '');
    return faultOf({ line: loc?.line ?? 1, column: (loc?.column ?? 0) + 1 }, 'syntax', { said: message });
  }
}

function tooDeep(text: string): StatementFault | undefined {
  let [depth, line, lineStart] = [0, 1, 0];
  for (const { 0: character, index } of text.matchAll(/[\n()[\]{}]/g)) {
    if (character === '\n') [line, lineStart] = [line + 1, index + 1];
    else depth += '([{'.includes(character) ? 1 : -1;
    if (depth > deepest) return faultOf({ line, column: index - lineStart + 1 }, 'too_deep');
  }
  return undefined;
}

/** Where a part of a tree begins. */
export function placeOf({ loc }: { loc?: { start: { line: number; column: number } } | null | undefined }): Place {
  return { line: loc?.start.line ?? 1, column: (loc?.start.column ?? 0) + 1 };
}
