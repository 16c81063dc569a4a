import { expect, test } from 'vitest';
import { freeNames } from '../../../../renderer/map/free-names.ts';

test.each([
  ['House 2', [], 'House 3'],
  ['House 2', ['House 3', 'House 4'], 'House 5'],
  ['House', ['House 2'], 'House 3'],
  ['A09', [], 'A10'],
  ['', [], ''],
  // The number of a Korean parcel has more digits than a number holds.
  ['4311325021100120003', ['4311325021100120003 2'], '4311325021100120003 3'],
])('after %s, where there is %j, comes %s', (name, taken, next) => {
  expect(freeNames(taken)(name)).toBe(next);
});

test('the copies of a row of houses run on, and none gets the name of another', () => {
  const next = freeNames(['House 1', 'House 2', 'House 5']);
  expect(['House 1', 'House 2', 'House 1', 'House 1'].map(next)).toEqual(['House 3', 'House 4', 'House 6', 'House 7']);
});

test('a copy does not look for its number from the first', () => {
  const next = freeNames([]);
  const from = performance.now();
  const names = Array.from({ length: 20_000 }, () => next('House 1'));
  expect(performance.now() - from).toBeLessThan(1_000);
  expect(names.at(-1)).toBe('House 20001');
});
