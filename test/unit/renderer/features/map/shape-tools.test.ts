import { expect, test } from 'vitest';
import { nextName } from '../../../../../renderer/features/map/shape-tools/shape-tool.ts';

test.each([
  ['House 2', [], 'House 3'],
  ['House 2', ['House 3', 'House 4'], 'House 5'],
  ['House', ['House 2'], 'House 3'],
  ['A09', [], 'A10'],
  ['', [], ''],
  // The number of a Korean parcel has more digits than a number holds.
  ['4311325021100120003', ['4311325021100120003 2'], '4311325021100120003 3'],
])('after %s, where there is %j, comes %s', (name, taken, next) => {
  expect(nextName(name, new Set(taken))).toBe(next);
});
