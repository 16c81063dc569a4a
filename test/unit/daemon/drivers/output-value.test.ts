import { expect, it } from 'vitest';
import { isOn } from '../../../../server/contract/output-state.ts';
import { canonical } from '../../../../server/daemon/drivers/output-value.ts';

it.each([
  ['on', 'switch', 'on'],
  [100, 'switch', 'on'],
  ['off', 'switch', 'off'],
  [0, 'switch', 'off'],
  [50, 'switch', undefined],
  ['on', 'dimmer', 100],
  ['off', 'dimmer', 'off'],
  [0, 'dimmer', 'off'],
  [0.5, 'dimmer', 0.5],
  [100, 'dimmer', 100],
  [100.1, 'dimmer', undefined],
  [-1, 'dimmer', undefined],
  [NaN, 'dimmer', undefined],
] as const)('%s of a %s is %s', (value, kind, expected) => {
  expect(canonical(value, kind)).toBe(expected);
});

it.each([
  ['on', true],
  ['off', false],
  [0, false],
  [1, true],
  [null, false],
] as const)('%s counts as on: %s', (state, expected) => {
  expect(isOn(state)).toBe(expected);
});
