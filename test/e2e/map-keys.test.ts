import { describe, expect } from 'vitest';
import { sizeOf } from '../../renderer/map/geodesy.ts';
import type { Geometry } from '../../server/contract/overlay.ts';
import { atRest } from '../support/at-rest.ts';
import { hasBrowser } from '../support/browser.ts';
import { mapBench } from '../support/map-bench.ts';
import { angleAt, house, overlapping } from '../support/map-hand.ts';

const it = mapBench('map-keys');

describe.skipIf(!hasBrowser())('the tools of the map by the keyboard alone', () => {
  it('draws a row of ten houses from one, and takes it back in one step', async ({ page, hand, story, errors }) => {
    const id = await hand.begin('Row');
    await hand.row('House 1').press('Enter');
    await page.getByRole('toolbar', { name: 'Tools for the selection' }).waitFor();
    await hand.press('a');
    await hand.bar.getByLabel('Side by side').fill('5');
    await hand.bar.getByLabel('One behind another').fill('2');
    await hand.bar.getByLabel('Gap beside').fill('3');
    await story.picture('row-asked');
    await hand.bar.getByLabel('Gap beside').press('Enter');
    await hand.shapes(10).waitFor();
    await hand.row('House 10').waitFor();
    await page.getByText('10 shapes selected').first().waitFor();
    await story.picture('row');
    expect(new Set(await hand.areas(id)).size).toBe(1);
    await page.getByLabel('Name all').fill('Glass {n}');
    await page.getByRole('button', { name: 'Rename' }).click();
    await hand.row('Glass 10').waitFor();
    // From further away some names have no room: those that are shown can be read.
    for (const scale of ['near', 'far']) {
      await hand.press('Escape', 'f', ...(scale === 'far' ? ['-', '-', '-'] : []));
      await expect.poll(async () => overlapping(await hand.nameBoxes())).toEqual([]);
      expect((await hand.nameBoxes()).length).toBeGreaterThan(scale === 'far' ? 0 : 9);
    }
    await story.picture('row-far');
    await hand.act('undo');
    await hand.act('undo');
    await hand.shapes(1).waitFor();
    expect(await hand.areas(id)).toHaveLength(1);
    expect((await hand.stored(id))[0]).toMatchObject(house);
    expect(errors).toEqual([]);
  });

  it('draws an outline in the middle of the map, and says each corner', async ({ page, hand, story, errors }) => {
    const id = await hand.begin('Middle');
    await hand.press('p');
    const said = (what: RegExp) => page.getByRole('status').filter({ hasText: what }).waitFor();
    const moved = async (key: string): Promise<void> => {
      const place = () => page.locator('.leaflet-map-pane').boundingBox();
      const before = await atRest(place);
      await hand.canvas.press(key);
      await expect.poll(place).not.toEqual(before);
      await hand.canvas.press(' '); // while the map still moves
    };
    await moved('ArrowDown');
    await said(/^1 corner$/);
    await moved('ArrowRight');
    await said(/^2 corners · side [\d.]+\sm$/);
    await moved('ArrowDown');
    await said(/^3 corners/);
    // Enter belongs to the button that has the focus.
    await page.getByRole('button', { name: 'Remove last corner' }).press('Enter');
    await said(/^2 corners/);
    await hand.canvas.press(' ');
    await said(/^3 corners/);
    await moved('ArrowLeft');
    await said(/^4 corners/);
    await story.picture('middle');
    await hand.canvas.press('Enter');
    await hand.shapes(2).waitFor();
    expect((await hand.areas(id)).at(-1)).toBeGreaterThan(0);
    // There and back again is the same place, to the last digit that is stored.
    const drawn = (await hand.stored(id)).at(-1)?.geometry;
    const [ring = []] = drawn?.type === 'Polygon' ? drawn.coordinates : [];
    for (const axis of [0, 1]) expect(new Set(ring.map((corner) => corner[axis])).size).toBe(2);
    expect(errors).toEqual([]);
  });

  it('moves, turns, grows, sets off, splits, merges and cuts', async ({ page, hand, story, errors }) => {
    const id = await hand.begin('Keys');
    const [whole = 0] = await hand.areas(id);
    const exact = page.locator('[data-test=exact]');
    const taken = () => hand.bar.waitFor({ state: 'detached' });
    const byNumbers = async (key: string, fields: Record<string, string>): Promise<void> => {
      await hand.press(key);
      for (const [label, value] of Object.entries(fields)) await hand.bar.getByLabel(label).fill(value);
      await page.keyboard.press('Enter');
      await taken();
    };
    await hand.row('House 1').press('Enter');
    // Corners are set in the middle of the map, which the arrow keys move.
    await hand.press('s');
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'Space', ...Array<string>(6).fill('ArrowDown'), 'Space']) {
      await hand.press(key);
      await atRest(() => page.locator('.leaflet-map-pane').getAttribute('style')); // a key is lost while the map moves
    }
    await story.picture('split-by-keys');
    await hand.press('Enter');
    await taken();
    await hand.shapes(2).waitFor();
    expect((await hand.areas(id)).reduce((sum, one) => sum + one, 0)).toBeCloseTo(whole, -1);
    await byNumbers('j', {});
    await hand.shapes(1).waitFor();
    await hand.press('b');
    await hand.bar.getByRole('button', { name: 'Enter exactly' }).press('Enter');
    await exact.getByLabel('Latitude').fill('37.50005');
    await exact.getByLabel('Longitude').fill('127');
    await exact.getByLabel('Longitude').press('Enter');
    for (const [length, direction] of [
      ['5', '0'],
      ['4', '90'],
      ['5', '180'],
    ] as const) {
      await exact.getByLabel('Length').fill(length);
      await exact.getByLabel('Direction').fill(direction);
      await exact.getByLabel('Direction').press('Enter');
    }
    await story.picture('hole-by-numbers');
    await hand.bar.getByRole('button', { name: 'Enter exactly' }).press('Enter');
    await hand.bar.getByRole('button', { name: 'Finish' }).press('Enter');
    await taken();
    expect(await hand.areas(id)).toEqual([whole - 20]);
    await byNumbers('g', { East: '5', North: '-3' });
    await byNumbers('o', { 'Angle, clockwise': '90' });
    await byNumbers('x', { 'Along the long side': '200' });
    expect((await hand.areas(id))[0]).toBeCloseTo(2 * (whole - 20), -1);
    await byNumbers('w', { Distance: '1' });
    await hand.shapes(2).waitFor();
    for (let step = 0; step < 7; step += 1) await hand.press('Control+z');
    expect(await hand.areas(id)).toEqual([whole]);
    expect((await hand.stored(id))[0]).toMatchObject(house);
    expect(errors).toEqual([]);
  });

  it('draws every other kind of shape, measures, selects, edits and deletes in the middle of the map', async ({
    page,
    hand,
    story,
    errors,
  }) => {
    const id = await hand.begin('Every');
    const moved = async (...keys: string[]): Promise<void> => {
      for (const key of keys) {
        await hand.press(key);
        if (key !== 'Space') await atRest(() => page.locator('.leaflet-map-pane').getAttribute('style')); // a key is lost while the map moves
      }
    };
    const saved = async (count: number): Promise<Geometry | undefined> => {
      await hand.shapes(count).waitFor();
      await hand.press('Control+s');
      await expect.poll(async () => (await hand.stored(id)).length).toBe(count);
      return (await hand.stored(id)).at(-1)?.geometry;
    };
    const away = 'Shift+ArrowDown';
    await hand.press('r');
    await page.getByText('press Space to set both').waitFor();
    await moved(away, 'Space');
    await page
      .getByRole('status')
      .filter({ hasText: /^1 corner$/ })
      .waitFor();
    await story.picture('rectangle-begun');
    await moved(away, 'ArrowRight', 'Space');
    const square = await saved(2);
    const [ring = []] = square?.type === 'Polygon' ? square.coordinates : [];
    expect(ring).toHaveLength(5);
    for (const at of [1, 2, 3]) expect(angleAt(ring, at)).toBeCloseTo(90, 3);
    await hand.press('c');
    await moved(away, 'Space', 'ArrowRight', 'Space');
    const { area_m2, length_m } = sizeOf((await saved(3)) ?? (house.geometry as Geometry));
    // Of all outlines a circle encloses the most.
    expect((4 * Math.PI * (area_m2 ?? 0)) / (length_m ?? 0) ** 2).toBeGreaterThan(0.98);
    await hand.press('l');
    await moved(away, 'Space', 'ArrowRight', 'Space', 'ArrowDown', 'Space');
    await hand.press('Enter');
    expect((await saved(4))?.coordinates).toHaveLength(3);
    await hand.press('m');
    await moved('ArrowLeft', 'Enter');
    expect((await saved(5))?.type).toBe('Point');
    await hand.press('d');
    await moved('Space', 'ArrowRight', 'Space');
    await page
      .locator('[data-test=draw-size]')
      .getByText(/^[\d.]+\sm$/)
      .waitFor();
    await hand.press('Escape', 'Escape', 'f');
    await page.getByText('5 shapes selected').first().waitFor({ state: 'detached' });
    // From further away the map has room about its shapes.
    await moved('-', '-');
    await hand.press('v');
    await moved('Shift+ArrowLeft', 'Shift+ArrowUp', 'Space');
    await story.picture('area-begun');
    await moved('Shift+ArrowRight', 'Shift+ArrowRight', away, away, 'Space');
    await page.getByText('5 shapes selected').first().waitFor();
    await story.picture('area-taken');
    await hand.row('House 1').press('Enter');
    await hand.press('e');
    const table = page.getByRole('region', { name: 'Properties' });
    await table.getByLabel('Latitude of corner 1', { exact: true }).fill('37.49995');
    await table.getByLabel('Latitude of corner 1', { exact: true }).press('Enter');
    await table.getByRole('button', { name: 'Add a corner after 1', exact: true }).press('Enter');
    const corners = async () =>
      (await hand.stored(id)).find(({ properties }) => properties.name === 'House 1')?.geometry;
    await hand.press('Control+s');
    await expect.poll(async () => (await corners())?.coordinates[0]).toHaveLength(6);
    expect((await corners())?.coordinates.flat(2)).toContain(37.49995);
    await hand.press('Escape', 'Delete');
    await saved(4);
    expect(await corners()).toBeUndefined();
    expect(errors).toEqual([]);
  });
});
