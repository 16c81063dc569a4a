import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { journalled, MapHand } from '../support/map-hand.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { liftLimits, makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

/** A page's clock is moved on by this to where it has waited long enough for the service. */
const waitedMs = 40_000;

describe.skipIf(!hasBrowser())('a service that hangs', () => {
  let service: RunningService;
  let client: ServiceClient;
  let site: SimulatedSite;
  let browser: Browser;
  let page: Page;
  let story: Story;
  let hand: MapHand;

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    await liftLimits(client);
    site = await makeSimulatedSite(client);
    browser = await openBrowser(service.url);
    ({ page } = await openPage(browser));
    story = new Story(page, 'frozen');
    hand = new MapHand(page, service, client);
    await page.clock.install();
    await story.enter(service.url, client);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  afterAll(async () => {
    service?.process.kill('SIGCONT');
    await browser?.close();
    client?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  it('leaves a command unknown, and confirms it once it goes on', async () => {
    const heater = page.locator(`.control[data-output="${site.outputs[0]?.unique_id}"]`);
    await page.goto(`${service.url}/houses/${site.facility.unique_id}`);
    await heater.locator('[data-state=off]').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    service.process.kill('SIGSTOP');
    try {
      await heater.getByRole('button', { name: /: Turn on$/ }).click();
      await heater.getByText('Requested…').waitFor();
      await story.picture('requested');
      await page.clock.fastForward(waitedMs);
      await heater.getByText('the server does not answer').waitFor();
      await page.getByText('Live', { exact: true }).waitFor({ state: 'hidden' });
      expect(await heater.locator('[data-state=on]').count()).toBe(0);
      await story.picture('unknown');
    } finally {
      service.process.kill('SIGCONT');
    }
    await heater.locator('[data-state=on]').waitFor();
    await heater.getByText('the server does not answer').waitFor({ state: 'detached' });
    await page.getByText('Live', { exact: true }).waitFor();
    await story.picture('confirmed');
  });

  it('loses nothing of a map that is edited meanwhile, and saves it once it goes on', async () => {
    const id = await hand.begin('Frozen');
    await hand.row('House 1').press('Enter');
    service.process.kill('SIGSTOP');
    const badge = page.locator('.map-page__head [data-state]');
    const copy = async (count: number): Promise<void> => {
      await hand.act('duplicate');
      await hand.bar.getByLabel('Side by side').fill('2');
      await hand.bar.getByRole('button', { name: 'Apply' }).click();
      await hand.shapes(count).waitFor();
    };
    try {
      await copy(2);
      await badge.and(page.locator('[data-state=saving]')).waitFor();
      await page.clock.fastForward(waitedMs);
      await badge.and(page.locator('[data-state=offline]')).waitFor();
      // What is edited on is kept too, beside what is on its way.
      await copy(4);
      await badge.and(page.locator('[data-state=offline]')).waitFor();
      await expect.poll(() => page.evaluate(journalled)).toEqual([3]);
      await story.picture('map');
    } finally {
      service.process.kill('SIGCONT');
    }
    await badge.and(page.locator('[data-state=saved]')).waitFor();
    expect(await hand.stored(id)).toHaveLength(4);
    await page.reload();
    await hand.shapes(4).waitFor();
    await story.picture('map-saved');
  });
});
