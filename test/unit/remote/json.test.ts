import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJson, encodeJson } from '../../../server/remote/json.ts';
import { Tuple } from '../../../server/remote/tuple.ts';
import { recordedFrames } from './recorded.ts';

const read = (text: string) => decodeJson(Buffer.from(text, 'utf8'));
const write = (value: unknown) => encodeJson(value).toString('utf8');

describe('recorded payloads', () => {
  const texts = recordedFrames.filter(({ serializer, payload_text }) => serializer === 3 && payload_text !== null);

  it.each(texts)('$name reads, and writes back to the same meaning', ({ payload_text }) => {
    const value = read(payload_text ?? '');
    expect(value).toEqual(JSON.parse(payload_text ?? ''));
    expect(JSON.parse(write(value))).toEqual(value);
  });
});

describe('the reader', () => {
  it('takes the bare numbers that Python writes for null', () => {
    expect(read('[NaN, Infinity, -Infinity, -1, "NaN", "a\\"Infinity"]')).toEqual([
      null,
      null,
      null,
      -1,
      'NaN',
      'a"Infinity',
    ]);
  });

  it('keeps prototype keys as own data', () => {
    const value = read('{"__proto__":{"polluted":true}}');
    expect(Object.keys(value ?? {})).toEqual(['__proto__']);
    expect('polluted' in {}).toBe(false);
  });

  it('takes 100 levels and no more', () => {
    expect(() => read('['.repeat(100) + ']'.repeat(100))).not.toThrow();
    expect(() => read('['.repeat(101) + ']'.repeat(101))).toThrow('nested deeper');
    expect(() => read('{"a":'.repeat(1_000_000))).toThrow('nested deeper');
  });

  it.each(['', '{', '[1,]', "'a'", 'nan', '-NaN', '1Infinity', 'NaNNaN', '"a', '\ufeff1', '-'])(
    'refuses %j',
    (text) => {
      expect(() => read(text)).toThrow(expect.objectContaining({ code: 'serialize_error' }));
    },
  );
});

describe('the writer', () => {
  it.each([
    [[NaN, Infinity, -Infinity, undefined], '[null,null,null,null]'],
    [new Map([[0, 'off']]), '{"0":"off"}'],
    [new Map([[true, 1]]), '{"true":1}'],
    [new Tuple([0, 'ok']), '[0,"ok"]'],
    [new Set([1]), '[1]'],
    [2n ** 70n, '1180591620717411303424'],
    [{ a: undefined, b: { c: null } }, '{"b":{"c":null}}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ])('writes %o', (value, text) => {
    expect(write(value)).toBe(text);
  });

  it.each([
    ['bytes', new Uint8Array(1)],
    ['a function', () => 1],
    ['a class', new URL('http://localhost')],
    ['a container as key', new Map([[[1], 1]])],
  ])('refuses %s', (_name, value) => {
    expect(() => write(value)).toThrow(expect.objectContaining({ code: 'serialize_error' }));
  });
});

it('round-trips any JSON value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(decodeJson(encodeJson(value))).toEqual(plain);
    }),
  );
});
