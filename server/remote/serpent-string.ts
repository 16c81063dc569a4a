import { serializeError } from './exception.ts';
import type { ReadingCost } from './text.ts';

interface StringLiteral {
  readonly value: string | Uint8Array;
  /** Index of the character after the closing quote. */
  readonly end: number;
}

interface Escape {
  readonly value: string;
  readonly length: number;
}

interface Content {
  /** Index of the character after the opening quote. */
  from: number;
  quote: string;
  isBytes: boolean;
  cost: ReadingCost;
}

/** Characters that need no check of their own: up to a quote, an escape or the end of the line. */
const plain = /[^'"\\\n\r]*/y;
const openingQuote = /([bBuU]?)('''|"""|'|")/y;
const notAscii = /[^\0-\x7f]/;
const backslash = 0x5c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\n', ''],
]);
const hexDigits: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);
const maxCodePoint = 0x10ffff;

/**
 * The string or bytes literal that begins at `start`, in any of Python's quotes; undefined when there is none. Raw and
 * formatted strings are refused like any other name.
 */
export function readStringLiteral(text: string, start: number, cost: ReadingCost): StringLiteral | undefined {
  openingQuote.lastIndex = start;
  const opening = openingQuote.exec(text);
  if (opening === null) return undefined;
  const [all, prefix = '', quote = ''] = opening;
  const isBytes = prefix.toLowerCase() === 'b';
  const { content, end } = readContent(text, { from: start + all.length, quote, isBytes, cost });
  return { value: isBytes ? toBytes(content, start) : content, end };
}

function readContent(text: string, options: Content) {
  const { from, quote, isBytes, cost } = options;
  let content = '';
  let runStart = from;
  let at = from;
  while (!text.startsWith(quote, at)) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code)) throw fault(at, 'string without an end');
    if (quote.length === 1 && (code === lineFeed || code === carriageReturn)) throw fault(at, 'line break in a string');
    if (code !== backslash) {
      plain.lastIndex = at + 1;
      plain.test(text);
      at = plain.lastIndex;
      continue;
    }
    cost.spend();
    const escape = readEscape(text, at, isBytes);
    content += text.slice(runStart, at) + escape.value;
    at += escape.length;
    runStart = at;
  }
  if (isBytes && notAscii.test(text.slice(from, at))) throw fault(from, 'bytes outside ASCII');
  return { content: content + text.slice(runStart, at), end: at + quote.length };
}

function readEscape(text: string, at: number, isBytes: boolean): Escape {
  const letter = text.charAt(at + 1);
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) return { value: simple, length: 2 };
  const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
  if (octal !== undefined) return { value: String.fromCharCode(parseInt(octal, 8)), length: 1 + octal.length };
  const count = isBytes && letter !== 'x' ? undefined : hexDigits.get(letter);
  const digits = text.slice(at + 2, at + 2 + (count ?? 0));
  if (count === undefined || digits.length < count || !/^[0-9a-fA-F]+$/.test(digits)) throw fault(at, 'unknown escape');
  const point = parseInt(digits, 16);
  if (point > maxCodePoint) throw fault(at, 'no such character');
  return { value: String.fromCodePoint(point), length: 2 + count };
}

function toBytes(content: string, at: number): Uint8Array {
  if (/[^\0-\xff]/.test(content)) throw fault(at, 'byte above 255');
  return new Uint8Array(Buffer.from(content, 'latin1'));
}

function fault(at: number, message: string) {
  return serializeError(`serpent text, character ${at}: ${message}`);
}
