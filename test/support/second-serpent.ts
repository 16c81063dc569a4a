/**
 * A second reader of the recorded frames: it shares no code with server/remote, so that an error there is not repeated.
 */

/** A Python tuple. */
export class PyTuple extends Array<unknown> {}

export function tuple(...items: unknown[]): PyTuple {
  return PyTuple.from(items);
}

export const header = '# serpent utf-8 python3.2\n';

/** Writes a Python literal like Pyro5 does; numeric keys of a Map stay numbers. */
export function repr(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quoted(value);
  if (value instanceof PyTuple) return value.length === 1 ? `(${repr(value[0])},)` : `(${list(value)})`;
  if (Array.isArray(value)) return `[${list(value)}]`;
  const entries = value instanceof Map ? [...(value as Map<unknown, unknown>)] : Object.entries(value);
  return `{${entries.map(([key, item]) => `${repr(key)}:${repr(item)}`).join(',')}}`;
}

function list(items: readonly unknown[]): string {
  return Array.from(items, repr).join(',');
}

function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll(mark, `\\${mark}`);
  return `${mark}${body}${mark}`;
}

const token = /\s*(?:#[^\n]*\n)?\s*([()[\]{},:]|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s()[\]{},:'"]+)/y;
const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' };
const words: Record<string, unknown> = { None: null, True: true, False: false };

/** Reads a literal: tuples and lists as arrays, dictionaries as objects. */
export function literal(text: string): unknown {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) tokens.push(found[1] ?? '');
  return read(tokens);
}

function read(tokens: string[]): unknown {
  const first = tokens.shift() ?? '';
  if (first in closing) return readContainer(tokens, first);
  if (first.startsWith("'") || first.startsWith('"')) return unquoted(first.slice(1, -1));
  return first in words ? words[first] : Number(first);
}

function readContainer(tokens: string[], open: string): unknown {
  const items: unknown[] = [];
  const pairs: [string, unknown][] = [];
  while (tokens[0] !== closing[open]) {
    const item = read(tokens);
    if (open === '{') {
      tokens.shift(); // the colon
      pairs.push([String(item), read(tokens)]);
    } else items.push(item);
    if (tokens[0] === ',') tokens.shift();
  }
  tokens.shift();
  return open === '{' ? Object.fromEntries(pairs) : items;
}

function unquoted(body: string): string {
  return body.replace(/\\(?:x(..)|u(....)|(.))/gs, (_, two?: string, four?: string, one?: string) => {
    if (one === undefined) return String.fromCharCode(parseInt(two ?? four ?? '', 16));
    return { n: '\n', r: '\r', t: '\t' }[one] ?? one;
  });
}
