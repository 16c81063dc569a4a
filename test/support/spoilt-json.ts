import fc, { type Arbitrary } from 'fast-check';

const junk: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1e308,
    -0,
    2 ** 53,
    '',
    ' ',
    [],
    {},
    [[]],
    '0',
    'NaN',
    '\u0000',
    '\ud800',
  ),
  fc.constantFrom('x'.repeat(20_000), '../../etc/passwd', "'; DROP TABLE users; --", '=1+1', '%00', '{{7*7}}'),
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
  fc.string({ unit: 'binary' }),
);

const names = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'no_such_field', '', 'unique_id');

interface Spoiling {
  value: unknown;
  /** Index of the member, counted over the whole tree. */
  at: number;
  how: 'replace' | 'remove' | 'add' | 'repeat';
  name: string;
  junk: unknown;
}

/** A value with one member replaced, removed, added or repeated, as JSON text. */
export function spoilt(values: Arbitrary<unknown>): Arbitrary<string> {
  const how = fc.constantFrom<Spoiling['how'][]>('replace', 'replace', 'remove', 'add', 'repeat');
  return fc
    .record({ value: values, at: fc.nat(200), how, name: names, junk })
    .map((spoiling) => JSON.stringify(spoil(spoiling)) ?? 'undefined');
}

/** Texts that are not JSON, or JSON that no reader should descend into. */
export const brokenText: Arbitrary<string> = fc.oneof(
  fc.constantFrom('{', '[', 'null', '""', '[]', '0', 'NaN', '{"a":}', '{"a":1,}', '\ufeff{}', "{'a':1}"),
  fc.integer({ min: 60, max: 5000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.integer({ min: 60, max: 5000 }).map((depth) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)),
  fc.constantFrom('{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"isAdmin":true}}}'),
  fc.string({ unit: 'binary' }),
);

function spoil({ value, at, how, name, junk: put }: Spoiling): unknown {
  const places = placesOf(value);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return put;
  const { parent, key } = place;
  if (Array.isArray(parent)) {
    if (how === 'remove') parent.splice(Number(key), 1);
    else if (how === 'repeat') parent.push(parent[Number(key)]);
    else parent[Number(key)] = put;
  } else if (how === 'remove') delete parent[key];
  else if (how === 'add' || how === 'repeat') {
    Object.defineProperty(parent, name, { value: put, enumerable: true, configurable: true, writable: true });
  } else parent[key] = put;
  return value;
}

interface Place {
  parent: Record<string, unknown> | unknown[];
  key: string;
}

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Place['parent']; // an object that is not null
  return Object.entries(parent).flatMap(([key, inner]) => [{ parent, key }, ...placesOf(inner)]);
}
