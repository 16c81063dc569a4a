import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';

const frame_px = { width: 1800, picture: 290 };

/**
 * One picture of many small ones: what a folder holds of one language and width, so that a person sees all pages at
 * once.
 */
export async function makeSheet(browser: Browser, folder: string, ending: string): Promise<void> {
  const files = readdirSync(folder).filter((file) => file.endsWith(`-${ending}.png`));
  const figures = files.map(
    (file) => `<figure><img src="${pathToFileURL(join(folder, file)).href}"><figcaption>${file}</figcaption></figure>`,
  );
  const style = `body { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start; font: 11px sans-serif; margin: 8px }
    figure { margin: 0 } img { width: ${frame_px.picture}px; max-height: 620px; object-fit: cover; object-position: top; border: 1px solid #999 }`;
  const page = await browser.newPage({ viewport: { width: frame_px.width, height: 900 } });
  // A page of a file may show other files.
  await page.goto(pathToFileURL(folder).href);
  await page.setContent(`<style>${style}</style>${figures.join('')}`, { waitUntil: 'load' });
  await page.screenshot({ path: join(folder, `sheet-${ending}.png`), fullPage: true });
  await page.close();
}
