import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

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
