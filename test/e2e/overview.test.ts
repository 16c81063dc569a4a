import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

describe.skipIf(!hasBrowser())('the overview', () => {
  let service: RunningService;
  let client: ServiceClient;
  let site: SimulatedSite;
  let browser: Browser;
  let page: Page;
  let story: Story;
  let errors: string[];

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    site = await makeSimulatedSite(client);
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'overview');
    await story.logIn(service.url);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    // Before the log-in the page learns by a 401 that nobody is logged in.
    errors.splice(0);
  });

  afterAll(async () => {
    await browser?.close();
    client?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  const card = (): Locator => page.getByRole('link', { name: 'House 1' });
  const placeOf = async (one: Locator): Promise<{ y: number; height: number }> => {
    const box = await one.boundingBox();
    return { y: box?.y ?? NaN, height: box?.height ?? NaN };
  };

  it('says that all is well and what runs by whom', async () => {
    await page.getByRole('heading', { name: 'No alarms' }).waitFor();
    await card().getByText('Nothing running').waitFor();
    const before = await placeOf(card());
    const heater = site.outputs[0]?.unique_id;
    await client.ask('POST', `/api/outputs/${heater}`, { state: true, reason: 'dry the crop' });
    await card().getByText('Heater').waitFor();
    await card().getByText('dry the crop').waitFor();
    expect(await placeOf(card())).toEqual(before);
    expect(errors).toEqual([]);
  });

  it('holds the temperature against the setpoints of a program that runs', async () => {
    await card().getByText('usual').first().waitFor();
    const house = site.facility.unique_id;
    await client.ask('POST', `/api/geo/facility/${house}/climate`, {
      ...{ name: 'Tomato', is_activated: true },
      periods: [
        { name: 'Day', start: { event: 'clock', at: '00:00' }, setpoints: { heating_c: 18, ventilation_c: 22 } },
      ],
    });
    await page.reload();
    await card().getByText('set 18').waitFor();
    await story.picture('well');
    expect(errors).toEqual([]);
  });

  it('does not look calm while alarms stand, and moves no house', async () => {
    const before = await placeOf(card());
    await client.ask('POST', '/api/emergency_stop', { reason: 'smoke' });
    await page.getByRole('heading', { name: /\d alarm/ }).waitFor();
    await page.getByText('Emergency stop').first().waitFor();
    await story.picture('alarms');
    expect(await placeOf(card())).toEqual(before);
    expect(errors).toEqual([]);
  });

  it('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await story.picture('phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
