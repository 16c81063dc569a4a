import { serializeError } from './exception.ts';
import { SerpentReader } from './serpent-reader.ts';
import { writeLiteral } from './serpent-writer.ts';
import { decodeText, ReadingCost } from './text.ts';

const header = '# serpent utf-8 python3.2\n';

/**
 * Writes a value as serpent text: null and undefined as None, safe integers and bigint as int, other numbers as float,
 * arrays as lists, Tuple as tuple, Set as set, Map and plain objects as dict (a Map keeps number keys), Uint8Array as
 * the base64 dictionary. Throws RemoteError `serialize_error` on anything else and beyond 100 levels.
 */
export function encodeSerpent(value: unknown): Buffer {
  return sealSerpent(writeLiteral(value));
}

/** The payload of a finished literal. */
export function sealSerpent(literal: string): Buffer {
  return Buffer.from(header + literal, 'utf8');
}

/**
 * Reads serpent text as plain data: a dictionary with text keys only becomes an object without prototype, any other a
 * Map; tuples and lists become arrays, a set a Set, the base64 dictionary and b'...' a Uint8Array, an int beyond 2^53 a
 * bigint. Throws RemoteError `serialize_error` on everything that is not a literal, on NUL, complex numbers and beyond
 * 100 levels, `too_large` beyond `mostValues`.
 */
export function decodeSerpent(bytes: Uint8Array, mostValues?: number): unknown {
  const text = decodeText(bytes);
  if (text.includes('\0')) throw serializeError('serpent text contains a NUL');
  return new SerpentReader(text, new ReadingCost(mostValues)).read();
}
