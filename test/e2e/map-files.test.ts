import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { MapHand } from '../support/map-hand.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

describe.skipIf(!hasBrowser())('the files of the map', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let page: Page;
  let errors: string[];
  let story: Story;
  let hand: MapHand;

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'map-files');
    hand = new MapHand(page, service, client);
    await story.logIn(service.url);
    await page.getByRole('navigation').first().waitFor();
    errors.length = 0; // the browser notes that nobody was logged in
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  it('offers the shapes that come back changed, and takes the replacement back in one step', async () => {
    const id = await hand.begin('Back');
    const [here] = await hand.stored(id);
    if (here === undefined) throw new Error('the map has a house');
    const changed = { ...here, properties: { ...here.properties, name: 'North house', note: 'from afar' } };
    const file = ['farm.geojson', JSON.stringify({ type: 'FeatureCollection', features: [changed] })] as const;
    const dialog = page.getByRole('dialog', { name: 'Import a file' });
    const submit = dialog.getByRole('button', { name: 'Import', exact: true });
    await hand.drop(hand.canvas, file);
    await dialog.getByText('1 shape differs from the one on this map').waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel('Replace them on the map').click();
    await story.picture('changed');
    await submit.click();
    await page.locator('.notice-bar').getByText('1 shape replaced.').waitFor();
    await hand.row('North house').waitFor();
    await hand.areas(id);
    expect((await hand.stored(id)).map(({ properties }) => properties)).toMatchObject([changed.properties]);
    await page.locator('.notice-bar').getByRole('button', { name: 'Undo' }).click();
    await hand.row('House 1').waitFor();
    await hand.drop(hand.canvas, file);
    await dialog.getByLabel('Add them as new shapes').click();
    await submit.click();
    await hand.shapes(2).waitFor();
    await hand.areas(id);
    expect((await hand.stored(id)).map(({ properties }) => properties.name).sort()).toEqual(['House 1', 'North house']);
    expect(errors).toEqual([]);
  });

  it('takes a file that is dropped on the map or beside it, and changes nothing for a broken one', async () => {
    await hand.begin('Dropped');
    const dialog = page.getByRole('dialog', { name: 'Import a file' });
    const drop = (...files: (readonly [name: string, text: string])[]) => hand.drop(hand.canvas, ...files);
    const well = ['well.geojson', '{"type":"Point","coordinates":[127,37.5]}'] as const;
    const tank = '{"type":"Point","coordinates":[200010,544550]}';
    const inMetres = `{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:5186"}},"features":[{"type":"Feature","properties":{"name":"Tank"},"geometry":${tank}}]}`;
    await drop(well, ['houses.zip', 'PK\u0003\u0004 and no more']);
    await dialog.getByText('houses.zip: The file is damaged or of another kind.').waitFor();
    await dialog.getByText('the ZIP is damaged').waitFor();
    await story.picture('broken');
    await expect.poll(() => dialog.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    errors.length = 0; // the browser notes the refusal
    expect(await hand.drop(page.getByRole('toolbar', { name: 'Map tools' }), ['broken.kmz', 'PK'])).toEqual([
      false,
      false,
    ]);
    await dialog.getByText('This file is damaged: it cannot be unpacked.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await hand.shapes(1).waitFor();
    await drop(well, ['tank.geojson', inMetres]);
    await dialog.getByText('2 shapes to add').waitFor();
    await story.picture('dropped');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await hand.shapes(3).waitFor();
    await hand.row('Tank').waitFor();
    expect(errors).toEqual([]);
  });
});
