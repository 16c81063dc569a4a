import { serializeError } from './exception.ts';
import { decodeText, maxDepth, ReadingCost } from './text.ts';
import { Tuple } from './tuple.ts';

const bareNumbers = ['NaN', 'Infinity', '-Infinity'];

/**
 * Writes a value as JSON: NaN and the infinities as null, integer keys as text, Tuple and Set as arrays. Throws
 * RemoteError `serialize_error` on bytes and anything else that JSON cannot hold, and beyond 100 levels.
 */
export function encodeJson(value: unknown): Buffer {
  return sealJson(writeJson(value));
}

/** The payload of finished text. */
export function sealJson(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}

/**
 * Reads JSON; the bare NaN and Infinity that Python writes become null. Throws RemoteError `serialize_error` on invalid
 * text and beyond 100 levels, `too_large` beyond `mostValues`. Integers beyond 2^53 lose digits, as in any JavaScript
 * reader.
 */
export function decodeJson(bytes: Uint8Array, mostValues?: number): unknown {
  const text = withoutBareNumbers(decodeText(bytes), new ReadingCost(mostValues));
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw serializeError('not valid JSON', { cause });
  }
}

/** `depth` counts the containers around the value. */
export function writeJson(value: unknown, depth = 0): string {
  switch (typeof value) {
    case 'undefined':
      return 'null';
    case 'boolean':
    case 'string':
    case 'number':
      return JSON.stringify(value);
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? 'null' : writeContainer(value, depth);
    default:
      throw serializeError(`a ${typeof value} cannot be sent`);
  }
}

function writeContainer(value: object, depth: number): string {
  if (depth >= maxDepth) throw serializeError(`value is nested deeper than ${maxDepth} levels`);
  const inner = depth + 1;
  if (Array.isArray(value) || value instanceof Set) return writeArray(value, inner);
  if (value instanceof Tuple) return writeArray(value.items, inner);
  if (value instanceof Date) return JSON.stringify(value);
  if (value instanceof Map) return writeEntries(value, inner);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return writeEntries(Object.entries(value), inner);
  throw serializeError(`a ${value.constructor.name} cannot be sent as JSON`);
}

function writeArray(items: Iterable<unknown>, depth: number): string {
  return `[${Array.from(items, (item) => writeJson(item, depth)).join(',')}]`;
}

function writeEntries(entries: Iterable<[unknown, unknown]>, depth: number): string {
  const parts: string[] = [];
  for (const [key, item] of entries) {
    if (item !== undefined) parts.push(`${JSON.stringify(keyText(key))}:${writeJson(item, depth)}`);
  }
  return `{${parts.join(',')}}`;
}

/** Keys as Python's json writes them. */
function keyText(key: unknown): string {
  if (typeof key === 'string') return key;
  if (key === null) return 'null';
  if (typeof key === 'number' || typeof key === 'bigint' || typeof key === 'boolean') return String(key);
  throw serializeError('a container cannot be a key');
}

/** Characters up to the next one that matters here. */
const token = /[^"[\]{},:NI-]*/y;

/**
 * One pass outside strings: checks nesting and number of values before the text is parsed, and replaces bare numbers.
 */
function withoutBareNumbers(text: string, cost: ReadingCost): string {
  const parts: string[] = [];
  let depth = 0;
  let copied = 0;
  for (let at = afterRun(token, text, 0); at < text.length; at = afterRun(token, text, at + 1)) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at, cost);
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === 'N' || character === 'I' || character === '-') {
      const bare = bareNumbers.find((name) => text.startsWith(name, at));
      if (bare === undefined) continue;
      parts.push(text.slice(copied, at), 'null');
      at += bare.length - 1;
      copied = at + 1;
    } else {
      cost.spend();
      if (character === '[' || character === '{') depth += 1;
    }
    if (depth > maxDepth) throw serializeError(`nested deeper than ${maxDepth} levels`);
  }
  return parts.join('') + text.slice(copied);
}

/** Characters within a string that need no check of their own. */
const plain = /[^"\\]*/y;

/** Index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number, cost: ReadingCost): number {
  let at = afterRun(plain, text, start + 1);
  while (text.charAt(at) === '\\') {
    cost.spend();
    at = afterRun(plain, text, at + 2);
  }
  return at;
}

/** Index of the first character after the run that begins at `start`. */
function afterRun(run: RegExp, text: string, start: number): number {
  run.lastIndex = Math.min(start, text.length);
  run.test(text);
  return run.lastIndex;
}
