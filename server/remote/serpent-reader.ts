import { serializeError, type RemoteError } from './exception.ts';
import { readStringLiteral } from './serpent-string.ts';
import { maxDepth, type ReadingCost } from './text.ts';

/** The longest int that Python itself converts from text. */
const maxIntDigits = 4300;
const space = /[ \t\r\n\f]*/y;
const numberPattern = /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
/** As much of a name as distinguishes it from the three known ones. */
const wordPattern = /[\p{L}_][\p{L}\p{N}_]{0,15}/uy;
/** Complete groups of four are checked separately. */
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** What may follow a number in text without spaces. */
const closing = ',:)]}';
const lastSpace = 0x20;
const hash = 0x23;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const names: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['None', null],
  ['True', true],
  ['False', false],
]);

interface Place {
  /** Number of containers around the value. */
  readonly depth: number;
  /** True in keys and set members, where Python allows no lists, dictionaries and sets. */
  readonly hashable: boolean;
}

/** Recursive descent over one Python literal; evaluates nothing, and knows only the names None, True and False. */
export class SerpentReader {
  readonly #text: string;
  readonly #cost: ReadingCost;
  #at = 0;

  constructor(text: string, cost: ReadingCost) {
    this.#text = text;
    this.#cost = cost;
  }

  /** The value of the whole text. Throws RemoteError `serialize_error` with the position of the error. */
  read(): unknown {
    const value = this.#value({ depth: 0, hashable: false });
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#fault('text after the end of the value');
    return value;
  }

  #value(place: Place): unknown {
    this.#cost.spend();
    this.#skipSpace();
    const character = this.#text[this.#at];
    switch (character) {
      case undefined:
        throw this.#fault('text ends too early');
      case '(':
        return this.#parenthesised(this.#enter(place));
      case '[':
        if (place.hashable) throw this.#fault('a list cannot be a key');
        return this.#sequence(']', this.#enter(place));
      case '{':
        if (place.hashable) throw this.#fault('a dictionary or set cannot be a key');
        return this.#braces(this.#enter(place));
      case '-':
      case '+':
        this.#at += 1;
        this.#skipSpace();
        return this.#number(this.#digits(), character === '-');
      default:
        return this.#scalar();
    }
  }

  #scalar(): unknown {
    const start = this.#at;
    const digits = this.#digits();
    if (digits !== undefined) return this.#number(digits, false);
    const literal = readStringLiteral(this.#text, start, this.#cost);
    if (literal !== undefined) {
      this.#at = literal.end;
      return literal.value;
    }
    const word = this.#match(wordPattern);
    if (word === undefined) throw this.#fault('not a literal');
    if (names.has(word)) return names.get(word);
    this.#at = start;
    throw this.#fault('names and calls are not literals');
  }

  #enter(place: Place): Place {
    if (place.depth >= maxDepth) throw this.#fault(`nested deeper than ${maxDepth} levels`);
    this.#at += 1;
    return { ...place, depth: place.depth + 1 };
  }

  /** A tuple, or a single value in parentheses when no comma follows it. */
  #parenthesised(place: Place): unknown {
    if (this.#accept(')')) return [];
    const first = this.#value(place);
    if (this.#accept(')')) return first;
    this.#expect(',');
    return [first, ...this.#sequence(')', place)];
  }

  #sequence(close: string, place: Place): unknown[] {
    const items: unknown[] = [];
    while (!this.#accept(close)) {
      items.push(this.#value(place));
      if (this.#accept(close)) break;
      this.#expect(',');
    }
    return items;
  }

  /** A set or a dictionary: the character after the first member decides. */
  #braces(place: Place): unknown {
    if (this.#accept('}')) return Object.create(null);
    const member = { ...place, hashable: true };
    const first = this.#value(member);
    if (this.#accept(':')) return this.#dictionary(first, place);
    if (this.#accept('}')) return new Set([first]);
    this.#expect(',');
    return new Set([first, ...this.#sequence('}', member)]);
  }

  #dictionary(firstKey: unknown, place: Place): unknown {
    const entries = new Map<unknown, unknown>([[firstKey, this.#value(place)]]);
    while (!this.#accept('}')) {
      this.#expect(',');
      if (this.#accept('}')) break;
      const key = this.#value({ ...place, hashable: true });
      this.#expect(':');
      entries.set(key, this.#value(place));
    }
    return plainDictionary(entries);
  }

  #digits(): string | undefined {
    const first = this.#text.charCodeAt(this.#at);
    const mayBegin = (first >= zero && first <= nine) || first === point;
    return mayBegin ? this.#match(numberPattern) : undefined;
  }

  #number(digits: string | undefined, negative: boolean): unknown {
    if (digits === undefined) throw this.#fault('not a literal');
    const next = this.#text[this.#at];
    if (next !== undefined && !closing.includes(next) && /[\p{L}\p{N}_.+-]/u.test(next)) {
      throw this.#fault('jJ+-'.includes(next) ? 'complex numbers are not supported' : 'not a number');
    }
    if (!/^[0-9]+$/.test(digits)) return negative ? -Number(digits) : Number(digits);
    if (/^0+[1-9]/.test(digits)) throw this.#fault('an int does not begin with 0');
    if (digits.length > maxIntDigits) throw this.#fault(`int longer than ${maxIntDigits} digits`);
    return signedInteger(digits, negative);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #skipSpace(): void {
    const code = this.#text.charCodeAt(this.#at);
    if (code > lastSpace && code !== hash) return;
    this.#match(space);
    while (this.#text[this.#at] === '#') {
      this.#skipComment();
      this.#match(space);
    }
  }

  #skipComment(): void {
    this.#cost.spend();
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }

  #accept(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#accept(character)) throw this.#fault(`${character} expected`);
  }

  #fault(message: string): RemoteError {
    return serializeError(`serpent text, character ${this.#at}: ${message}`);
  }
}

/** Python has one integer zero; -0 exists only for floats. */
function signedInteger(digits: string, negative: boolean): number | bigint {
  const small = Number(digits);
  if (Number.isSafeInteger(small)) return negative && small !== 0 ? -small : small;
  const large = BigInt(digits);
  return negative ? -large : large;
}

function plainDictionary(entries: Map<unknown, unknown>): unknown {
  const plain = Object.create(null) as Record<string, unknown>; // no prototype, so `__proto__` is a key like any other
  for (const [key, value] of entries) {
    if (typeof key !== 'string') return entries;
    plain[key] = value;
  }
  return entries.size === 2 ? specialValue(plain) : plain;
}

/** The two dictionaries for values without a literal: bytes and the float NaN. */
function specialValue(plain: Record<string, unknown>): unknown {
  const { data, encoding, value } = plain;
  if (plain.__class__ === 'float' && value === 'nan') return Number.NaN;
  if (encoding !== 'base64' || typeof data !== 'string' || data.length % 4 !== 0 || !base64.test(data)) return plain;
  return new Uint8Array(Buffer.from(data, 'base64'));
}
