import { serializeError } from './exception.ts';
import { decodeText, MAX_DEPTH } from './text.ts';
import { Tuple } from './tuple.ts';

const BARE_NUMBERS = ['NaN', 'Infinity', '-Infinity'];

/**
 * Writes a value as JSON: NaN and the infinities as null, integer keys as text, Tuple and Set as arrays.
 * Throws RemoteError `serialize_error` on bytes and whatever else JSON cannot carry, and beyond 100 levels.
 */
export function encodeJson(value: unknown): Buffer {
  return Buffer.from(writeJson(value, 0), 'utf8');
}

/**
 * Reads JSON; the bare NaN and Infinity that Python writes become null. Throws RemoteError `serialize_error` on invalid text and
 * beyond 100 levels. Integers beyond 2^53 lose digits, as in any JavaScript reader.
 */
export function decodeJson(bytes: Uint8Array): unknown {
  const text = withoutBareNumbers(decodeText(bytes));
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw serializeError('not valid JSON', { cause });
  }
}

function writeJson(value: unknown, depth: number): string {
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
  if (depth >= MAX_DEPTH) throw serializeError(`value is nested deeper than ${MAX_DEPTH} levels`);
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

/** One pass outside the strings: checks the nesting before anything recursive sees the text, and replaces the bare numbers. */
function withoutBareNumbers(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === 'N' || character === 'I' || character === '-') {
      const bare = BARE_NUMBERS.find((name) => text.startsWith(name, at));
      if (bare === undefined) continue;
      parts.push(text.slice(copied, at), 'null');
      at += bare.length - 1;
      copied = at + 1;
    }
    if (depth > MAX_DEPTH) throw serializeError(`nested deeper than ${MAX_DEPTH} levels`);
  }
  return parts.join('') + text.slice(copied);
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
