import { expect, it } from 'vitest';
import { comparisonOf, comparisonText } from '../../../../../renderer/features/trends/comparison.ts';

const id = '3f2b1c00-0000-4000-8000-0000000000ab';

it.each([
  ['', null],
  ['day', { with: 'earlier', back: 'day' }],
  ['year', { with: 'earlier', back: 'year' }],
  [id, { with: 'house', facility_uuid: id }],
] as const)('reads and writes “%s” of an address', (text, comparison) => {
  expect(comparisonOf(text)).toEqual(comparison);
  expect(comparisonText(comparison)).toBe(text);
});

it.each(['month', 'toString', id.slice(1), `${id}0`])('takes “%s” for no comparison', (text) => {
  expect(comparisonOf(text)).toBeNull();
});
