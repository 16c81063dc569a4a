import { describe, expect } from 'vitest';
import { atRest } from '../support/at-rest.ts';
import { hasBrowser } from '../support/browser.ts';
import { mapBench } from '../support/map-bench.ts';
import { angleAt } from '../support/map-hand.ts';

const it = mapBench('map-drawing');

describe.skipIf(!hasBrowser())('drawing on the map', () => {
  it('draws a line and a marker, and moves, adds and removes corners, by mouse', async ({
    page,
    hand,
    story,
    errors,
  }) => {
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
    await page.getByRole('button', { name: 'Close' }).first().click();
    const canvas = await atRest(() => hand.canvas.boundingBox());
    if (canvas === null) throw new Error('the map is on the page');
    // Where the form of the new shape will be.
    await page.mouse.move(canvas.x + canvas.width - 30, at.y + 120, { steps: 3 });
    await page.mouse.click(canvas.x + canvas.width - 30, at.y + 120);
    await hand.shapes(3).waitFor();
    const [narrowed, mark] = await atRest(() =>
      Promise.all([hand.canvas.boundingBox(), page.locator('.map-text').boundingBox()]),
    );
    expect(narrowed?.width).toBeLessThan(canvas.width);
    expect((mark?.x ?? 0) + (mark?.width ?? 0)).toBeLessThan((narrowed?.x ?? 0) + (narrowed?.width ?? 0));
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

  it('undoes the last corner while an outline is drawn, and the finished shape only afterwards', async ({
    page,
    hand,
    errors,
  }) => {
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

  it('draws a house by its numbers, a plot with right angles, and copies both to another map', async ({
    page,
    hand,
    story,
    errors,
  }) => {
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
});
