import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core has against what the page shows just now: the rule, and the elements that break it. */
export async function axeFindings(page: Page): Promise<string[]> {
  // What fades in has other colours than it will have.
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
  const { violations } = await page.evaluate(() => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<AxeResults> } }; // by the line above
    return axe.run();
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
}
