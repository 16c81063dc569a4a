import { expect, it } from 'vitest';
import { clockText, roundedUp } from '../../../../renderer/ui/duration.ts';

it.each([
  [-3, '0:00'],
  [0, '0:00'],
  [65, '1:05'],
  [599.6, '10:00'],
  [3_725, '1:02:05'],
])('shows %d s as %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text);
});

it.each([
  [0, 0],
  [1, 1],
  [119.2, 120],
  [121, 180],
  [7_200, 7_200],
  [7_201, 10_800],
  [200_000, 201_600],
])('takes %d s for at least %d s', (seconds, rounded) => expect(roundedUp(seconds)).toBe(rounded));
