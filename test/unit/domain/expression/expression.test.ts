import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Value } from '../../../../server/domain/expression/operations.ts';
import { compileExpression, ExpressionError } from '../../../../server/domain/expression/expression.ts';

function valueOf(text: string, x = 0): Value {
  return compileExpression(text, ['x', 'y']).evaluate([x, 10]);
}

describe('an expression', () => {
  it.each<[string, Value]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['2 ** 3 ** 2', 512],
    ['-x + y', 6],
    ['7 % 4 - +1', 2],
    ['(x - 4) / 16 * 100', 0],
    ['1.5e2', 150],
    ['x > 3 && !(y <= 9)', true],
    ['x == 5 || y != 10', false],
    ['x < 5 ? x : y', 4],
    ['x > 5 ? 1 : x > 3 ? 2 : 3', 2],
    ['min(x, y, 2) + max(1, 3) + clamp(99, 0, 10)', 15],
    ['sqrt(16) + abs(-1) + ln(exp(2)) + log10(1000)', 10],
    ['1 / 0', null],
    ['1 / 0 > 3', null],
    ['1 / 0 > 3 || true', true],
    ['1 / 0 > 3 && x == 5', false],
    ['1 / 0 == missing && x != missing', true],
    ['otherwise(ln(-1), 7)', 7],
    ['sqrt(-1) > 0 ? 1 : 2', null],
    ['floor(1.7) + ceil(1.2) + round(1.5)', 5],
  ])('%s with x = 4, y = 10 is %s', (text, expected) => {
    expect(valueOf(text, 4)).toBe(expected);
  });

  it.each([
    ['', 'is not one expression'],
    ['x +', ''],
    ['x y', 'Unexpected token'],
    ['x;', 'is not one expression'],
    ['1; 2', 'is not one expression'],
    ['x, y', 'is not one expression'],
    ['z', 'there is no z, only x, y'],
    ['constructor', 'there is no constructor'],
    ['__proto__', 'there is no __proto__'],
    ['toString()', 'toString is not known'],
    ['x.constructor', 'is not one expression'],
    ['x["constructor"]', 'is not one expression'],
    ['(1).constructor("return 1")()', 'only functions can be called'],
    ['this', 'is not one expression'],
    ['process.exit()', 'only functions can be called'],
    ['x = 5', ''],
    ['[1, 2]', 'is not one expression'],
    ['"text"', 'is not a number'],
    ['null', 'is not a number'],
    ['x & 1', '& is not known'],
    ['x ^ 2', '^ is not known'],
    ['x === 1', '=== is not known'],
    ['typeof x', ''],
    ['sqrt(1, 2)', 'takes another number of values'],
    ['1 + (x > 2)', 'a number is needed where a boolean stands'],
    ['x ? 1 : 2', 'a boolean is needed where a number stands'],
    ['x > 1 ? 1 : x > 2', 'a number is needed where a boolean stands'],
    ['1'.repeat(501), 'is longer than 500'],
    ['!'.repeat(499) + '1', 'has more than 200 parts'],
    ['1e999', 'is too large a number'],
    ['x ?? 1', '?? is not known'],
    ['min(...x)', 'is not one expression'],
    ['missing', 'there is no missing'],
  ])('refuses %s', (text, message) => {
    expect(() => valueOf(text)).toThrow(ExpressionError);
    expect(() => valueOf(text)).toThrow(message);
  });

  it('never throws anything but its own error, and gives nothing but a number or a truth', () => {
    const word = fc.constantFrom(
      ...[
        'x',
        'y',
        '1',
        '0.5',
        '+',
        '-',
        '*',
        '/',
        '**',
        '%',
        '(',
        ')',
        '<',
        '==',
        '&&',
        '!',
        '?',
        ':',
        ',',
        '.',
        '[',
        ']',
      ],
      ...['min', 'sqrt', 'constructor', '__proto__', '"a"', '`', '=>', '{', '}', ';', 'new', 'this', '\\'],
    );
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.array(word, { maxLength: 25 }).map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(text, fc.double(), (one, x) => {
        try {
          const value = valueOf(one, x);
          if (value !== null) expect(typeof value).toMatch(/^(number|boolean)$/);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
      { numRuns: process.env['TEST_SCALE'] === 'long' ? 100_000 : 2_000 },
    );
  });
});
