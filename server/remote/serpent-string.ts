import { serializeError } from './exception.ts';

interface StringLiteral {
  readonly value: string | Uint8Array;
  /** Index of the character after the closing quote. */
  readonly end: number;
}

interface Escape {
  readonly value: string;
  readonly length: number;
}

const OPENING = /([bBuU]?)('''|"""|'|")/y;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
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
const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);
const MAX_CODE_POINT = 0x10ffff;

/**
 * The string or bytes literal that begins at `start`, in any of Python's quotes, or undefined when none does. Raw and formatted
 * strings are refused like any other name.
 */
export function readStringLiteral(text: string, start: number): StringLiteral | undefined {
  OPENING.lastIndex = start;
  const opening = OPENING.exec(text);
  if (opening === null) return undefined;
  const [all, prefix = '', quote = ''] = opening;
  const isBytes = prefix.toLowerCase() === 'b';
  const { content, end } = readContent(text, { from: start + all.length, quote, isBytes });
  return { value: isBytes ? toBytes(content, start) : content, end };
}

function readContent(text: string, options: { from: number; quote: string; isBytes: boolean }) {
  const { from, quote, isBytes } = options;
  let content = '';
  let runStart = from;
  let at = from;
  while (!text.startsWith(quote, at)) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code)) throw fault(at, 'string without an end');
    if (quote.length === 1 && (code === LINE_FEED || code === CARRIAGE_RETURN))
      throw fault(at, 'line break in a string');
    if (isBytes && code > 0x7f) throw fault(at, 'bytes outside ASCII');
    if (code !== BACKSLASH) {
      at += 1;
      continue;
    }
    const escape = readEscape(text, at, isBytes);
    content += text.slice(runStart, at) + escape.value;
    at += escape.length;
    runStart = at;
  }
  return { content: content + text.slice(runStart, at), end: at + quote.length };
}

function readEscape(text: string, at: number, isBytes: boolean): Escape {
  const letter = text.charAt(at + 1);
  const simple = SIMPLE_ESCAPES.get(letter);
  if (simple !== undefined) return { value: simple, length: 2 };
  const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
  if (octal !== undefined) return { value: String.fromCharCode(parseInt(octal, 8)), length: 1 + octal.length };
  const count = isBytes && letter !== 'x' ? undefined : HEX_DIGITS.get(letter);
  const digits = text.slice(at + 2, at + 2 + (count ?? 0));
  if (count === undefined || digits.length < count || !/^[0-9a-fA-F]+$/.test(digits)) throw fault(at, 'unknown escape');
  const point = parseInt(digits, 16);
  if (point > MAX_CODE_POINT) throw fault(at, 'no such character');
  return { value: String.fromCodePoint(point), length: 2 + count };
}

function toBytes(content: string, at: number): Uint8Array {
  if (/[^\0-\xff]/.test(content)) throw fault(at, 'byte above 255');
  return new Uint8Array(Buffer.from(content, 'latin1'));
}

function fault(at: number, message: string) {
  return serializeError(`serpent text, character ${at}: ${message}`);
}
