import { describe, expect, it } from 'vitest';
import { matchesEntityTag } from '../../../server/api/entity-tag.ts';

describe('matchesEntityTag', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['*', true],
    ['"a-1"', true],
    ['W/"a-1"', true],
    ['"b", "a-1"', true],
    ['"a-2"', false],
    ['a-1', false],
  ])('%j: %s', (header, matches) => {
    expect(matchesEntityTag(header, '"a-1"')).toBe(matches);
  });
});
