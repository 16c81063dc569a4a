import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { choose } from '../support/choose.ts';
import { mapBench } from '../support/map-bench.ts';

const it = mapBench('map-files');

describe.skipIf(!hasBrowser())('the files of the map', () => {
  it('offers the shapes that come back changed, and takes the replacement back in one step', async ({
    page,
    hand,
    story,
    errors,
  }) => {
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
    await dialog.getByLabel('Replace on the map').click();
    await story.picture('changed');
    await submit.click();
    await page.locator('.notice-bar').getByText('1 shape replaced.').waitFor();
    await hand.row('North house').waitFor();
    await hand.areas(id);
    expect((await hand.stored(id)).map(({ properties }) => properties)).toMatchObject([changed.properties]);
    await page.locator('.notice-bar').getByRole('button', { name: 'Undo' }).click();
    await hand.row('House 1').waitFor();
    await hand.drop(hand.canvas, file);
    await dialog.getByLabel('Add as new').click();
    await submit.click();
    await hand.shapes(2).waitFor();
    await hand.areas(id);
    expect((await hand.stored(id)).map(({ properties }) => properties.name).sort()).toEqual(['House 1', 'North house']);
    expect(errors).toEqual([]);
  });

  it('saves a map as KML, KMZ, GPX and CSV, says what each leaves out, and reads them back as they were', async ({
    page,
    hand,
    story,
    errors,
    client,
  }) => {
    const geo_id = await hand.begin('Saved');
    const [house] = await hand.stored(geo_id);
    const properties = { name: 'Well <1>', depth_m: 12.5, tags: ['a', { b: null }] };
    const well = { type: 'Point', coordinates: [127.000123456789, 37.500123456789, 3.5] };
    const main = { type: 'MultiLineString', coordinates: [[[127, 37.5], [127.0001, 37.5]], [[127, 37.5001], [127.0001, 37.5001]]] }; // prettier-ignore
    const added = [
      { type: 'Feature', geometry: well, properties: { ...properties, type: 'infrastructure' } },
      { type: 'Feature', geometry: main, properties: { ...properties, name: 'Main', type: 'pipe' } },
    ];
    await client.ask('POST', '/api/geo/overlays/delta', { geo_id, added });
    await hand.shapes(3).waitFor();
    const before = await hand.stored(geo_id);
    expect(before).toContainEqual(house);
    const menu = async (entry: string): Promise<void> => {
      await page.getByRole('button', { name: 'More for this map' }).click();
      await page.getByText(entry, { exact: true }).click();
    };
    const exporting = page.getByRole('dialog', { name: 'Export map' });
    const importing = page.getByRole('dialog', { name: 'Import a file' });
    for (const [kind, count] of [
      ['KML', 3],
      ['KMZ', 3],
      ['GPX', 2],
      ['Table (CSV)', 1],
    ] as const) {
      // prettier-ignore
      await menu('Export…');
      await exporting.getByLabel(kind, { exact: true }).click();
      const left = exporting.getByText(/cannot be saved in this kind of file/);
      if (count < 3) expect(await left.innerText()).toMatch(new RegExp(`^${3 - count} shape`));
      else expect(await left.count()).toBe(0);
      await story.picture(`export-${kind.slice(0, 3)}`);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        exporting.getByRole('button', { name: 'Export', exact: true }).click(),
      ]);
      await exporting.waitFor({ state: 'detached' });
      const buffer = readFileSync(await download.path());
      await client.ask('POST', '/api/geo/overlays', { geo_id, features: [], allow_empty: true });
      await hand.shapes(0).waitFor();
      await menu('Import a file…');
      const file = { name: download.suggestedFilename(), mimeType: 'application/octet-stream', buffer };
      await importing.locator('input[type=file]').setInputFiles(file);
      await importing.getByText(count === 1 ? '1 shape to add' : `${count} shapes to add`).waitFor();
      await importing.getByRole('button', { name: 'Import', exact: true }).click();
      await hand.shapes(count).waitFor();
      const back = await hand.stored(geo_id);
      expect(back).toHaveLength(count);
      expect(before).toEqual(expect.arrayContaining(back));
      await client.ask('POST', '/api/geo/overlays', { geo_id, features: before });
      await hand.shapes(3).waitFor();
    }
    expect(errors).toEqual([]);
  });

  it('shows what a file says of a shape, edits it for one and for several, and makes a house of an outline', async ({
    page,
    hand,
    story,
    errors,
  }) => {
    const geo_id = await hand.begin('Known');
    const [house] = await hand.stored(geo_id);
    if (house === undefined) throw new Error('the map has a house');
    const plots = ['North', 'South'].map((name) => ({
      ...house,
      properties: { name, crop: name, rows: 12, tags: ['a'] },
    }));
    await hand.drop(hand.canvas, ['plots.geojson', JSON.stringify({ type: 'FeatureCollection', features: plots })]);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await hand.shapes(3).waitFor();
    const known = async (): Promise<object[]> => {
      await hand.areas(geo_id);
      const features = await hand.stored(geo_id);
      return features.filter(({ properties }) => 'rows' in properties).map(({ properties }) => properties);
    };
    const field = (key: string) => page.getByRole('textbox', { name: key, exact: true });
    await hand.row('North').click();
    await field('crop').fill('tomato');
    await field('crop').press('Enter');
    await field('rows').fill('14');
    await field('rows').press('Enter');
    await field('New attribute').fill('type');
    await field('Value').fill('loam');
    await page.getByRole('button', { name: 'Add attribute' }).click();
    await page.locator('.notice-bar').getByText('The map uses type itself.').waitFor();
    await field('New attribute').fill('soil');
    await page.getByRole('button', { name: 'Add attribute' }).click();
    expect(await field('soil').inputValue()).toBe('loam');
    expect(await field('tags').getAttribute('readonly')).not.toBeNull();
    await story.picture('attributes');
    const north = { name: 'North', type: 'reference', crop: 'tomato', rows: 14, soil: 'loam', tags: ['a'] };
    expect(await known()).toMatchObject([north, { crop: 'South', rows: 12 }]);
    await page.getByRole('button', { name: 'Remove soil' }).click();
    await field('soil').waitFor({ state: 'detached' });
    for (let step = 0; step < 2; step += 1) await hand.act('undo');
    await field('soil').waitFor({ state: 'detached' });
    await choose(page.getByRole('combobox', { name: 'Type' }), 'House');
    await page.getByRole('link', { name: 'Set up house' }).waitFor();
    expect(await known()).toMatchObject([
      { crop: 'South' },
      { name: 'North', type: 'facility', crop: 'tomato', rows: 14 },
    ]);
    await hand.act('undo');
    expect(await known()).toContainEqual(expect.objectContaining({ name: 'North', type: 'reference' }));
    await hand.press('Control+a');
    await page.getByRole('region', { name: 'Selection' }).waitFor();
    expect(await field('rows').getAttribute('placeholder')).toBe('differs');
    await field('rows').fill('20');
    await field('rows').press('Enter');
    await story.picture('attributes-all');
    expect(await known()).toMatchObject([{ rows: 20 }, { rows: 20 }, { rows: 20 }]);
    expect(errors).toEqual([]);
  });

  it('takes a file that is dropped on the map or beside it, and changes nothing for a broken one', async ({
    page,
    hand,
    story,
    errors,
  }) => {
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

  it('reads a large file while the page goes on, shows how far it is, and ends that when it is called off', async ({
    page,
    hand,
    story,
    errors,
  }) => {
    await hand.begin('Large');
    const count = 30_000;
    const dialog = page.getByRole('dialog', { name: 'Import a file' });
    const bar = dialog.getByRole('progressbar', { name: 'Reading the file' });
    const threads = () => page.workers().filter((one) => one.url().includes('file-worker')).length;
    const file = ['fields.kml', manyFields(count)] as const;
    await page.evaluate(watchFrames);
    await hand.drop(hand.canvas, file);
    await bar.waitFor();
    await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(2);
    await dialog.getByText(/^[\d,]+ of 30,000 shapes read$/).waitFor();
    expect(threads()).toBe(1);
    await story.picture('reading');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(threads).toBe(0);
    await hand.drop(hand.canvas, file);
    await bar.waitFor();
    await dialog.getByText('30,000 shapes to add').waitFor({ timeout: 60_000 });
    // Read by the page itself, each of the two would be one gap, of nearly half of the time.
    const part = await page.evaluate(() => Math.max(...frameGaps_ms) / frameGaps_ms.reduce((sum, gap) => sum + gap, 0));
    expect(part).toBeLessThan(0.2);
    expect([await bar.count(), threads()]).toEqual([0, 0]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
  });
});

/** Of the page, from `watchFrames` on. */
declare const frameGaps_ms: number[];

/** Notes the time between frames; runs in the page. */
function watchFrames(): void {
  const gaps: number[] = [];
  Object.assign(globalThis, { frameGaps_ms: gaps });
  let last = performance.now();
  const note = (now: number): void => {
    gaps.push(now - last);
    last = now;
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}

/** A KML of some 10 MB. */
function manyFields(count: number): string {
  const places = Array.from({ length: count }, (_, at) => {
    const [lng, lat] = [127 + (at % 200) * 0.0001, 37 + Math.floor(at / 200) * 0.0001];
    const ring = [[0, 0], [0.00005, 0], [0.00005, 0.00005], [0, 0.00005], [0, 0]] as const; // prettier-ignore
    const coordinates = ring.map(([x, y]) => `${(lng + x).toFixed(7)},${(lat + y).toFixed(7)}`).join(' ');
    return `<Placemark><name>Field ${at}</name><ExtendedData><Data name="crop"><value>rice</value></Data></ExtendedData><Polygon><outerBoundaryIs><LinearRing><coordinates>${coordinates}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`;
  });
  return `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${places.join('')}</Document></kml>`;
}
