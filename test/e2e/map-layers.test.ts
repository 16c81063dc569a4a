import type { Browser, BrowserContextOptions, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Design } from '../../server/contract/design.ts';
import { atRest } from '../support/at-rest.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { MapHand } from '../support/map-hand.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

const hands: [string, BrowserContextOptions][] = [
  ['mouse', {}],
  ['finger', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' }],
];

describe.skipIf(!hasBrowser())('the layers of the map', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    browser = await openBrowser(service.url);
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  it.each(hands)(
    'are dragged into order by %s, and stay where they were when the drag ends at its start',
    async (by, options) => {
      const { page, errors } = await openPage(browser, options);
      const story = new Story(page, `map-layers-${by}`);
      await story.identify(client);
      const hand = new MapHand(page, service, client);
      const id = await hand.makeMap(`Layers by ${by}`);
      await page.goto(`${service.url}/maps/${id}`);
      await page.locator('.map-label').first().waitFor();
      if (by === 'finger') await page.getByRole('button', { name: 'Shapes', exact: true }).tap();
      await page.getByRole('tab', { name: 'Layers' }).click();

      const rows = page.locator('[data-layer]');
      const order = () => rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-layer')));
      const middleOf = async (part: Locator) => {
        const box = await atRest(() => part.boundingBox());
        if (box === null) throw new Error('the row is on the page');
        return { x: box.x + box.width / 2, y: box.y + box.height / 2, height: box.height };
      };
      const grip = (at: number) => rows.nth(at).locator('.layer__grip');
      /** Drags the row to the lower or upper part of another. */
      const drag = async (from: number, to: number): Promise<void> => {
        const [start, end] = [await middleOf(grip(from)), await middleOf(rows.nth(to))];
        const target = { x: start.x, y: end.y + Math.sign(to - from) * (end.height / 4) };
        if (by === 'finger') return hand.swipe(start, target);
        await page.mouse.move(start.x, start.y);
        await page.mouse.down();
        await page.mouse.move(target.x, target.y, { steps: 5 });
        await page.locator('.layer--dragged').waitFor();
        await story.picture('dragging');
        await page.mouse.up();
      };
      const first = await order();
      const [a, b, c, d] = first;
      await story.picture('before');
      await drag(0, 2);
      await expect.poll(async () => (await order()).slice(0, 4)).toEqual([b, c, a, d]);
      await story.picture('down');
      await drag(3, 1);
      await expect.poll(async () => (await order()).slice(0, 4)).toEqual([b, d, c, a]);
      const moved = await order();
      await drag(1, 1);
      await page.locator('.layer--dragged').waitFor({ state: 'detached' });
      expect(await order()).toEqual(moved);
      // The lowest layer is saved first.
      const saved = async (): Promise<string[]> => {
        const { body } = await client.ask('GET', `/api/geo/designs/${id}`);
        return ((body as Design).layers.overlays ?? []).map((one) => one.id).reverse(); // of the contract
      };
      await expect.poll(saved).toEqual(moved);
      expect(moved.toSorted()).toEqual(first.toSorted());
      expect(errors).toEqual([]);
      await page.context().close();
    },
  );
});
