import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAllowed } from '../../server/outbound/address-policy.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { geoJsonOf } from '../support/parcel-files.ts';
import { parcelRing, pixel } from '../support/providers.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

/** An address of this machine that a server of the farm may have: loopback may not be asked. */
const lanAddress = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .map(({ address }) => address)
  .find((address) => isAllowed(address, 'lan'));

describe.skipIf(!hasBrowser() || lanAddress === undefined)('a map with the network of the farm alone', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let page: Page;
  let errors: string[];
  let story: Story;
  let tiles: Server;
  let asked: string[];
  let geo_id = '';

  beforeAll(async () => {
    asked = [];
    tiles = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'image/png' }).end(pixel);
    });
    tiles.listen(0, lanAddress);
    await once(tiles, 'listening');
    service = await startService();
    client = await ServiceClient.setUp(service);
    const view = { name: 'Farm', lat: 37.0001, lng: 127.0005, zoom: 18 };
    geo_id = ((await client.ask('POST', '/api/geo/designs', view)).body as { map_uuid: string }).map_uuid; // a design
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'map-outside');
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    tiles?.closeAllConnections();
    tiles?.close();
    removeDataDirectory(service.dataDirectory);
  });

  const shownTiles = () =>
    page.evaluate(
      () => document.querySelectorAll<HTMLImageElement>('img.leaflet-tile-loaded[src*="tile_proxy"]').length,
    );

  it('takes a tile server of the farm into its settings', async () => {
    const { port } = tiles.address() as AddressInfo; // it listens on TCP
    const host = isIPv6(lanAddress ?? '') ? `[${lanAddress}]` : lanAddress;
    await story.logIn(`${service.url}/settings/services`);
    await page.getByRole('button', { name: 'Add tile service' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Farm photo');
    await page.getByLabel('Address', { exact: true }).fill(`http://${host}:${port}/{z}/{x}/{y}.png`);
    await page.getByLabel(/^Attribution/).fill('<b>Kim</b> & sons');
    await story.picture('tile-service');
    await page.getByRole('button', { name: 'Save', exact: true }).last().click();
    await page.getByText('Farm photo').waitFor();
  });

  it('shows it under the map, with its attribution as text', async () => {
    await page.goto(`${service.url}/maps/${geo_id}`);
    await page.getByRole('button', { name: 'Outside layers' }).click();
    await page.getByRole('combobox', { name: 'Base map' }).press('ArrowDown');
    await page.getByRole('option', { name: 'Farm photo' }).click();
    await expect.poll(shownTiles).toBeGreaterThan(4);
    await page.keyboard.press('Escape');
    await page.getByText('<b>Kim</b> & sons').waitFor();
    await story.picture('base');
    expect(asked[0]).toMatch(/^\/18\/\d+\/\d+\.png$/);
  });

  it('shows it from its cache when that server is cut off', async () => {
    tiles.closeAllConnections();
    tiles.close();
    const before = asked.length;
    await page.reload();
    await expect.poll(shownTiles).toBeGreaterThan(4);
    expect(asked).toHaveLength(before);
  });

  it('says that the radar is out of reach', async () => {
    await page.getByRole('button', { name: 'Outside layers' }).click();
    await page.getByLabel('Rain radar').check();
    await page.getByText('The outside service cannot be reached.').waitFor();
    await page.getByLabel('Rain radar').uncheck();
    await page.keyboard.press('Escape');
  });

  it('saves the parcels of a table as sites, names the rows without one, and knows those that it has', async () => {
    const ring = JSON.stringify({ type: 'Polygon', coordinates: [parcelRing] }).replaceAll('"', '""');
    const buffer = Buffer.from(`name,address,geometry\nNorth field,,"${ring}"\nNowhere,,\n`);
    for (const known of [0, 1]) {
      await page.getByRole('button', { name: 'More for this map' }).click();
      await page.getByText('Add parcels…').click();
      await page.locator('input[type=file]').setInputFiles({ name: 'parcels.csv', mimeType: 'text/csv', buffer });
      await page.getByText('Rows without a parcel: 1').waitFor();
      await story.picture('parcels');
      await page.getByRole('button', { name: 'Save as sites (1)' }).click();
      await page
        .getByText(`${1 - known} saved as sites, ${known} already on this map.`)
        .first()
        .waitFor();
    }
    await page.getByText('Shapes (1)').waitFor();
    await story.picture('sites');
  });

  it('imports parcels, finds one by its address, and saves it as a site', async () => {
    const address = '경기도 화성시 송산면 12-3';
    const others = ['경기도 화성시 송산면 112-34', '경기도 화성시 서신면 12-3'];
    const parcels = [address, ...others].map((one, at) => ({
      ...{ corner: [127.0002 + at / 1000, 37.0003] as const, side: 0.0003 },
      properties: { address: one },
    }));
    await page.goto(`${service.url}/settings/services`);
    await page.getByRole('button', { name: 'Import parcels' }).click();
    const file = { name: 'Songsan.geojson', mimeType: 'application/geo+json', buffer: geoJsonOf(parcels) };
    await page.locator('.v-dialog input[type=file]').setInputFiles(file);
    await story.picture('import');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('3 parcels imported, 0 rows left out.').first().waitFor();
    await page.getByText('Songsan', { exact: true }).waitFor();
    await story.picture('imported');
    await page.goto(`${service.url}/maps/${geo_id}`);
    await page.getByRole('button', { name: 'More for this map' }).click();
    await page.getByText('Add parcels…').click();
    await page.getByLabel('Address', { exact: true }).fill('송산면 12-3');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByText(address).first().waitFor();
    await story.picture('found');
    await page.getByRole('button', { name: 'Save as sites (1)' }).click();
    await page.getByText('1 saved as sites, 0 already on this map.').first().waitFor();
    await page.getByLabel('Name', { exact: true }).fill('송산 온실');
    await page.getByText('Shapes (2)').waitFor();
    await story.saved();
    await story.picture('cadastre-site');
    // What Chromium notes of each answer that is no success: a tile server that is gone, a site that is known.
    expect(errors.filter((one) => !one.startsWith('Failed to load resource'))).toEqual([]);
  });
});
