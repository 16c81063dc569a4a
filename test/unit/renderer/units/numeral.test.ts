import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { numeral } from '../../../../renderer/units/numeral.ts';

const renderer = join(import.meta.dirname, '../../../../renderer');

it('writes numbers as their language does, and no minus before what rounds to nothing', () => {
  const tenths = { maximumFractionDigits: 1 };
  expect(['en', 'ko', 'ja'].map((one) => numeral(12_345.67, one, tenths))).toEqual(Array(3).fill('12,345.7'));
  expect(numeral(12_345.67, 'de', tenths)).toBe('12.345,7');
  expect(numeral(-0.04, 'en', tenths)).toBe('0');
});

/** What is read by a program, not by a person. */
const forPrograms = 'map/written/decimal-text.ts';

it('is where every number of a page is written', () => {
  const own = globSync('**/*.{ts,vue}', { cwd: renderer }).filter((file) =>
    /Intl\.NumberFormat\(|toLocaleString\(/.test(readFileSync(join(renderer, file), 'utf8')),
  );
  expect(own.toSorted()).toEqual([forPrograms, 'units/numeral.ts']);
});
