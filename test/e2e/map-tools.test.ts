import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { atRest } from '../support/at-rest.ts';
import { axeFindings } from '../support/axe.ts';
import { hasBrowser } from '../support/browser.ts';
import { mapBench } from '../support/map-bench.ts';
import { house } from '../support/map-hand.ts';

const it = mapBench('map-tools');

describe.skipIf(!hasBrowser())('the tools of the map', () => {
  it('brings copies into view, and moves nothing when they are in view', async ({ hand, story, errors }) => {
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

  it('moves, turns and grows by mouse, and leaves each tool by Escape', async ({ page, hand, errors }) => {
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

  it('splits, merges again, cuts a hole and sets an outline off, each one step', async ({
    page,
    hand,
    story,
    errors,
  }) => {
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

  it('is free of what axe finds, whatever is open beside the map', async ({ page, hand, story }) => {
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
