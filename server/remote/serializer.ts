import { isRecord, protocolError } from './exception.ts';
import { decodeJson, encodeJson } from './json.ts';
import { decodeSerpent, encodeSerpent } from './serpent.ts';
import { Tuple } from './tuple.ts';

/** What an INVOKE message asks for. */
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
  decode(bytes: Uint8Array): unknown;
  encodeInvocation(invocation: Invocation): Buffer;
  decodeInvocation(bytes: Uint8Array): Invocation;
}

/** Python's default: one literal; an invocation is a tuple of four. */
export const serpent: Serializer = {
  id: 1,
  encode: encodeSerpent,
  decode: decodeSerpent,
  encodeInvocation: ({ object, method, positional, keywords }) =>
    encodeSerpent(new Tuple([object, method, method === '<batch>' ? positional : new Tuple(positional), keywords])),
  decodeInvocation(bytes) {
    const value = decodeSerpent(bytes);
    if (!Array.isArray(value) || value.length !== 4) throw protocolError('an invocation has four parts');
    const [object, method, positional, keywords] = value as unknown[]; // narrowed to any[] above
    return invocation({ object, method, positional, keywords });
  },
};

export const json: Serializer = {
  id: 3,
  encode: encodeJson,
  decode: decodeJson,
  encodeInvocation: ({ object, method, positional, keywords }) =>
    encodeJson({ object, method, params: positional, kwargs: keywords }),
  decodeInvocation(bytes) {
    const value = decodeJson(bytes);
    if (!isRecord(value)) throw protocolError('an invocation is an object');
    const { object, method, params, kwargs } = value;
    return invocation({ object, method, positional: params, keywords: kwargs });
  },
};

const byId: ReadonlyMap<number, Serializer> = new Map([serpent, json].map((one) => [one.id, one]));

/** The serializer of an id, or undefined for marshal, msgpack and unknown ones, which are never read. */
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
