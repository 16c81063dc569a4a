import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sizeOf } from '../../renderer/map/geodesy.ts';
import type { Geometry } from '../../server/contract/overlay.ts';
import { atRest } from '../support/at-rest.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { house, MapHand } from '../support/map-hand.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const tablet = { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true };

describe.skipIf(!hasBrowser())('the tools of the map by touch', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let loggedIn: NonNullable<BrowserContextOptions['storageState']>;

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    browser = await openBrowser(service.url);
    const { page } = await openPage(browser);
    await new Story(page, 'map-touch').identify(client);
    loggedIn = await page.context().storageState();
    await page.context().close();
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  it('moves, draws and selects with a finger on a phone', async () => {
    const opened = await openPage(browser, { ...phone, colorScheme: 'dark', storageState: loggedIn });
    const finger = new MapHand(opened.page, service, client);
    const id = await finger.makeMap('Phone');
    await opened.page.goto(`${service.url}/maps/${id}`);
    const canvas = opened.page.locator('.map-page__canvas');
    await opened.page.locator('.map-label').first().waitFor();
    const box = await atRest(() => canvas.boundingBox());
    if (box === null) throw new Error('the map is on the page');
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await opened.page.touchscreen.tap(at.x, at.y);
    await opened.page.locator('[data-action=move]').tap();
    const story = new Story(opened.page, 'map-touch-phone');
    await story.picture('move');
    await finger.bar.waitFor();
    await finger.swipe({ x: at.x - 50, y: box.y + 200 }, { x: at.x + 50, y: box.y + 200 });
    await finger.bar.waitFor({ state: 'detached' });
    await story.picture('moved');
    await expect.poll(async () => (await finger.stored(id))[0]?.geometry).not.toEqual(house.geometry);
    // Two taps for a rectangle, one a corner for an outline.
    const tap = (x: number, y: number) => opened.page.touchscreen.tap(box.x + x, box.y + y);
    await opened.page.getByRole('button', { name: 'Close' }).first().tap();
    await opened.page.locator('[data-action=rectangle]').tap();
    await tap(90, 220);
    await tap(150, 280);
    await story.picture('rectangle');
    await expect.poll(async () => (await finger.stored(id)).length).toBe(2);
    await opened.page.getByRole('button', { name: 'Close' }).first().tap();
    await opened.page.locator('[data-action=polygon]').tap();
    for (const [x, y] of [
      [200, 220],
      [300, 230],
      [280, 290],
    ] as const)
      await tap(x, y);
    await story.picture('corners');
    await opened.page.getByRole('button', { name: 'Finish' }).tap();
    await expect.poll(async () => (await finger.stored(id)).length).toBe(3);
    await opened.page.getByRole('button', { name: 'Close' }).first().tap();
    await opened.page.locator('[data-action=area]').tap();
    await finger.swipe({ x: box.x + 15, y: box.y + 310 }, { x: box.x + 322, y: box.y + 150 });
    await opened.page.getByText('2 shapes selected').first().waitFor();
    await story.picture('area');
    expect(opened.errors).toEqual([]);
    await opened.page.context().close();
  });

  it('turns, grows, splits, cuts, copies, merges and drags a corner with a finger on a tablet', async () => {
    const opened = await openPage(browser, { ...tablet, storageState: loggedIn });
    const finger = new MapHand(opened.page, service, client);
    const story = new Story(opened.page, 'map-touch-tablet');
    const id = await finger.makeMap('Tablet');
    await opened.page.goto(`${service.url}/maps/${id}`);
    await opened.page.locator('.map-label').first().waitFor();
    const { touchscreen } = opened.page;
    // The house stays in the middle of the map, which the form makes narrower.
    const swipe = async (from: [x: number, y: number], to: [x: number, y: number]): Promise<void> => {
      const { x, y } = await finger.middle();
      await finger.swipe({ x: x + from[0], y: y + from[1] }, { x: x + to[0], y: y + to[1] });
      await finger.bar.waitFor({ state: 'detached' });
    };
    const tapAll = async (...places: (readonly [x: number, y: number])[]): Promise<void> => {
      const at = await finger.middle();
      for (const [x, y] of places) await touchscreen.tap(at.x + x, at.y + y);
    };
    const tool = async (action: string): Promise<void> => {
      await opened.page.locator(`[data-action=${action}]`).tap();
      await finger.bar.waitFor();
    };
    const stored = async () => (await finger.stored(id)).map(({ geometry }) => geometry);
    const whole = sizeOf(house.geometry as Geometry).area_m2 ?? 0;
    const areas = async () => (await stored()).map((one) => Math.round(sizeOf(one).area_m2 ?? 0));

    await tapAll([0, 0]);
    await tool('rotate');
    await swipe([120, 0], [0, 120]);
    await expect.poll(async () => (await stored())[0]).not.toEqual(house.geometry);
    await story.picture('turned');
    await tool('scale');
    await swipe([0, 100], [0, 150]);
    await expect.poll(async () => (await areas())[0]).toBeGreaterThan(2 * whole);
    await tool('hole');
    await tapAll([-20, -20], [20, -20], [20, 20], [-20, 20]);
    await story.picture('hole');
    await finger.bar.getByRole('button', { name: 'Finish' }).tap();
    await finger.bar.waitFor({ state: 'detached' });
    await expect.poll(async () => (await stored())[0]?.coordinates).toHaveLength(2);
    await tool('split');
    await tapAll([-200, 60], [200, 60]);
    await finger.bar.getByRole('button', { name: 'Finish' }).tap();
    await expect.poll(async () => (await stored()).length).toBe(2);
    await story.picture('split');
    // Both parts are selected, then what each undo leaves of them.
    for (const [action, count] of [
      ['duplicate', 4],
      ['merge', 1],
      ['offset', 3],
    ] as const) {
      await tool(action);
      await finger.bar.getByRole('button', { name: 'Apply' }).tap();
      await finger.bar.waitFor({ state: 'detached' });
      await expect.poll(async () => (await stored()).length).toBe(count);
      await opened.page.locator('[data-action=undo]').tap();
      await expect.poll(async () => (await stored()).length).toBe(2);
    }
    // The copies were brought into view, so the house is no longer in its middle.
    await opened.page.locator('[data-action=fit]').tap();
    await tapAll([-80, -60]);
    await opened.page.locator('[data-action=edit]:enabled').tap();
    const corner = opened.page.locator('.map-vertex:not(.map-vertex--middle)').first();
    const from = await atRest(() => corner.boundingBox());
    if (from === null) throw new Error('the shape has corners');
    const before = await stored();
    expect(Math.min(from.width, from.height)).toBeGreaterThanOrEqual(44); // for a finger
    const middle = { x: from.x + from.width / 2, y: from.y + from.height / 2 };
    await finger.swipe(middle, { x: middle.x + 40, y: middle.y + 10 });
    await expect.poll(stored).not.toEqual(before);
    await story.picture('corner');
    expect(opened.errors).toEqual([]);
    await opened.page.context().close();
  });

  it('copies a shape and pastes it twice with a finger on a phone', async () => {
    const opened = await openPage(browser, { ...phone, storageState: loggedIn });
    const finger = new MapHand(opened.page, service, client);
    const story = new Story(opened.page, 'map-touch-copied');
    const id = await finger.makeMap('Copied');
    await opened.page.goto(`${service.url}/maps/${id}`);
    await opened.page.locator('.map-label').first().waitFor();
    const { x, y } = await finger.middle();
    await opened.page.touchscreen.tap(x, y);
    await opened.page.locator('[data-action=copy]').tap();
    await opened.page.getByText('1 shape copied').first().waitFor();
    for (const count of [2, 3]) {
      await opened.page.getByRole('button', { name: 'Shapes', exact: true }).tap();
      await opened.page.getByRole('button', { name: 'More for this map' }).tap();
      await opened.page.getByText('Paste', { exact: true }).tap();
      await opened.page.getByRole('button', { name: 'Hide panel' }).tap();
      await expect.poll(async () => (await finger.stored(id)).length).toBe(count);
    }
    await story.picture('pasted');
    const stored = await finger.stored(id);
    expect(stored.map(({ properties }) => properties.name)).toEqual(['House 1', 'House 2', 'House 3']);
    expect(new Set(stored.map(({ geometry }) => JSON.stringify(geometry))).size).toBe(3);
    expect(opened.errors).toEqual([]);
    await opened.page.context().close();
  });

  it('draws a circle, a line and a marker, and measures, with a finger', async () => {
    const opened = await openPage(browser, { ...tablet, storageState: loggedIn });
    const finger = new MapHand(opened.page, service, client);
    const story = new Story(opened.page, 'map-touch-drawn');
    const id = await finger.makeMap('Drawn');
    await opened.page.goto(`${service.url}/maps/${id}`);
    await opened.page.locator('.map-label').first().waitFor();
    const tapAll = async (...places: (readonly [x: number, y: number])[]): Promise<void> => {
      const at = await finger.middle();
      for (const [x, y] of places) await opened.page.touchscreen.tap(at.x + x, at.y + y);
    };
    const [grid, tools] = await Promise.all(
      ['.map-page__status', '.map-page__left > :last-child'].map((part) => opened.page.locator(part).boundingBox()),
    );
    if (grid == null || tools == null) throw new Error('both are on the map');
    expect(grid.x, 'the spacing of the grid is beside the tools').toBeGreaterThanOrEqual(tools.x + tools.width);
    const bar = opened.page.locator('.draw');
    const drawn = async (action: string, ...places: (readonly [x: number, y: number])[]): Promise<void> => {
      await opened.page.locator(`[data-action=${action}]`).tap();
      await bar.waitFor();
      await tapAll(...places);
    };
    const last = async () => (await finger.stored(id)).at(-1)?.geometry;
    await drawn('circle', [-100, 200], [-60, 200]);
    await expect.poll(async () => (await last())?.type).toBe('Polygon');
    await expect.poll(async () => (await finger.stored(id)).length).toBe(2);
    const round = await last();
    const { area_m2, length_m } = sizeOf(round ?? { type: 'Point', coordinates: [0, 0] });
    // Of all outlines a circle encloses the most.
    expect((4 * Math.PI * (area_m2 ?? 0)) / (length_m ?? 0) ** 2).toBeGreaterThan(0.98);
    await drawn('line', [-100, -200], [-40, -260], [20, -200]);
    await story.picture('line');
    await bar.getByRole('button', { name: 'Finish' }).tap();
    await expect.poll(async () => (await last())?.coordinates).toHaveLength(3);
    await drawn('marker', [-60, -140]);
    await expect.poll(async () => (await last())?.type).toBe('Point');
    await drawn('measure', [-100, 120], [100, 120]);
    await expect.poll(() => bar.locator('[data-test=draw-size]').innerText()).toMatch(/^\d[\d.,]*\sm$/);
    await story.picture('measured');
    await bar.getByRole('button', { name: 'Done' }).tap();
    await bar.waitFor({ state: 'detached' });
    expect(await finger.stored(id)).toHaveLength(4);
    for (const [action, count] of [
      ['delete', 3],
      ['undo', 4],
      ['redo', 3],
    ] as const) {
      await opened.page.locator(`[data-action=${action}]:enabled`).first().tap();
      await opened.page.locator('[data-action=save]').tap();
      await expect.poll(async () => (await finger.stored(id)).length).toBe(count);
    }
    await opened.page.locator('[data-action=history]').tap();
    await opened.page.getByRole('region', { name: 'History' }).waitFor();
    await opened.page.locator('[data-action=help]').tap();
    await opened.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(opened.errors).toEqual([]);
    await opened.page.context().close();
  });
});
