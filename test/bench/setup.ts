import type { Page } from 'playwright-core';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { Story } from '../support/story.ts';
import type { Figure } from './figure.ts';

/** What a person does: presses of a button, choice or field, and fields that were filled in. */
interface Done {
  presses: number;
  fields: number;
}

/** Counts on across the pages of a tab. */
async function countHandWork(page: Page): Promise<() => Promise<Done>> {
  await page.addInitScript(() => {
    const count = (name: string) => (): void =>
      sessionStorage.setItem(name, String(Number(sessionStorage.getItem(name)) + 1));
    addEventListener('pointerdown', count('presses'), true);
    addEventListener('change', count('fields'), true);
  });
  return () =>
    page.evaluate(() => ({
      presses: Number(sessionStorage.getItem('presses')),
      fields: Number(sessionStorage.getItem('fields')),
    }));
}

/** From an empty data directory to live values of a house that a program runs, each step by the buttons of the page. */
export async function benchSetup(): Promise<Figure[]> {
  if (!hasBrowser()) return [];
  const begin = performance.now();
  const service = await startService();
  const figures: Figure[] = [{ what: 'from an empty machine: start of the service', value: secondsSince(begin) }];
  const browser = await openBrowser(service.url);
  try {
    const { page } = await openPage(browser);
    const handWork = await countHandWork(page);
    let before: Done = { presses: 0, fields: 0 };
    for (const { name, take } of steps(new Story(page, 'setup'), service)) {
      const from = performance.now();
      await take();
      const after = await handWork();
      const done: Done = { presses: after.presses - before.presses, fields: after.fields - before.fields };
      figures.push({ what: `… ${name}`, value: said(done, from) });
      before = after;
    }
    return [...figures, { what: '… until values of the running house are seen, in all', value: said(before, begin) }];
  } finally {
    await browser.close();
    await service.stop();
    removeDataDirectory(service.dataDirectory);
  }
}

function steps(story: Story, service: RunningService): { name: string; take: () => Promise<unknown> }[] {
  const { page } = story;
  return [
    { name: 'first administrator', take: () => story.makeAdministrator(service) },
    { name: 'site, with its place and time zone', take: () => story.nameSite('Suwon farm') },
    { name: 'simulated greenhouse', take: () => story.startSimulated() },
    { name: 'first value', take: () => page.getByText('°C').first().waitFor() },
  ];
}

function said({ presses, fields }: Done, fromMs: number): string {
  return `presses: ${presses}, fields: ${fields}, ${secondsSince(fromMs)}`;
}

function secondsSince(fromMs: number): string {
  return `${((performance.now() - fromMs) / 1000).toFixed(1)} s`;
}
