import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FeatureCollection } from '../../server/contract/overlay.ts';
import { atRest } from '../support/at-rest.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { choose } from '../support/choose.ts';
import { drawn, rectangle } from '../support/drawn-shape.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

const view = { name: 'Water', lat: 37.5, lng: 127, zoom: 18 };

describe.skipIf(!hasBrowser())('pipes on a map', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let page: Page;
  let errors: string[];
  let story: Story;

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'map-pipes');
    await story.identify(client);
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  it('lays pipes around a house to sixty valves, with a list of what to buy', async () => {
    const made = await client.ask('POST', '/api/geo/designs', view);
    const { map_uuid } = made.body as { map_uuid: string }; // a design
    const added: object[] = [
      drawn('House 1', 'facility', rectangle(127.0004, 37.5002, 0.0004)),
      drawn('Bed 1', 'zone', rectangle(127.001, 37.501, 0.0002)),
    ];
    for (let index = 0; index <= 60; index += 1) {
      const device = await client.ask('POST', '/api/settings/outputs', {
        name: index === 0 ? 'A pump' : `Valve ${index}`,
        driver: 'simulated',
      });
      const { unique_id: device_id } = device.body as { unique_id: string }; // an output
      const beds = [127.001 + (index % 10) * 0.00006, 37.5 + Math.floor(index / 10) * 0.00015];
      const coordinates = index === 0 ? [127, 37.5004] : beds;
      const properties = { type: 'device', device_id };
      added.push({ type: 'Feature', geometry: { type: 'Point', coordinates }, properties });
    }
    await client.ask('POST', '/api/geo/overlays/delta', { geo_id: map_uuid, added });
    await page.goto(`${service.url}/maps/${map_uuid}`);
    await page.getByText('Shapes (63)').waitFor();
    await page.getByRole('button', { name: 'More for this map' }).click();
    await page.getByText('Lay pipes…').click();
    const panel = page.getByRole('region', { name: 'Lay pipes' });
    await panel.getByText('60 devices').waitFor();
    await panel.getByRole('button', { name: 'Show pipes' }).click();
    await panel.getByText('Materials').waitFor();
    await panel.getByRole('row', { name: /^Tee/ }).waitFor();
    await story.picture('pipes');
    await panel.getByLabel('Calculate sizes and pressures').check();
    const showPipes = panel.getByRole('button', { name: 'Show pipes' });
    const sourcePressure = panel.getByLabel('Pressure at the source');
    await sourcePressure.fill('a lot');
    await panel.getByText('Not a number.').first().waitFor();
    await expect.poll(() => showPipes.isDisabled()).toBe(true);
    await story.picture('pipes-not-a-number');
    await sourcePressure.fill('');
    await expect.poll(() => showPipes.isDisabled()).toBe(false);
    await panel.getByRole('button', { name: 'Add drip lines' }).click();
    await choose(panel.getByRole('combobox', { name: 'Area' }), 'Bed 1');
    await story.picture('drip-lines-asked');
    await panel.getByRole('button', { name: 'Show pipes' }).click();
    await panel.locator('[data-test=lowest-pressure]', { hasText: /^1\.\d\d\sbar$/ }).waitFor();
    await panel.locator('[data-test=uniformity]', { hasText: /^(9\d|100)\s%$/ }).waitFor();
    await story.picture('drip-lines');
    await panel.locator('[data-test=ground-uniformity]', { hasText: /^\s*\d+\s%\s*$/ }).waitFor();
    await panel.getByLabel('Water on the ground').check();
    await panel.getByRole('list', { name: 'Water on the ground' }).waitFor();
    await story.picture('drip-rain');
    await panel.getByRole('button', { name: 'Keep to compare' }).click();
    await panel.getByText('Existing pipes, corridors, entrances').click();
    await panel.getByRole('button', { name: 'Add via point' }).click();
    const handle = page.locator('.leaflet-marker-icon.map-vertex');
    const from = (await atRest(() => handle.boundingBox())) ?? { x: 0, y: 0 };
    await page.mouse.move(from.x + 12, from.y + 12);
    await page.mouse.down();
    await page.mouse.move(from.x - 120, from.y + 90, { steps: 5 });
    await page.mouse.up();
    await panel.locator('[data-test=lowest-pressure]').waitFor();
    await panel.getByRole('button', { name: 'Keep to compare' }).click();
    const compared = panel.getByRole('region', { name: 'Plans compared' });
    await compared.getByRole('columnheader', { name: 'Plan 2' }).waitFor();
    await compared.scrollIntoViewIfNeeded();
    await story.picture('pipes-compared');
    await panel.getByRole('button', { name: 'Close', exact: true }).first().click();
    await handle.first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'More for this map' }).click();
    await page.getByText('Lay pipes…').click();
    await handle.first().waitFor();
    await panel.locator('[data-test=lowest-pressure]').waitFor();
    await compared.getByRole('columnheader', { name: 'Plan 2' }).waitFor();
    await story.picture('pipes-opened-again');
    await compared.getByRole('button', { name: 'Show Plan 1 on the map' }).click();
    await compared.getByRole('button', { name: 'Show Plan 1 on the map', pressed: true }).waitFor();
    await choose(panel.getByRole('combobox', { name: 'Colour of the pipes' }), 'Diameter');
    await panel.getByRole('list', { name: 'Colour of the pipes' }).getByText(/mm/).first().waitFor();
    const price = panel.getByLabel(/^Price of Valve/).first();
    const keepPrices = panel.getByRole('button', { name: 'Save prices' });
    await price.fill('a few');
    await expect.poll(() => keepPrices.isDisabled()).toBe(true);
    await price.fill('20');
    await keepPrices.click();
    await panel.locator('[data-test=pipe-cost]', { hasText: /^[1-9][\d,]* KRW$/ }).waitFor();
    await page.evaluate(() => {
      // What is on the sheet stays for a picture.
      window.print = () => {
        const sheet = document.querySelector('.bill-paper')?.cloneNode(true);
        if (sheet) document.body.append(sheet);
        window.dispatchEvent(new Event('afterprint'));
      };
    });
    await panel.getByRole('button', { name: 'Print plan and list' }).click();
    const sheet = page.locator('body > .bill-paper');
    await sheet.waitFor({ state: 'attached' });
    await page.emulateMedia({ media: 'print' });
    await sheet.getByRole('img', { name: 'Plan' }).waitFor();
    expect(await sheet.textContent()).toMatch(/Materials: Water.*Valve 32 mm.*A pump/s);
    expect(await sheet.locator('circle').count()).toBe(61);
    await story.picture('pipes-paper');
    await sheet.evaluate((element) => element.remove());
    await page.emulateMedia({ media: 'screen' });
    await story.picture('pipes-sized');
    await panel.getByRole('button', { name: 'Save pipes' }).click();
    await page.getByText('Pipes saved on the map.').first().waitFor();
    const stored = await client.ask('GET', `/api/geo/overlays?geo_id=${map_uuid}&type=pipe`);
    const pipes = (stored.body as FeatureCollection).features; // the map
    expect(new Set(pipes.map(({ properties }) => properties['plan_id'])).size).toBe(1);
    await page.getByText(`Shapes (${63 + pipes.length})`).waitFor();
    await panel.getByText('Open an EPANET file (INP)').click();
    const inp = ['[JUNCTIONS]', 'A 0 1', '[RESERVOIRS]', 'R 20', '[PIPES]', 'P1 R A x 50 150', '[COORDINATES]'];
    const open = (text: string) =>
      panel
        .locator('.import-inp input[type=file]')
        .setInputFiles({ name: 'old.inp', mimeType: 'text/plain', buffer: Buffer.from(text) });
    const network = [...inp, 'R 127 37.499', 'A 127.001 37.499', '[OPTIONS]', 'Units CMH', '[END]'].join('\n');
    await open(network);
    await panel.getByText(/^Line 6: This is not a number that is possible here\./).waitFor();
    errors.length = 0; // the browser notes the refusal
    await open(network.replace(' x ', ' 90 '));
    await panel.getByRole('button', { name: 'Add to the map' }).click();
    await page.getByText(`Shapes (${64 + pipes.length})`).waitFor();
    await story.picture('pipes-read');
    await story.picture('pipes-saved');
    await page.reload();
    await page.getByText(`Shapes (${64 + pipes.length})`).waitFor();
    await page.getByRole('button', { name: 'More for this map' }).click();
    await page.getByText('Lay pipes…').click();
    const saved = panel.getByRole('region', { name: 'Saved pipes' });
    await saved.getByLabel('Colour of the pipes').press('ArrowDown');
    await page.getByRole('option', { name: 'Velocity' }).click();
    await saved.getByRole('list', { name: 'Colour of the pipes' }).getByText('m/s').first().waitFor();
    await story.picture('pipes-coloured-again');
    expect(errors).toEqual([]);
  });
});
