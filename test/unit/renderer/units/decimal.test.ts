import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDecimal, readDegrees } from '../../../../renderer/units/decimal.ts';

describe('readDecimal', () => {
  it.each([
    ['37.26', 37.26],
    [' 37,26 ', 37.26],
    ['-.5', -0.5],
    ['−5', -5],
    ['12.', 12],
    ['1e3', 1000],
    ['３７．２６', 37.26],
  ])('reads %j', (text, number) => {
    expect(readDecimal(text)).toBe(number);
  });

  it.each(['', ' ', 'abc', '-', '1e', '0x10', '1,000,5', '12 m', 'Infinity', '1e999'])('does not read %j', (text) => {
    expect(readDecimal(text)).toBeNull();
  });

  it('reads what a number is written as', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(readDecimal(String(number))).toBe(number === 0 ? 0 : number);
      }),
    );
  });
});

it.each([
  ['37,26', 90, 37.26],
  ['-90', 90, -90],
  ['127', 90, null],
  ['127', 180, 127],
  ['', 180, null],
] as const)('reads %j as degrees up to %d', (text, limit, degrees) => {
  expect(readDegrees(text, limit)).toBe(degrees);
});
