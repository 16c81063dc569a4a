import { isRecord, protocolError } from './exception.ts';
import { decodeJson, encodeJson, sealJson, writeJson } from './json.ts';
import { decodeSerpent, encodeSerpent, sealSerpent } from './serpent.ts';
import { writeLiteral } from './serpent-writer.ts';
import { Tuple } from './tuple.ts';

/** The request in an INVOKE message. */
export interface Invocation {
  readonly object: string;
  readonly method: string;
  readonly positional: readonly unknown[];
  /** Plain object; null for the special methods. */
  readonly keywords: unknown;
}

export interface Serializer {
  readonly id: number;
  encode(value: unknown): Buffer;
  /** The text of a value at this nesting depth, for `encodeList`. */
  write(value: unknown, depth: number): string;
  /**
   * The payload of a list whose items are already written in UTF-8: encoding megabytes of text at the end would take
   * 100 ms.
   */
  encodeList(items: readonly Buffer[]): Buffer;
  /** Reads at most `mostValues` values, including keys; default any number. */
  decode(bytes: Uint8Array, mostValues?: number): unknown;
  encodeInvocation(invocation: Invocation): Buffer;
  decodeInvocation(bytes: Uint8Array, mostValues?: number): Invocation;
}

/** Python's default: one literal; an invocation is a tuple of four. */
export const serpent: Serializer = {
  id: 1,
  encode: encodeSerpent,
  write: writeLiteral,
  encodeList: (items) => Buffer.concat([sealSerpent('['), ...separated(items)]),
  decode: decodeSerpent,
  encodeInvocation: ({ object, method, positional, keywords }) =>
    encodeSerpent(new Tuple([object, method, method === '<batch>' ? positional : new Tuple(positional), keywords])),
  decodeInvocation(bytes, mostValues) {
    const value = decodeSerpent(bytes, mostValues);
    if (!Array.isArray(value) || value.length !== 4) throw protocolError('an invocation has four parts');
    const [object, method, positional, keywords] = value as unknown[]; // narrowed to any[] above
    return invocation({ object, method, positional, keywords });
  },
};

export const json: Serializer = {
  id: 3,
  encode: encodeJson,
  write: writeJson,
  encodeList: (items) => Buffer.concat([sealJson('['), ...separated(items)]),
  decode: decodeJson,
  encodeInvocation: ({ object, method, positional, keywords }) =>
    encodeJson({ object, method, params: positional, kwargs: keywords }),
  decodeInvocation(bytes, mostValues) {
    const value = decodeJson(bytes, mostValues);
    if (!isRecord(value)) throw protocolError('an invocation is an object');
    const { object, method, params, kwargs } = value;
    return invocation({ object, method, positional: params, keywords: kwargs });
  },
};

const comma = Buffer.from(',');
const end = Buffer.from(']');

function* separated(items: readonly Buffer[]): Generator<Buffer> {
  for (const [at, item] of items.entries()) {
    if (at > 0) yield comma;
    yield item;
  }
  yield end;
}

const byId: ReadonlyMap<number, Serializer> = new Map([serpent, json].map((one) => [one.id, one]));

/** The serializer with this id; undefined for marshal, msgpack and unknown ones, which are never read. */
export function serializerOf(id: number): Serializer | undefined {
  return byId.get(id);
}

function invocation(parts: Record<keyof Invocation, unknown>): Invocation {
  const { object, method, positional, keywords } = parts;
  if (typeof object !== 'string' || typeof method !== 'string' || !Array.isArray(positional)) {
    throw protocolError('an invocation names an object, a method and its arguments');
  }
  return { object, method, positional, keywords };
}
