import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepestJson, parseJson } from '../../../server/contract/json-body.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('parseJson', () => {
  it('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('"__proto__"'));
        expect(parseJson(bytes(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['', '{', '{"a":1,}', 'NaN', "{'a':1}"])('refuses %j', (text) => {
    expect(() => parseJson(bytes(text))).toThrow(expect.objectContaining({ code: 'invalid_json' }));
  });

  it('refuses what is nested deeper than the limit, mixed as it may be', () => {
    const nest = (depth: number) => '[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2);
    expect(() => parseJson(bytes(nest(deepestJson)))).not.toThrow();
    expect(() => parseJson(bytes(nest(deepestJson + 2)))).toThrow(expect.objectContaining({ code: 'invalid_json' }));
    expect(() => parseJson(bytes('['.repeat(1_000_000)))).toThrow(expect.objectContaining({ code: 'invalid_json' }));
  });

  it('refuses keys that reach a prototype, at any depth and however they are escaped', () => {
    for (const key of ['__proto__', '\\u005f_proto__']) {
      expect(() => parseJson(bytes(`{"a":[0,{"${key}":{}}]}`))).toThrow(
        expect.objectContaining({
          code: 'unknown_field',
          errors: [expect.objectContaining({ path: 'a[1].__proto__' })],
        }),
      );
    }
    expect(() => parseJson(bytes('{"constructor":{"prototype":1}}'))).toThrow('constructor');
  });

  it('takes a constructor that is only somebody who builds', () => {
    expect(parseJson(bytes('{"constructor":"Miller and sons"}'))).toHaveProperty('constructor', 'Miller and sons');
  });
});
