import { expect, it } from 'vitest';
import { newestOf, rangeOf, valueAt } from '../../../../../renderer/features/trends/legend.ts';

const line = { times: [0, 10, 20, 30], values: [5, null, 7, null] };

it('gives the value at a time, none in a gap nor far from any sample', () => {
  expect([0, 4, 10, 22, 60].map((at) => valueAt(line, at, 5))).toEqual([5, 5, null, 7, null]);
});

it('gives the newest value with its time and the range, null of an empty line', () => {
  expect([newestOf(line), rangeOf(line)]).toEqual([
    { value: 7, time_ms: 20 },
    { least: 5, most: 7 },
  ]);
  expect([newestOf({ times: [], values: [] }), rangeOf({ values: [null] })]).toEqual([
    { value: null, time_ms: null },
    { least: null, most: null },
  ]);
});
