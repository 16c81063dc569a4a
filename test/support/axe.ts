import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Locator, Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with the current page, or with a part of it: the rule, and the elements that break it. */
export async function axeFindings(page: Page, part: Locator = page.locator('html')): Promise<string[]> {
  // Colours during a fade-in are not the final ones.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
        )
        .map(({ finished }) => finished),
    ),
  );
  await page.evaluate(source);
  const { violations } = await part.evaluate((element) => {
    const { axe } = globalThis as unknown as { axe: { run(of: Element): Promise<AxeResults> } }; // by the line above
    return axe.run(element);
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
}
