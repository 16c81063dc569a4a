import { expect, it } from 'vitest';
import { spanFileName } from '../../../server/contract/file-name.ts';

const span = { from_ms: Date.UTC(2026, 1, 28, 15), to_ms: Date.UTC(2026, 2, 1, 0, 30) };

it.each([
  ['North field', 'North field'],
  ['수원 농장', '수원 농장'],
  ['a/b\\c:d*e?f"g<h>i|j\n.k', 'a_b_c_d_e_f_g_h_i_j__k'],
  ['\ud800', '_'],
  ['', 'Orangery'],
  ['  ', 'Orangery'],
])('is named after the site %j, safe for any system, in its time', (site, named) => {
  expect(spanFileName(site, span, 'Asia/Seoul')).toBe(`${named} 2026-03-01 0000 - 2026-03-01 0930`);
});

it('is no longer than a file system takes, whatever the letters', () => {
  const name = spanFileName('𠮷'.repeat(200), span, 'UTC');
  expect(new TextEncoder().encode(`${name}.csv`).length).toBeLessThanOrEqual(255);
  expect(name.isWellFormed()).toBe(true);
});
