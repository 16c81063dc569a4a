import { serializeError } from './exception.ts';
import { maxDepth } from './text.ts';
import { Tuple } from './tuple.ts';

/** What Python's repr escapes: everything not printable (categories C and Z except the space), and the backslash. */
const unprintable = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const shortEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Python's repr leaves fixed notation at these decimal exponents. */
const fixedExponent_min = -4;
const fixedExponentEnd = 16;

/** Writes one Python literal without spaces, as serpent does; `depth` counts the containers around it. */
export function writeLiteral(value: unknown, depth = 0): string {
  switch (typeof value) {
    case 'undefined':
      return 'None';
    case 'boolean':
      return value ? 'True' : 'False';
    case 'number':
      return writeNumber(value);
    case 'bigint':
      return value.toString();
    case 'string':
      return writeText(value);
    case 'object':
      return value === null ? 'None' : writeObject(value, depth);
    default:
      throw serializeError(`a ${typeof value} cannot be sent`);
  }
}

function writeObject(value: object, depth: number): string {
  if (depth >= maxDepth) throw serializeError(`value is nested deeper than ${maxDepth} levels`);
  const inner = depth + 1;
  if (Array.isArray(value)) return `[${value.map((item) => writeLiteral(item, inner)).join(',')}]`;
  if (value instanceof Tuple) return writeTuple(value.items, (item) => writeLiteral(item, inner));
  if (value instanceof Uint8Array) return `{'data': '${Buffer.from(value).toString('base64')}', 'encoding': 'base64'}`;
  if (value instanceof Date) return writeText(value.toISOString());
  if (value instanceof Set) return writeSet(value, inner);
  if (value instanceof Map) return writeDict(value, inner);
  return writeDict(plainEntries(value), inner);
}

function plainEntries(value: object): [string, unknown][] {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    throw serializeError(`a ${value.constructor.name} cannot be sent`);
  }
  return Object.entries(value).filter(([, item]) => item !== undefined);
}

function writeDict(entries: Iterable<[unknown, unknown]>, depth: number): string {
  const parts = Array.from(entries, ([key, item]) => `${writeKey(key, depth)}:${writeLiteral(item, depth)}`);
  return `{${parts.join(',')}}`;
}

/** Python has no literal for the empty set; serpent sends the empty tuple. */
function writeSet(items: ReadonlySet<unknown>, depth: number): string {
  if (items.size === 0) return '()';
  return `{${Array.from(items, (item) => writeKey(item, depth)).join(',')}}`;
}

/** Keys and set members must be hashable in Python: an array becomes a tuple there, other containers are refused. */
function writeKey(key: unknown, depth: number): string {
  if (typeof key !== 'object' || key === null) return writeLiteral(key, depth);
  if (depth >= maxDepth) throw serializeError(`value is nested deeper than ${maxDepth} levels`);
  const items: readonly unknown[] | undefined = key instanceof Tuple ? key.items : Array.isArray(key) ? key : undefined;
  if (items === undefined) throw serializeError('a container cannot be a key or a member of a set');
  return writeTuple(items, (item) => writeKey(item, depth + 1));
}

function writeTuple(items: readonly unknown[], write: (item: unknown) => string): string {
  const parts = items.map(write);
  return parts.length === 1 ? `(${parts.join('')},)` : `(${parts.join(',')})`;
}

function writeNumber(value: number): string {
  if (Number.isNaN(value)) return "{'__class__':'float','value':'nan'}";
  if (!Number.isFinite(value)) return value > 0 ? '1e30000' : '-1e30000';
  if (Object.is(value, -0)) return '-0.0';
  return Number.isSafeInteger(value) ? String(value) : writeFloat(value);
}

/** Both languages print the shortest digits that read back the same; only the notation differs. */
function writeFloat(value: number): string {
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= fixedExponent_min && exponent < fixedExponentEnd) {
    const text = String(value);
    return text.includes('.') ? text : `${text}.0`;
  }
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
}

function writeText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(unprintable, escapeCharacter);
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

function escapeCharacter(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
