import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesOf } from '../../../../renderer/ui/changes.ts';
import { isSame } from '../../../../server/contract/plain-data.ts';

describe('what a form sends', () => {
  it('is only what was changed', () => {
    expect(changesOf({ a: 1, b: 'x', c: null }, { a: 1, b: 'y', c: null })).toEqual({ b: 'y' });
  });

  it('compares nested values, whatever the order of members', () => {
    expect(changesOf({ list: [1, { x: 1, y: 2 }] }, { list: [1, { y: 2, x: 1 }] })).toEqual({});
    expect(changesOf({ list: [1, 2] }, { list: [2, 1] })).toEqual({ list: [2, 1] });
  });

  it('makes the one out of the other', () => {
    const form = fc.record({ a: fc.jsonValue(), b: fc.jsonValue(), c: fc.jsonValue() });
    fc.assert(
      fc.property(form, form, (before, after) => {
        expect(isSame({ ...before, ...changesOf(before, after) }, after)).toBe(true);
      }),
    );
  });
});
