import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Browser, Locator, Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lightLook } from '../../renderer/map/look.ts';
import type { FeatureCollection } from '../../server/contract/overlay.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { drawn, rectangle } from '../support/drawn-shape.ts';
import { MapHand } from '../support/map-hand.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

const view = { name: 'Farm', lat: 37.5, lng: 127, zoom: 18 };

/** The colour of the map in a corner of its picture. */
async function paperOf(png: string): Promise<string> {
  const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))]));
  const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
  context?.drawImage(picture, 0, 0);
  return String(context?.getImageData(60, 124, 1, 1).data);
}

/** How many points of a canvas have this colour, `#rrggbb`. */
const coloured = (canvas: Locator, colour: string): Promise<number> =>
  canvas.evaluate((element: HTMLCanvasElement, wanted: string) => {
    const { width, height } = element;
    const points = element.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
    const rgb = [1, 3, 5].map((at) => Number.parseInt(wanted.slice(at, at + 2), 16));
    let found = 0;
    for (let at = 0; at < points.length; at += 4) if (rgb.every((part, nth) => points[at + nth] === part)) found += 1;
    return found;
  }, colour);

describe.skipIf(!hasBrowser())('two people at one map', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let geo_id = '';
  let ann: Page;
  let bob: Page;
  let story: Story;
  const errors: string[] = [];

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    geo_id = ((await client.ask('POST', '/api/geo/designs', view)).body as { map_uuid: string }).map_uuid; // a design
    const added = [
      drawn('Home field', 'site', rectangle(127, 37.5, 0.001)),
      drawn('House 1', 'facility', rectangle(127.0002, 37.5002, 0.0004)),
    ];
    await client.ask('POST', '/api/geo/overlays/delta', { geo_id, added });
    browser = await openBrowser(service.url);
    [ann, bob] = [await openMap(), await openMap()];
    story = new Story(bob, 'map-sharing');
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  async function openMap(): Promise<Page> {
    const opened = await openPage(browser);
    await new Story(opened.page, 'map-sharing').logIn(`${service.url}/maps/${geo_id}`);
    await opened.page.getByText('Shapes (2)').waitFor();
    opened.page.on('pageerror', (error) => errors.push(error.message));
    return opened.page;
  }

  const shape = (page: Page, name: string) => page.locator('.shapes__row', { hasText: name });

  async function rename(page: Page, from: string, to: string): Promise<void> {
    await shape(page, from).click();
    await page.getByLabel('Name', { exact: true }).fill(to);
    await page.getByRole('button', { name: 'Save now' }).click();
  }

  /** Saves the first name while the other one's, saved in between, cannot be known to that page. */
  async function renameTooLate(page: Page, [from, to]: [string, string], other: () => Promise<void>): Promise<void> {
    const otherSaved = Promise.withResolvers<void>();
    await page.route('**/api/geo/overlays/delta', async (route) => {
      await otherSaved.promise;
      await route.continue();
    });
    await rename(page, from, to);
    await other();
    otherSaved.resolve();
    await page.getByRole('button', { name: 'Show what changed' }).click();
    await page.unroute('**/api/geo/overlays/delta');
  }

  async function storedNames(): Promise<string[]> {
    const { body } = await client.ask('GET', `/api/geo/overlays?geo_id=${geo_id}`);
    return (body as FeatureCollection).features.map(({ properties }) => properties.name).sort(); // of the contract
  }

  it('one sees what the other saves, and reads only that', async () => {
    const asked: string[] = [];
    const note = (request: Request): void => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/geo/') && request.method() === 'GET') asked.push(pathname);
    };
    bob.on('request', note);
    for (const [from, to] of [
      ['Home field', 'Field of Ann'],
      ['Field of Ann', 'Home field'],
    ] as const) {
      // prettier-ignore
      await rename(ann, from, to);
      await shape(bob, to).waitFor();
    }
    bob.off('request', note);
    expect(asked).toContain('/api/geo/overlays/changes');
    expect(asked).not.toContain('/api/geo/overlays');
    expect(asked).not.toContain(`/api/geo/designs/${geo_id}`);
  });

  it('the one who saves later sees what changed, and nothing is lost', async () => {
    await renameTooLate(bob, ['House 1', 'House of Bob'], async () => {
      await rename(ann, 'House 1', 'House of Ann');
      await expect.poll(storedNames).toEqual(['Home field', 'House of Ann']);
    });
    const dialog = bob.getByRole('dialog', { name: 'Changed by someone else in the meantime' });
    await dialog.getByText('Differs in').waitFor();
    const text = await dialog.innerText();
    for (const said of ['House of Ann', 'House of Bob', 'Name']) expect(text).toContain(said);
    await story.picture('conflict');
    expect(await storedNames()).toEqual(['Home field', 'House of Ann']);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await rename(bob, 'Home field', 'South field');
    // What is not in conflict is saved meanwhile.
    await expect.poll(storedNames).toEqual(['House of Ann', 'South field']);
    await bob.getByRole('button', { name: 'Show what changed' }).click();
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(storedNames).toEqual(['House of Bob', 'South field']);
  });

  it('the other takes theirs, and has the own change back by undo', async () => {
    await shape(ann, 'South field').waitFor();
    await renameTooLate(ann, ['House of Bob', 'Glass house'], async () => {
      await rename(bob, 'House of Bob', 'Tall house');
      await expect.poll(storedNames).toEqual(['South field', 'Tall house']);
    });
    await ann.getByRole('button', { name: 'Take theirs' }).click();
    await shape(ann, 'Tall house').waitFor();
    await ann.getByRole('button', { name: 'Undo' }).click();
    await ann.getByRole('button', { name: 'Save now' }).click();
    await expect.poll(storedNames).toEqual(['Glass house', 'South field']);
  });

  it('shows an earlier state on the map, brings it back, and what it replaced again', async () => {
    await ann.locator('.map-page__canvas').press('h');
    const history = ann.getByRole('region', { name: 'History' });
    await history.locator('[data-revision="1"]').click();
    await history.getByText('This is the map as saved').waitFor();
    await ann.locator('.map-label', { hasText: 'House 1' }).first().waitFor();
    await expect.poll(() => ann.getByRole('button', { name: 'Draw rectangle' }).count()).toBe(0);
    await new Story(ann, 'map-history').picture('earlier');
    await ann.keyboard.press('Escape');
    await ann.locator('.map-label', { hasText: 'Glass house' }).first().waitFor();
    await history.locator('[data-revision="1"]').click();
    await history.getByRole('button', { name: 'Restore this version' }).click();
    await shape(ann, 'House 1').waitFor();
    await expect.poll(storedNames).toEqual(['Home field', 'House 1']);
    await history.getByText('Earlier version restored').waitFor();
    await history.locator('[data-revision="8"]').click();
    await history.getByRole('button', { name: 'Restore this version' }).click();
    await shape(ann, 'Glass house').waitFor();
    await expect.poll(storedNames).toEqual(['Glass house', 'South field']);
  });

  it('prints what is seen of the map, with its areas in a table', async () => {
    mkdirSync('test/output/pictures', { recursive: true });
    await ann.evaluate(() => {
      Object.assign(globalThis, { print: () => Object.assign(globalThis, { isPrinted: true }) });
    });
    await ann.emulateMedia({ colorScheme: 'dark' });
    await shape(ann, 'Glass house').click();
    await ann.locator('.map-page__canvas').press('Control+p');
    await ann.waitForFunction(() => 'isPrinted' in globalThis);
    await ann.emulateMedia({ colorScheme: 'light', media: 'print' });
    await ann.getByRole('img', { name: 'Farm' }).waitFor();
    await expect.poll(() => ann.getByRole('button').count()).toBe(0);
    await ann.getByRole('row', { name: /^Glass house House [\d,.]+\sm² [\d,.]+\sm$/ }).waitFor();
    expect(await coloured(ann.locator('.map-paper canvas'), lightLook.accent)).toBe(0); // the selection stays on the screen
    await new Story(ann, 'map-printed').picture('sheet');
    const pdf = await ann.pdf({ preferCSSPageSize: true, path: 'test/output/pictures/map-printed.pdf' });
    // The picture, and the table of areas where it has no room below.
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(2);
    await ann.emulateMedia({ media: 'screen' });
    await expect.poll(() => ann.locator('.map-paper').count()).toBe(0);
    await ann.locator('.map-page__canvas').press('Escape');
  });

  it('exports the map, and imports a file without what is known or cannot be drawn', async () => {
    await ann.getByRole('button', { name: 'More for this map' }).click();
    await ann.getByText('Export…', { exact: true }).click();
    const exporting = ann.getByRole('dialog', { name: 'Export map' });
    const [download] = await Promise.all([
      ann.waitForEvent('download'),
      exporting.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    await exporting.waitFor({ state: 'detached' });
    expect(download.suggestedFilename()).toBe('Farm.geojson');
    const file = JSON.parse(readFileSync(await download.path(), 'utf8')) as { features: object[] }; // what the page wrote
    expect(file.features).toHaveLength(2);
    const [west, south, size] = [127.0007, 37.5002, 0.0001];
    const crossed = rectangle(west, south, size).map((ring) => [0, 2, 1, 3, 0].map((at) => ring[at]));
    const shed = { type: 'Feature', properties: { NAME: 'Shed' } };
    file.features.push(
      { ...shed, geometry: { type: 'Polygon', coordinates: crossed }, properties: { NAME: 'Knot' } },
      { ...shed, geometry: { type: 'Polygon', coordinates: rectangle(west, south, size) } },
    );
    await ann.getByRole('button', { name: 'More for this map' }).click();
    await ann.getByText('Import a file…').click();
    const dialog = ann.getByRole('dialog', { name: 'Import a file' });
    const buffer = Buffer.from(JSON.stringify(file));
    await dialog.locator('input[type=file]').setInputFiles({ name: 'a.geojson', mimeType: 'text/plain', buffer });
    await dialog.getByText('1 shape to add').waitFor();
    await dialog.getByText('2 already on this map, skipped').waitFor();
    await dialog.getByText('1 shape cannot be imported:').waitFor();
    await dialog.getByText(/^Knot: /).waitFor();
    await new Story(ann, 'map-import').picture('refused');
    // The answer is lost on its way: pressed again, the shape is there once.
    const lose = async (route: Route): Promise<void> => {
      await client.ask('POST', '/api/geo/overlays/delta', route.request().postDataJSON());
      await route.abort();
    };
    await ann.route('**/api/geo/overlays/delta', lose, { times: 1 });
    await dialog.getByRole('button', { name: 'Import the other 1' }).click();
    await dialog.getByText('The server cannot be reached.').waitFor();
    await dialog.getByRole('button', { name: 'Import the other 1' }).click();
    await dialog.waitFor({ state: 'detached' });
    await shape(ann, 'Shed').waitFor();
    await expect.poll(storedNames).toEqual(['Glass house', 'Shed', 'South field']);
    expect(errors).toEqual([]);
  });

  it('writes the map as a GeoPackage, Shapefiles, a picture and a document, and reads back what was deleted', async () => {
    const exported = async (kind: string) => {
      await ann.getByRole('button', { name: 'More for this map' }).click();
      await ann.getByText('Export…', { exact: true }).click();
      const dialog = ann.getByRole('dialog', { name: 'Export map' });
      await dialog.getByLabel(kind).check();
      if (kind.startsWith('Shapefile')) await dialog.getByLabel('Coordinate system (EPSG)').fill('5186');
      if (kind.startsWith('Shapefile')) await new Story(ann, 'map-export').picture('asked');
      if (kind === 'GeoPackage') await dialog.getByLabel('Coordinate system (EPSG)').fill('99');
      if (kind === 'GeoPackage') await expect.poll(() => ann.locator('.v-combobox__content:visible').count()).toBe(0);
      if (kind === 'GeoPackage') await dialog.getByLabel('Coordinate system (EPSG)').fill('4326');
      const download = ann.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Export', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      return readFileSync(await (await download).path());
    };
    const stored = async () =>
      ((await client.ask('GET', `/api/geo/overlays?geo_id=${geo_id}`)).body as FeatureCollection).features // of the contract
        .map(({ geometry, properties }) => ({ ...properties, first: geometry.coordinates.flat(2).slice(0, 2) }))
        .sort((a, b) => a.unique_id.localeCompare(b.unique_id));
    const before = await stored();
    const files = {
      'farm.gpkg': await exported('GeoPackage'),
      'farm.zip': await exported('Shapefile (ZIP)'),
    };
    mkdirSync('test/output/pictures', { recursive: true });
    const png = await exported('Picture (PNG)');
    writeFileSync('test/output/pictures/map-export-picture.png', png);
    expect(png.readUInt32BE(16)).toBeGreaterThan(1500);
    await ann.emulateMedia({ colorScheme: 'dark' });
    const pdf = await exported('Document (PDF)');
    const dark = await exported('Picture (PNG)');
    await ann.emulateMedia({ colorScheme: 'light' });
    writeFileSync('test/output/pictures/map-export-dark.png', dark);
    writeFileSync('test/output/pictures/map-export.pdf', pdf);
    expect(pdf.toString('latin1', 0, 8)).toBe('%PDF-1.4');
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2); // the map, and its areas in a table
    expect(await ann.evaluate(paperOf, dark.toString('base64'))).toBe(
      await ann.evaluate(paperOf, png.toString('base64')),
    );
    for (const [name, buffer] of Object.entries(files)) {
      // A dialog that fades gives the focus back to its button only then.
      const selected = ann.getByText(`${before.length} shapes selected`).first();
      await expect
        .poll(async () => {
          await ann.locator('.map-page__canvas').press('Control+a');
          return selected.isVisible();
        })
        .toBe(true);
      await ann.locator('.map-page__canvas').press('Delete');
      await ann.getByRole('button', { name: 'Save now' }).click();
      await expect.poll(storedNames).toEqual([]);
      await ann.getByRole('button', { name: 'More for this map' }).click();
      await ann.getByText('Import a file…').click();
      const dialog = ann.getByRole('dialog', { name: 'Import a file' });
      await dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/zip', buffer });
      await dialog.getByText(`${before.length} shapes to add`).waitFor();
      await dialog.getByRole('button', { name: 'Import', exact: true }).click();
      await expect.poll(storedNames).toHaveLength(before.length);
      const after = await stored();
      expect(after.map(({ first: _, ...properties }) => properties)).toEqual(
        before.map(({ first: _, ...properties }) => properties),
      );
    }
    expect(errors).toEqual([]);
  });

  it('measures, draws a circle about another shape, and reads a KML file; undo takes each back', async () => {
    const yard = await client.ask('POST', '/api/geo/designs', { ...view, name: 'Yard', zoom: 20 });
    const { map_uuid } = yard.body as { map_uuid: string }; // a design
    const well = { type: 'Feature', geometry: { type: 'Point', coordinates: [127, 37.5] } };
    const added = [{ ...well, properties: { type: 'label', name: 'Well' } }];
    await client.ask('POST', '/api/geo/overlays/delta', { geo_id: map_uuid, added });
    await ann.goto(`${service.url}/maps/${map_uuid}`);
    await shape(ann, 'Well').waitFor();
    const { x, y } = await new MapHand(ann, service, client).middle();
    const size = ann.locator('[data-test=draw-size]');

    await ann.getByRole('button', { name: 'Measure' }).click();
    await ann.mouse.click(x + 3, y - 3);
    await ann.mouse.move(x + 150, y, { steps: 3 });
    await size.getByText(/^[\d.]+\sm$/).waitFor();
    await new Story(ann, 'map-measure').picture('measured');
    await ann.keyboard.press('Escape');

    await ann.getByRole('button', { name: 'Draw circle' }).click();
    await ann.mouse.move(x + 4, y + 4);
    await ann.mouse.down();
    await ann.mouse.move(x + 90, y, { steps: 4 });
    await size.getByText(/^radius [\d.]+\sm · /).waitFor();
    await ann.mouse.up();
    await ann.getByText('Shapes (2)').waitFor();
    await ann.locator('[data-action=undo]').click();
    await ann.getByText('Shapes (1)').waitFor();
    await ann.locator('[data-action=redo]').click();
    await ann.getByRole('button', { name: 'Save now' }).click();
    await expect.poll(async () => (await circles(map_uuid)).length).toBe(1);
    const [corners = []] = await circles(map_uuid);
    // It begins where the well is, and not where the mouse was.
    for (const [axis, middle] of [127, 37.5].entries()) {
      const along = corners.slice(1).map((corner) => corner[axis] ?? NaN);
      expect(along.reduce((sum, one) => sum + one, 0) / along.length).toBeCloseTo(middle, 7);
    }

    await ann.getByRole('button', { name: 'More for this map' }).click();
    await ann.getByText('Import a file…').click();
    const dialog = ann.getByRole('dialog', { name: 'Import a file' });
    await dialog.locator('input[type=file]').setInputFiles('test/fixtures/shapes/field.kml');
    await dialog.getByText('2 shapes to add').waitFor();
    await dialog.getByText(/: It has no outline, line or point\.$/).waitFor();
    await dialog.getByRole('button', { name: 'Import the other 2' }).click();
    await shape(ann, 'North field').waitFor();
    await ann.locator('[data-action=undo]').click();
    await shape(ann, 'North field').waitFor({ state: 'detached' });
    await ann.getByText('Shapes (2)').waitFor();
    expect(errors).toEqual([]);
  });

  /** The outlines of a map as they are stored. */
  async function circles(geo_id: string): Promise<number[][][]> {
    const { features } = (await client.ask('GET', `/api/geo/overlays?geo_id=${geo_id}`)).body as FeatureCollection; // the map
    return features.flatMap(({ geometry }) => (geometry.type === 'Polygon' ? geometry.coordinates : []));
  }
});
