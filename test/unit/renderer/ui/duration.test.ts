import { expect, it } from 'vitest';
import { clockText } from '../../../../renderer/ui/duration.ts';

it.each([
  [-3, '0:00'],
  [0, '0:00'],
  [65, '1:05'],
  [599.6, '10:00'],
  [3_725, '1:02:05'],
])('shows %d s as %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text);
});
