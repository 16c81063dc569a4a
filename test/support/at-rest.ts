import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const timesAlike = 3;

/** What is read so many times alike: a page that asks and draws by and by stands still by then. */
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

/** The page, once it has come to rest in its window, does not reach beyond it sideways. */
export async function expectNoWider(page: Page): Promise<void> {
  const [reaches, width] = await atRest(() =>
    page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth] as const),
  );
  expect(reaches).toBeLessThanOrEqual(width);
}
