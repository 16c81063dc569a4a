import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAllowed } from '../../server/outbound/address-policy.ts';
import type { Design } from '../../server/contract/design.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { atRest } from '../support/at-rest.ts';
import { choose } from '../support/choose.ts';
import { MapHand } from '../support/map-hand.ts';
import { addOfferedLayer, lookAtOverlays } from '../support/overlay-steps.ts';
import { geoJsonOf } from '../support/parcel-files.ts';
import { parcelRing, pixel } from '../support/providers.ts';
import {
  cutNetworkBy,
  freshDataDirectory,
  removeDataDirectory,
  startService,
  type RunningService,
} from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';
import { villageMap } from '../support/village-map.ts';

/** An address of this machine that a server of the farm may have: loopback may not be asked. */
const lanAddress = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .map(({ address }) => address)
  .find((address) => isAllowed(address, 'lan'));

/** Once the file is there, the service reaches nothing but this machine (`cut-network.ts`). */
const dataDirectory = freshDataDirectory();
const cutFile = join(dataDirectory, 'cut-network');

describe.skipIf(!hasBrowser() || lanAddress === undefined)('a map with the network of the farm alone', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let page: Page;
  let errors: string[];
  let story: Story;
  let tiles: Server;
  let asked: string[];
  /** What the page wanted from elsewhere once the network was cut. */
  const strayed: string[] = [];
  let geo_id = '';

  beforeAll(async () => {
    asked = [];
    tiles = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url?.startsWith('/19/') === true) return; // silent there
      response.writeHead(200, { 'content-type': 'image/png' }).end(pixel);
    });
    tiles.listen(0, lanAddress);
    await once(tiles, 'listening');
    const entry = 'test/support/service-with-providers.ts';
    service = await startService({ dataDirectory, env: cutNetworkBy(cutFile), entry });
    client = await ServiceClient.setUp(service);
    const enabled = { enabled: true };
    const providers = { rainviewer: enabled, isric: enabled, openweather: { ...enabled, key: 'k3y' } };
    await client.ask('POST', '/api/geo/settings', { providers });
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
    removeDataDirectory(dataDirectory);
  });

  const shownTiles = () =>
    page.evaluate(
      () => document.querySelectorAll<HTMLImageElement>('img.leaflet-tile-loaded[src*="tile_proxy"]').length,
    );

  /** What the map says of the place under the pointer. */
  async function placeAt(x: number, y: number): Promise<readonly [lng: number, lat: number]> {
    let said = '';
    // The map takes no move while it zooms, and of several close ones the first; what stands twice is where it rests.
    await expect
      .poll(async () => {
        const before = said;
        for (const at of [x - 4, x]) {
          await page.mouse.move(at, y);
          await page.waitForTimeout(50);
        }
        said = await page
          .getByLabel('Position of the pointer')
          .innerText({ timeout: 1_000 })
          .catch(() => '');
        return said !== '' && said === before;
      })
      .toBe(true);
    const [lat = NaN, lng = NaN] = said.split(', ').map(Number);
    return [lng, lat];
  }

  /** Where a place is, in pixels of the window; at the scale of a farm the map is even. */
  async function pixelOf(lng: number, lat: number): Promise<[number, number]> {
    const [[west, north], [east, south]] = [await placeAt(600, 300), await placeAt(900, 700)];
    return [600 + ((lng - west) / (east - west)) * 300, 300 + ((lat - north) / (south - north)) * 400];
  }

  it('takes a tile server of the farm into its settings', async () => {
    const { port } = tiles.address() as AddressInfo; // it listens on TCP
    const host = isIPv6(lanAddress ?? '') ? `[${lanAddress}]` : lanAddress;
    await story.enter(`${service.url}/settings/services`, client);
    await page.getByRole('button', { name: 'Add tile service' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Farm photo');
    await page.getByLabel('Address', { exact: true }).fill(`http://${host}:${port}/{z}/{x}/{y}.png`);
    await page.getByLabel(/^Attribution/).fill('<b>Kim</b> & sons');
    await page.getByLabel('Areas may be downloaded').check();
    await story.picture('tile-service');
    await page.getByRole('button', { name: 'Save', exact: true }).last().click();
    await page.getByText('Farm photo').waitFor();
  });

  it('shows it under the map, with its attribution as text', async () => {
    await page.goto(`${service.url}/maps/${geo_id}`);
    await page.getByRole('button', { name: 'Outside layers' }).click();
    await choose(page.getByRole('combobox', { name: 'Base map' }), 'Farm photo');
    await expect.poll(shownTiles).toBeGreaterThan(4);
    await page.keyboard.press('Escape');
    await page.getByRole('group', { name: 'Outside layers' }).first().waitFor({ state: 'hidden' });
    await page.getByText('<b>Kim</b> & sons').waitFor();
    await story.picture('base');
    expect(asked[0]).toMatch(/^\/18\/\d+\/\d+\.png$/);
  });

  it('has a layer of a Web Map Service from what the service offers', async () => {
    await page.goto(`${service.url}/settings/services`);
    await addOfferedLayer(page, story, /providers (\S+)/.exec(service.log())?.[1] ?? '');
  });

  it('draws it, clouds and the rain of an hour over the map, each with whose it is, and says what is at a place', async () => {
    await page.goto(`${service.url}/maps/${geo_id}`);
    await lookAtOverlays(page, story);
    await expect.poll(shownTiles).toBeGreaterThan(4);
  });

  it('stores the area that is shown as a map file', async () => {
    await page.getByRole('button', { name: 'Outside layers' }).click();
    await page.getByRole('button', { name: 'Download this area…' }).click();
    await page.getByText(/\d+ images, about/).waitFor();
    await story.picture('area');
    await page.getByRole('slider').press('ArrowRight');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByText('Downloading.', { exact: false }).first().waitFor();
    await page.getByRole('group', { name: 'Outside layers' }).waitFor({ state: 'hidden' });
    await page.goto(`${service.url}/settings/services`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Farm photo: paused').waitFor();
    await page.locator('.area').getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog', { name: /Farm photo/ });
    await question.getByText('pause it instead').waitFor();
    await story.picture('area-delete');
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Farm photo: paused').waitFor({ state: 'hidden' });
    await page.goto(`${service.url}/maps/${geo_id}`);
    await page.getByRole('button', { name: 'Outside layers' }).click();
    await page.getByRole('button', { name: 'Download this area…' }).click();
    await page.getByText(/\d+ images, about/).waitFor();
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByText('Downloading.', { exact: false }).first().waitFor();
    await page.goto(`${service.url}/settings/services`);
    await page.getByText(/^area-[0-9a-f]{8}\.mbtiles$/).waitFor();
    await story.picture('area-stored');
    await page.goto(`${service.url}/maps/${geo_id}`);
    await expect.poll(shownTiles).toBeGreaterThan(4);
  });

  it('shows it from its cache when every network is cut', async () => {
    writeFileSync(cutFile, '');
    await page.context().route(
      (url) => url.origin !== new URL(service.url).origin,
      async (route) => {
        strayed.push(route.request().url());
        await route.abort('internetdisconnected');
      },
    );
    const before = await atRest(async () => asked.length); // what was asked before has been answered
    await page.reload();
    await expect.poll(shownTiles).toBeGreaterThan(4);
    expect(asked).toHaveLength(before);
    const layer = (await client.ask('GET', '/api/geo/settings')).body as {
      providers: { tiles: { templates: { id: string }[] } };
    }; // the settings
    const unseen = `/api/geo/tile_proxy?layer=${layer.providers.tiles.templates[0]?.id}&z=3&x=1&y=1`;
    await expect(client.ask('GET', unseen)).rejects.toThrow('provider_unreachable');
    expect(readFileSync(cutFile, 'utf8')).toContain(lanAddress);
  });

  it('says what is out of reach', async () => {
    await page.getByRole('button', { name: 'Outside layers' }).click();
    await page.getByLabel('Show soil where I click').check();
    await page.keyboard.press('Escape');
    await page.getByRole('group', { name: 'Outside layers' }).first().waitFor({ state: 'hidden' });
    await page.mouse.click(1_300, 200);
    const soil = page.getByRole('region', { name: 'Soil' });
    await soil.getByText('The outside service cannot be reached.').waitFor();
    await page.getByRole('button', { name: 'Outside layers' }).click();
    await page.getByLabel('Show soil where I click').uncheck();
    await soil.waitFor({ state: 'detached' });
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

  it('takes a map file, says of another one why it is none, and draws its vector tiles', async () => {
    await page.goto(`${service.url}/settings/services`);
    await page.getByRole('button', { name: 'Add map file' }).waitFor();
    const files = page.locator('input[accept=".mbtiles,.pmtiles"]');
    await files.setInputFiles({ name: 'holiday.mbtiles', mimeType: '', buffer: pixel });
    await page.getByText('Not a map file of this kind').waitFor();
    await story.picture('no-map-file');
    await files.setInputFiles({ name: '우리 마을.pmtiles', mimeType: '', buffer: villageMap() });
    await page.getByText('Village is ready.').first().waitFor();
    await page.getByText('map.pmtiles').waitFor();
    await story.picture('map-file');
    await page.goto(`${service.url}/maps/${geo_id}`);
    await page.getByRole('button', { name: 'Outside layers' }).click();
    await choose(page.getByRole('combobox', { name: 'Base map' }), 'Village');
    await page.keyboard.press('Escape');
    await page.getByText('© Village survey').waitFor();
    const drawn = () =>
      page.evaluate(() => {
        const canvases = [...document.querySelectorAll<HTMLCanvasElement>('.map-vector canvas')];
        const colours = canvases.flatMap((one) => {
          const { data } = one.getContext('2d')?.getImageData(0, 0, one.width, one.height) ?? { data: [] };
          return Array.from({ length: data.length / 400 }, (_, at) => data.slice(at * 400, at * 400 + 3).join());
        });
        return new Set(colours).size;
      });
    await expect.poll(drawn).toBeGreaterThanOrEqual(3);
    await story.picture('vector-base');
  });

  it('shows what lies in what, finds it, and hides and orders layers for everyone', async () => {
    const hand = new MapHand(page, service, client);
    errors.length = 0; // the browser notes what it did not reach
    const id = await hand.makeMap('Tree');
    const about = (lng: number, lat: number, size: number) =>
      [0, 1, 2, 3, 0].map((at) => [lng + (at % 3 === 0 ? 0 : size), lat + (at > 1 ? size : 0)]);
    const added = [
      { type: 'site', name: 'Farm', ring: about(126.999, 37.4995, 0.002) },
      { type: 'bay', name: 'Bay 7', ring: about(126.99985, 37.50002, 0.0001) },
    ].map(({ ring, ...properties }) => ({
      type: 'Feature',
      properties,
      geometry: { type: 'Polygon', coordinates: [ring] },
    }));
    await client.ask('POST', '/api/geo/overlays/delta', { geo_id: id, added });
    await page.goto(`${service.url}/maps/${id}`);
    await hand.shapes(3).waitFor();
    const item = (name: string) => page.getByRole('treeitem', { name });
    const level = (name: string) => item(name).getAttribute('aria-level');
    await expect.poll(() => level('Bay 7')).toBe('3');
    expect(await level('House 1')).toBe('2');
    const has = (name: string) => expect.poll(() => item(name).evaluate((one) => one.matches(':focus'))).toBe(true);
    await item('Farm').press('ArrowDown');
    await has('House 1');
    await page.keyboard.press('ArrowLeft');
    await item('Bay 7').waitFor({ state: 'detached' });
    await has('House 1');
    await page.keyboard.press('ArrowRight');
    await item('Bay 7').waitFor();
    await has('House 1');
    await page.keyboard.press('ArrowRight');
    await has('Bay 7');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Bay 7' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Search shapes' }).fill('bay');
    await item('Farm').waitFor(); // holds what is found
    // The first: one that was drawn again stands there twice while the former fades.
    const label = (name: string) => page.locator('.map-label', { hasText: name }).first();
    await label('House 1').waitFor();
    await page.getByRole('button', { name: 'Show only matches on the map' }).click();
    await label('House 1').waitFor({ state: 'detached' });
    await story.picture('tree');
    await page.getByRole('button', { name: 'Filtered – show all' }).click();
    await label('House 1').waitFor();
    await page.getByRole('textbox', { name: 'Search shapes' }).fill('');
    await label('House 1').waitFor();
    await page.getByRole('tab', { name: 'Layers' }).click();
    await page.getByRole('button', { name: 'Show layer: House' }).click();
    await label('House 1').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Move up: Bay' }).click();
    await page.getByRole('slider', { name: 'Opacity: Site' }).press('ArrowLeft');
    await story.picture('layers');
    const saved = async () =>
      ((await client.ask('GET', `/api/geo/designs/${id}`)).body as Design).layers.overlays ?? []; // of the contract
    await expect.poll(async () => (await saved()).find((one) => one.id === 'site')?.opacity).toBe(0.95);
    await expect.poll(async () => (await saved()).find((one) => one.id === 'facility')?.visible).toBe(false);
    await expect.poll(async () => (await saved()).findIndex((one) => one.id === 'bay')).toBe(6);
    await page.reload();
    await hand.shapes(3).waitFor();
    await label('Bay 7').waitFor();
    await expect.poll(() => label('House 1').count()).toBe(0);
    await hand.row('House 1').click();
    await label('House 1').waitFor(); // what is selected is seen
    await page.keyboard.press('Escape');
    await label('House 1').waitFor({ state: 'detached' });
    await story.picture('hidden');
    await page.getByRole('button', { name: '1 layer hidden – show all' }).click();
    await label('House 1').waitFor();
    // What was changed a moment before the page is left is saved.
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await expect.poll(async () => (await saved()).find((one) => one.id === 'facility')?.visible).toBe(true);
    expect(errors).toEqual([]);
  });

  it('draws and saves nothing on a map that could not be read', async () => {
    const hand = new MapHand(page, service, client);
    const id = await hand.makeMap('Unread');
    await page.route('**/api/geo/designs/*', (route) => route.fulfill({ status: 500, body: '' }));
    const writes: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/api/geo/')) writes.push(request.url());
    });
    await page.goto(`${service.url}/maps/${id}`);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByRole('button', { name: 'Draw rectangle' }).count()).toBe(0);
    await page.locator('.map-page__canvas').press('r');
    expect(await page.getByText('Press at one corner').count()).toBe(0);
    await page.unroute('**/api/geo/designs/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await hand.shapes(1).waitFor();
    expect(writes).toEqual([]);
    errors.length = 0;
  });

  it('imports parcels, finds one by its address, and saves it as a site', async () => {
    const address = '경기도 화성시 송산면 12-3';
    const others = ['경기도 화성시 송산면 112-34', '경기도 화성시 서신면 12-3'];
    const neighbour = { address: '경기도 화성시 송산면 13', corner: [127.0005, 37.0003] as const };
    const parcels = [
      ...[address, ...others].map((one, at) => ({ address: one, corner: [127.0002 + at / 100, 37.0003] as const })),
      neighbour,
    ].map(({ address: one, corner }) => ({ corner, side: 0.0003, properties: { address: one } }));
    await page.goto(`${service.url}/settings/services`);
    await page.getByRole('button', { name: 'Import parcels' }).click();
    const file = { name: 'Songsan.geojson', mimeType: 'application/geo+json', buffer: geoJsonOf(parcels) };
    await page.locator('.v-dialog input[type=file]').setInputFiles(file);
    await story.picture('import');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('4 parcels imported. Rows left out: 0.').first().waitFor();
    await page.getByText('Songsan', { exact: true }).waitFor();
    await story.picture('imported');
    await page.goto(`${service.url}/maps/${geo_id}`);
    await page.getByRole('button', { name: 'More for this map' }).click();
    await page.getByText('Add parcels…').click();
    await page.getByLabel('Address', { exact: true }).fill('송산면 12-3');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByText(address).first().waitFor();
    await story.picture('found');
    await atRest(() => page.locator('.leaflet-map-pane').getAttribute('style'));
    await page.mouse.click(...(await pixelOf(127.00065, 37.00045)));
    await page.getByLabel(neighbour.address).waitFor();
    await page.getByRole('checkbox', { name: /one site/ }).check();
    await story.picture('neighbours');
    await page.getByRole('button', { name: 'Save as one site' }).click();
    await page.getByText('1 saved as sites, 0 already on this map.').first().waitFor();
    await page.getByLabel('Name', { exact: true }).fill('송산 온실');
    await page.getByText('Shapes (2)').waitFor();
    await story.saved();
    await story.picture('cadastre-site');
  });

  it('edits the site, and has it after a reload, with its base map and nobody outside', async () => {
    const corner = page.getByLabel('Latitude of corner 1', { exact: true });
    const moved = String(Number(await corner.inputValue()) - 0.0001);
    const stored = async () => JSON.stringify((await client.ask('GET', `/api/geo/overlays?geo_id=${geo_id}`)).body);
    const before = await stored();
    await corner.fill(moved);
    await corner.press('Enter');
    await expect.poll(stored).not.toBe(before);
    await page.reload();
    await page.getByText('© Village survey').waitFor();
    await page.getByText('송산 온실').first().click();
    await expect.poll(() => corner.inputValue()).toBe(moved);
    await story.picture('edited-offline');
    expect(strayed).toEqual([]);
    // What Chromium notes of each answer that is no success: a tile server that is gone, a site that is known.
    expect(errors.filter((one) => !one.startsWith('Failed to load resource'))).toEqual([]);
  });
});
