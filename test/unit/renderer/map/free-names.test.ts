import { expect, test, vi } from 'vitest';
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

test.each(['x'.repeat(200), `${'x'.repeat(198)} 9`])(
  'copies of a name of 200 characters have names of their own',
  (name) => {
    const next = freeNames([name]);
    const names = Array.from({ length: 50 }, () => next(name));
    expect(new Set([name, ...names]).size).toBe(51);
    expect(Math.max(...names.map(({ length }) => length))).toBe(200);
  },
);

test('a copy does not look for its number from the first', () => {
  const next = freeNames([]);
  const looks = vi.spyOn(Set.prototype, 'has');
  const names = Array.from({ length: 1_000 }, () => next('House 1'));
  const { length } = looks.mock.calls;
  looks.mockRestore();
  expect(names.at(-1)).toBe('House 1001');
  expect(length).toBe(1_000);
});
