import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { layoutFindings } from '../screens/findings.ts';

const timesAlike = 3;

/** Equal reads in a row that count as rest: a page that loads and draws in steps has settled by then. */
export async function atRest<T>(read: () => Promise<T>): Promise<T> {
  let last: T | undefined;
  let alike = 0;
  await expect
    .poll(
      async () => {
        const now = await read();
        alike = isDeepStrictEqual(now, last) ? alike + 1 : 1;
        last = now;
        return alike;
      },
      { interval: 150 },
    )
    .toBeGreaterThanOrEqual(timesAlike);
  return last as T; // it was read
}

/** Expects that the settled page does not overflow its window sideways. */
export async function expectNoWider(page: Page): Promise<void> {
  const [reaches, width] = await atRest(() =>
    page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth] as const),
  );
  expect(reaches).toBeLessThanOrEqual(width);
}

/**
 * Expects that the settled page cuts off no words without a button that opens the whole, in windows of these widths,
 * px.
 */
export async function expectUncut(page: Page, widths: readonly number[]): Promise<void> {
  const before = page.viewportSize() ?? { width: 1440, height: 900 };
  for (const width of widths) {
    await page.setViewportSize({ ...before, width });
    expect([width, await atRest(() => layoutFindings(page))]).toEqual([width, []]);
  }
  await page.setViewportSize(before);
}
