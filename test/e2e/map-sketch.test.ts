import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

const many = 5_001;

/** A square of 10 m, 100 a row. */
function bay(index: number): object {
  const [west, south] = [127 + (index % 100) * 2e-4, 37 + Math.floor(index / 100) * 2e-4];
  const [east, north] = [west + 1e-4, south + 1e-4];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const properties = { type: 'bay', name: `Bay ${index}`, unique_id: randomUUID() };
  return { type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] }, properties };
}

describe.skipIf(!hasBrowser())('a map of many shapes', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    await new Story(page, 'map-sketch').identify(client);
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  it('is seen before its shapes are read, cannot be changed until then, and stays where it was moved to', async () => {
    const made = await client.ask('POST', '/api/geo/designs', { name: 'Bays', lat: 37, lng: 127, zoom: 4 });
    const { map_uuid: geo_id } = made.body as { map_uuid: string }; // a design
    const features = Array.from({ length: many }, (_, index) => bay(index));
    await client.ask('POST', '/api/geo/overlays', { geo_id, features });
    const read = Promise.withResolvers<void>();
    await page.route(`**/api/geo/designs/${geo_id}`, async (route) => {
      await read.promise;
      await route.continue();
    });
    await page.goto(`${service.url}/maps/${geo_id}`);
    await page.locator('.map-shapes[data-painted]').waitFor({ state: 'attached' });
    const rectangle = page.getByRole('button', { name: 'Draw rectangle', exact: true });
    await page.getByRole('toolbar').first().waitFor();
    expect(await rectangle.count()).toBe(0);
    const scale = page.locator('.leaflet-control-scale-line');
    const fitted = await scale.textContent();
    await page.getByRole('button', { name: 'Zoom in', exact: true }).click();
    await expect.poll(() => scale.textContent()).not.toBe(fitted);
    const closer = await scale.textContent();
    read.resolve();
    await page.getByText('Shapes (5,001)').waitFor();
    await page.locator('.map-shapes[data-painted]').waitFor({ state: 'attached' });
    await rectangle.waitFor();
    expect(await scale.textContent()).toBe(closer);
    expect(errors).toEqual([]);
  });
});
