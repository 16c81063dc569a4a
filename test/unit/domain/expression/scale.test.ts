import { expect, it } from 'vitest';
import type { InputScale } from '../../../../server/contract/input.ts';
import { compileScale } from '../../../../server/domain/expression/scale.ts';

it.each<[InputScale | null, number, number | null]>([
  [null, 21.5, 21.5],
  [{ kind: 'linear', factor: 6.25, offset: -25 }, 4, 0],
  [{ kind: 'linear', factor: 6.25, offset: -25 }, 20, 100],
  [{ kind: 'expression', expression: '(x - 4) / 16 * 100' }, 12, 50],
  [{ kind: 'expression', expression: '100 / x' }, 0, null],
  [{ kind: 'expression', expression: 'ln(x)' }, -1, null],
])('%j of %s is %s', (scale, number, expected) => {
  expect(compileScale(scale)(number)).toBe(expected);
});

it('refuses an expression that gives no number', () => {
  expect(() => compileScale({ kind: 'expression', expression: 'x > 1' })).toThrow('gives no number');
});
