import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atRest } from '../support/at-rest.ts';
import { axeFindings } from '../support/axe.ts';
import { hasBrowser, openBrowser, openKeptBrowser, openPage } from '../support/browser.ts';
import { angleAt, house, journalled, MapHand } from '../support/map-hand.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

describe.skipIf(!hasBrowser())('the tools of the map', () => {
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
    story = new Story(page, 'map-tools');
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

  it('brings copies into view, and moves nothing when they are in view', async () => {
    const id = await hand.begin('Seen');
    await hand.row('House 1').click();
    const boxOf = async (wanted: string) => (await hand.nameBoxes()).find(({ name }) => name === wanted);
    const copy = async (sideBySide: string): Promise<void> => {
      await hand.act('duplicate');
      await hand.bar.getByLabel('Side by side').fill(sideBySide);
      await hand.bar.getByRole('button', { name: 'Apply' }).click();
      await hand.bar.waitFor({ state: 'detached' });
    };
    const before = await atRest(() => boxOf('House 1'));
    expect(before).toBeDefined();
    await copy('2');
    await expect.poll(() => boxOf('House 2')).toBeDefined();
    expect(await atRest(() => boxOf('House 1'))).toEqual(before);
    await copy('6');
    await hand.shapes(12).waitFor();
    const seen = await hand.canvas.boundingBox();
    if (seen === null) throw new Error('the map is on the page');
    await expect.poll(() => boxOf('House 12')).toBeDefined();
    await hand.areas(id); // saved
    const { left, right, top, bottom } = await hand.outlinesBox(id);
    const margins = [left - seen.x, seen.x + seen.width - right, top - seen.y, seen.y + seen.height - bottom];
    expect(Math.min(...margins)).toBeGreaterThanOrEqual(39); // 40 px, drawn to whole pixels
    // Nearer by a step of the zoom they would have no room.
    expect(2 * (right - left) > seen.width - 80 || 2 * (bottom - top) > seen.height - 80).toBe(true);
    await story.picture('seen');
    expect(errors).toEqual([]);
  });

  it('moves, turns and grows by mouse, and leaves each tool by Escape', async () => {
    const id = await hand.begin('Moved');
    const [before = 0] = await hand.areas(id);
    await hand.row('House 1').click();
    const at = await hand.middle();
    for (const action of ['move', 'rotate', 'scale'] as const) {
      await hand.act(action);
      await hand.bar.waitFor();
      await page.keyboard.press('Escape');
      await hand.bar.waitFor({ state: 'detached' });
    }
    await hand.act('move');
    await hand.bar.waitFor();
    await hand.drag(at, { x: 120, y: -60 });
    await hand.bar.waitFor({ state: 'detached' });
    const [moved] = await hand.stored(id).then(async () => (await hand.areas(id), hand.stored(id)));
    expect(moved?.geometry).not.toEqual(house.geometry);
    await hand.act('rotate');
    await hand.bar.getByLabel('Angle, clockwise').fill('30');
    await hand.bar.getByLabel('Angle, clockwise').press('Enter');
    await hand.bar.waitFor({ state: 'detached' });
    expect(Math.abs(((await hand.areas(id))[0] ?? 0) - before)).toBeLessThanOrEqual(1);
    await hand.act('scale');
    await hand.bar.getByLabel('Along the long side').fill('200');
    await hand.bar.getByRole('button', { name: 'Apply' }).click();
    await hand.bar.waitFor({ state: 'detached' });
    expect(Math.abs(((await hand.areas(id))[0] ?? 0) - 2 * before)).toBeLessThanOrEqual(2);
    for (let step = 0; step < 3; step += 1) await hand.act('undo');
    await hand.areas(id);
    expect((await hand.stored(id))[0]).toMatchObject(house);
    expect(errors).toEqual([]);
  });

  it('splits, merges again, cuts a hole and sets an outline off, each one step', async () => {
    const id = await hand.begin('Cut');
    const [whole = 0] = await hand.areas(id);
    await hand.row('House 1').click();
    const at = await hand.middle();
    await hand.act('split');
    await hand.bar.waitFor();
    await hand.corners(at, [
      [0, -200],
      [0, 200],
    ]);
    await page.keyboard.press('Enter');
    await hand.shapes(2).waitFor();
    await story.picture('split');
    const parts = await hand.areas(id);
    expect(parts.reduce((sum, one) => sum + one, 0)).toBeCloseTo(whole, -1);
    await page.getByText('2 shapes selected').first().waitFor();
    await hand.act('merge');
    await hand.bar.getByRole('button', { name: 'Apply' }).click();
    await hand.shapes(1).waitFor();
    expect(await hand.areas(id)).toEqual([whole]);
    await hand.act('undo');
    await hand.shapes(2).waitFor();
    await hand.act('redo');
    await hand.shapes(1).waitFor();

    const outline = (half: number, high: number) =>
      [
        [-half, -high],
        [half, -high],
        [half, high],
        [-half, high],
      ] as const;
    await hand.row('House 1').click();
    await hand.act('hole');
    await hand.corners(at, outline(70, 12));
    await story.picture('hole-drawn');
    await page.keyboard.press('Enter');
    await hand.bar.waitFor({ state: 'detached' });
    const [around = 0] = await hand.areas(id);
    expect(around).toBeLessThan(whole - 5);
    expect((await hand.stored(id))[0]?.geometry.coordinates).toHaveLength(2);
    await story.picture('hole');
    await hand.act('undo');
    // A hole from side to side leaves one shape of two parts; a cut through one leaves the other with a piece of it.
    await hand.row('House 1').click();
    await hand.act('hole');
    await hand.corners(at, outline(15, 210));
    await page.keyboard.press('Enter');
    await hand.bar.waitFor({ state: 'detached' });
    const [left = 0] = await hand.areas(id);
    expect((await hand.stored(id))[0]?.geometry.type).toBe('MultiPolygon');
    await hand.act('split');
    await hand.corners({ x: at.x - 90, y: at.y }, [
      [0, -200],
      [0, 200],
    ]);
    await page.keyboard.press('Enter');
    await hand.shapes(2).waitFor();
    expect((await hand.areas(id)).reduce((sum, one) => sum + one, 0)).toBeCloseTo(left, -1);
    expect((await hand.stored(id)).map(({ geometry }) => geometry.type).sort()).toEqual(['MultiPolygon', 'Polygon']);
    await story.picture('split-of-parts');
    await hand.act('undo');
    await hand.act('undo');
    await hand.shapes(1).waitFor();
    expect(await hand.areas(id)).toEqual([whole]);

    await hand.row('House 1').click();
    await hand.act('offset');
    await hand.bar.getByLabel('Distance').fill('2');
    await story.picture('offset');
    await hand.bar.getByRole('button', { name: 'Apply' }).click();
    await hand.shapes(2).waitFor();
    await hand.act('undo');
    await hand.shapes(1).waitFor();
    await hand.row('House 1').click();
    await hand.act('offset');
    await hand.bar.getByLabel('Distance').fill('-50');
    await hand.bar.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Nothing would be left of the shape.').first().waitFor();
    await hand.bar.getByRole('button', { name: 'Cancel' }).click();
    expect(await hand.areas(id)).toEqual([whole]);
    expect(errors).toEqual([]);
  });

  it('draws a line and a marker, and moves, adds and removes corners, by mouse', async () => {
    const id = await hand.begin('Mouse');
    const at = await hand.middle();
    await hand.act('line');
    await hand.corners(at, [
      [-200, 150],
      [-120, 220],
      [-40, 150],
    ]);
    await page.getByRole('button', { name: 'Finish' }).click();
    await hand.shapes(2).waitFor();
    await hand.act('marker');
    await page.mouse.move(at.x - 100, at.y + 120, { steps: 3 });
    await page.mouse.click(at.x - 100, at.y + 120);
    await hand.shapes(3).waitFor();
    await hand.areas(id);
    expect((await hand.stored(id)).slice(1).map(({ geometry }) => geometry.type)).toEqual(['LineString', 'Point']);

    const corners = async () => {
      await hand.areas(id);
      const { coordinates = [] } = (await hand.stored(id))[0]?.geometry ?? {};
      return coordinates.flat();
    };
    await hand.row('House 1').click();
    await hand.act('edit');
    const handles = (isMiddle: boolean) =>
      page.locator(isMiddle ? '.map-vertex--middle' : '.map-vertex:not(.map-vertex--middle)');
    const dragged = async (isMiddle: boolean): Promise<void> => {
      const box = await atRest(() => handles(isMiddle).first().boundingBox());
      if (box === null) throw new Error('the shape has corners');
      await hand.drag({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, { x: -40, y: 50 });
    };
    const before = await corners();
    await dragged(false);
    await expect.poll(corners).not.toEqual(before);
    expect(await corners()).toHaveLength(5);
    await dragged(true);
    await expect.poll(corners).toHaveLength(6);
    await story.picture('corners');
    await handles(false).nth(1).click();
    await expect.poll(corners).toHaveLength(5);
    expect(errors).toEqual([]);
  });

  it('undoes the last corner while an outline is drawn, and the finished shape only afterwards', async () => {
    await hand.begin('Corners');
    const at = await hand.middle();
    const set = hand.canvas.locator('.map-vertex');
    const outline = [
      [-150, -120],
      [-50, -120],
      [-50, -90],
    ] as const;
    await hand.act('polygon');
    await hand.corners(at, outline);
    await page.keyboard.press('Enter');
    await hand.shapes(2).waitFor();
    await hand.act('polygon');
    await hand.corners({ x: at.x, y: at.y + 200 }, outline);
    await page.keyboard.press('Control+z');
    await expect.poll(() => set.count()).toBe(2);
    await page.locator('[data-action=redo][disabled]').waitFor();
    await hand.act('undo');
    await expect.poll(() => set.count()).toBe(1);
    await page.keyboard.press('Control+z');
    await expect.poll(() => set.count()).toBe(0);
    expect(await hand.shapes(2).count()).toBe(1);
    await page.keyboard.press('Control+z');
    await hand.shapes(1).waitFor();
    await page.keyboard.press('Control+y');
    await hand.shapes(2).waitFor();
    expect(errors).toEqual([]);
  });

  it('draws a house by its numbers, a plot with right angles, and copies both to another map', async () => {
    const id = await hand.begin('Exact');
    await hand.press('r');
    await page.getByRole('button', { name: 'Enter exactly' }).click();
    const exact = page.locator('[data-test=exact]');
    await exact.getByLabel('Latitude').fill('37.5005');
    await exact.getByLabel('Longitude').fill('127');
    await exact.getByLabel('Length').fill('50');
    await exact.getByLabel('Width').fill('8');
    await exact.getByLabel('Direction').fill('90');
    await story.picture('exact');
    await exact.getByLabel('Direction').press('Enter');
    await hand.shapes(2).waitFor();
    expect((await hand.areas(id)).at(-1)).toBe(400);
    await hand.press('p');
    await exact.getByRole('button', { name: 'Add corner' }).click();
    for (const [length, direction] of [
      ['30', '0'],
      ['20', '90'],
      ['30', '180'],
    ] as const) {
      await exact.getByLabel('Length').fill(length);
      await exact.getByLabel('Direction').fill(direction);
      await exact.getByLabel('Direction').press('Enter');
    }
    await page.getByRole('button', { name: 'Finish' }).click();
    await hand.shapes(3).waitFor();
    expect(await hand.areas(id)).toContain(600);

    // Each side square to the one before it, however crooked the hand.
    await hand.press('Escape', 'Escape', 'f', 'p', 'q');
    await hand.corners(await hand.middle(), [
      [-260, 180],
      [-120, 210],
      [-140, 300],
      [-250, 290],
    ]);
    await story.picture('square');
    await hand.press('q', 'Enter');
    await hand.shapes(4).waitFor();
    await hand.areas(id);
    const drawn = (await hand.stored(id)).at(-1)?.geometry;
    const [ring = []] = drawn?.type === 'Polygon' ? drawn.coordinates : [];
    expect(ring).toHaveLength(5);
    for (const at of [1, 2]) expect(angleAt(ring, at)).toBeCloseTo(90, 1);

    await hand.press('Control+a');
    await page.getByText('4 shapes selected').first().waitFor();
    await hand.press('Control+c');
    await page.getByText('4 shapes copied.').first().waitFor();
    const other = await hand.begin('Pasted');
    await hand.press('Control+v');
    await hand.shapes(5).waitFor();
    expect(await hand.areas(other)).toHaveLength(5);
    await hand.act('copy');
    await page.getByRole('button', { name: 'More for this map' }).click();
    await page.getByText('Paste', { exact: true }).click();
    await hand.shapes(9).waitFor();
    await hand.press('Escape', 'f', 'v');
    const middle = await hand.middle();
    await hand.drag({ x: middle.x - 380, y: middle.y - 340 }, { x: 760, y: 680 });
    await page
      .getByText(/^\d shapes selected$/)
      .first()
      .waitFor();
    await story.picture('area');
    expect(errors).toEqual([]);
  });

  it('offers after a crash of the browser what was not saved, and brings it back', async () => {
    const id = await hand.makeMap('Crash');
    const folder = mkdtempSync(join(tmpdir(), 'orangery-crash-'));
    const open = () => openKeptBrowser(service.url, folder);
    const first = await open();
    const crashed = await first.newPage();
    await new Story(crashed, 'map-crash').logIn(service.url);
    await crashed.getByRole('navigation').first().waitFor();
    await crashed.route('**/api/geo/overlays/delta', (route) => route.abort());
    await crashed.goto(`${service.url}/maps/${id}`);
    await crashed.locator('.shapes__row', { hasText: 'House 1' }).click();
    await crashed.locator('[data-action=duplicate]').click();
    await crashed.locator('[data-test=shape-bar]').getByLabel('Side by side').fill('5');
    await crashed.getByRole('button', { name: 'Apply' }).click();
    await crashed.getByText('Shapes (5)').waitFor();
    // What another map had not saved when it was left is kept beside it.
    crashed.on('dialog', (dialog) => void dialog.accept());
    const other = await hand.makeMap('Crash too');
    await crashed.evaluate((path) => history.pushState(history.state, '', path), `/maps/${other}`);
    await crashed.evaluate(() => dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown })));
    await crashed.getByRole('heading', { name: 'Crash too' }).waitFor();
    await crashed.getByText('Shapes (1)').waitFor();
    await crashed.locator('.shapes__row', { hasText: 'House 1' }).click();
    await crashed.locator('[data-action=delete]').first().click();
    await crashed.getByText('Shapes (0)').waitFor();
    // The journal has both before the browser dies.
    await expect.poll(() => crashed.evaluate(journalled)).toEqual([1, 4]);
    const session = await first.newCDPSession(crashed);
    await Promise.all([first.waitForEvent('close'), session.send('Browser.crash').catch(() => undefined)]);
    expect(await hand.stored(id)).toHaveLength(1);

    const second = await open();
    const again = await second.newPage();
    await second.clearCookies(); // the browser had no time to store them all
    await new Story(again, 'map-crash').logIn(`${service.url}/maps/${id}`);
    await again.getByText('4 shapes were edited here').waitFor();
    await new Story(again, 'map-crash').picture('offered');
    const beside = await second.newPage();
    await beside.goto(`${service.url}/maps/${id}`);
    await beside.getByText('4 shapes were edited here').waitFor();
    const offer = again.locator('[data-test=journal]');
    expect(await offer.innerText()).toContain('House 2, House 3, House 4, House 5');
    await again.getByRole('button', { name: 'Discard' }).click();
    await again.getByText('The edits of 4 shapes were discarded.').first().waitFor();
    expect(await offer.count()).toBe(0);
    await beside.locator('[data-test=journal]').waitFor({ state: 'detached' });
    await expect.poll(() => again.evaluate(journalled)).toEqual([1]);
    await again.locator('.notice-bar').getByRole('button', { name: 'Undo' }).click();
    await offer.waitFor();
    await expect.poll(() => again.evaluate(journalled)).toEqual([1, 4]);
    await beside.reload();
    await beside.getByText('4 shapes were edited here').waitFor();
    await again.getByRole('button', { name: 'Bring them back' }).click();
    await again.getByText('Shapes (5)').waitFor();
    await beside.locator('[data-test=journal]').waitFor({ state: 'detached' });
    await beside.getByText('Shapes (5)').waitFor();
    await beside.close();
    await expect.poll(async () => (await hand.stored(id)).length).toBe(5);
    await again.reload();
    await again.getByText('Shapes (5)').waitFor();
    expect(await again.locator('[data-test=journal]').count()).toBe(0);
    await again.goto(`${service.url}/maps/${other}`);
    await again.getByText('1 shape was edited here').waitFor();
    await again.getByRole('button', { name: 'Bring them back' }).click();
    await again.getByText('Shapes (0)').waitFor();
    await expect.poll(async () => (await hand.stored(other)).length).toBe(0);
    await second.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is free of what axe finds, whatever is open beside the map', async () => {
    await hand.begin('Axe');
    const findings = async (what: string, part?: Locator): Promise<void> => {
      await story.picture(what);
      expect(await axeFindings(page, part), what).toEqual([]);
    };
    const open = async (item: string, name: string): Promise<void> => {
      await page.getByRole('button', { name: 'More for this map' }).click();
      await page.getByText(item, { exact: true }).click();
      const region = page.getByRole('region', { name });
      await region.waitFor();
      await page.getByRole('menu').first().waitFor({ state: 'hidden' });
      await findings(name, region);
    };
    for (const [keys, shown] of [
      [['Control+a', 'a'], page.getByRole('toolbar', { name: 'Tools for the selection' })],
      [['Escape', 'Escape', 'p'], page.getByRole('button', { name: 'Finish' })],
      [['Escape', 'h'], page.getByRole('region', { name: 'History' })],
    ] as const) {
      await hand.press(...keys);
      await shown.waitFor();
      await findings(keys.join(' '));
    }
    await open('Lay pipes…', 'Lay pipes');
    await open('Add parcels…', 'Add parcels from the land registry');
    await page.getByRole('tab', { name: 'Devices' }).click();
    await page.getByText('No devices yet').first().waitFor();
    await findings('devices');
    await page.getByRole('tab', { name: 'Layers' }).click();
    await page.getByRole('slider').first().waitFor();
    await findings('layers');
    for (const [item, name] of [
      ['Import a file…', 'Import a file'],
      ['Export…', 'Export map'],
    ] as const) {
      await page.getByRole('button', { name: 'More for this map' }).click();
      await page.getByText(item, { exact: true }).click();
      const dialog = page.getByRole('dialog', { name });
      await dialog.waitFor();
      await page.getByRole('menu').first().waitFor({ state: 'hidden' });
      await findings(name, dialog);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
    await hand.press('?');
    const help = page.getByRole('dialog').filter({ hasText: 'Keyboard shortcuts' });
    await help.waitFor();
    await findings('help', help);
    await page.keyboard.press('Escape');
  });
});
