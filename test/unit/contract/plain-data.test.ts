import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSame, jsonInOrder } from '../../../server/contract/plain-data.ts';

describe('isSame', () => {
  it.each([
    ['members in another order', { x: { one: 1, two: [2] } }, { x: { two: [2], one: 1 } }, true],
    ['a member that is undefined', { crop: undefined }, {}, true],
    ['a member that is null', { crop: null }, {}, false],
    ['a member with the name of a method', { toString: 'rice' }, {}, false],
    ['what is no number', { x: NaN }, { x: NaN }, true],
    ['another member', { crop: 'rice' }, { yield: 'rice' }, false],
    ['a longer list', { x: [1] }, { x: [1, 2] }, false],
    ['a list in another order', { x: [1, 2] }, { x: [2, 1] }, false],
    ['a list for an object', { x: [] }, { x: {} }, false],
    ['null for an object', { x: null }, { x: {} }, false],
    ['a text for a number', { x: 1 }, { x: '1' }, false],
  ])('%s', (_what, one, other, same) => {
    expect(isSame(one, other)).toBe(same);
    expect(isSame(other, one)).toBe(same);
  });

  it('is that both have the same JSON in order', () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(isSame(one, other)).toBe(jsonInOrder(one) === jsonInOrder(other));
        expect(isSame(one, structuredClone(one))).toBe(true);
      }),
    );
  });
});

describe('jsonInOrder', () => {
  it.each([
    [{ b: [{ d: 1, c: null }], a: 'x' }, '{"a":"x","b":[{"c":null,"d":1}]}'],
    [{ '9': 1, '10': 2, '1a': 3 }, '{"10":2,"1a":3,"9":1}'],
    // By code units, as RFC 8785 has it: a surrogate pair before a letter of the private area.
    [{ '\uE000': 1, '\u{1F600}': 2, ö: 3 }, '{"ö":3,"\u{1F600}":2,"\uE000":1}'],
    [{ a: undefined, b: [undefined, NaN] }, '{"b":[null,null]}'],
  ])('writes the keys of %j in order', (value, text) => {
    expect(jsonInOrder(value)).toBe(text);
  });

  it('says what the value says', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(jsonInOrder(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
