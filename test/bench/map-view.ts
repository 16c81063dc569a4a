import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { FeatureInput } from '../../server/contract/overlay.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { removeDataDirectory, startService } from '../support/running-service.ts';
import { admin, ServiceClient } from '../support/service-client.ts';
import { percentile, spread, type Figure } from './figure.ts';

const sizes = { usual: 10_000, large: 100_000 };
const edits = 10;
const openings = 3;
/** A body has 20 MiB at most. */
const atOnce = 25_000;

/** 200 a row, 8 m by 50 m and a gap. */
function bay(index: number): FeatureInput {
  const [west, south] = [127 + (index % 200) * 1e-4, 37 + Math.floor(index / 200) * 6e-4];
  const [east, north] = [west + 9e-5, south + 4.5e-4];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [ring] },
    properties: { type: 'bay', name: `Bay ${index}`, unique_id: randomUUID() },
  };
}

async function makeMap(client: ServiceClient, count: number): Promise<string> {
  const made = await client.ask('POST', '/api/geo/designs', { name: `${count}`, lat: 37, lng: 127, zoom: 14 });
  const { map_uuid: geo_id } = made.body as { map_uuid: string }; // a design
  for (let from = 0; from < count; from += atOnce) {
    const added = Array.from({ length: Math.min(atOnce, count - from) }, (_, index) => bay(from + index));
    await client.ask('POST', '/api/geo/overlays/delta', { geo_id, added });
  }
  return geo_id;
}

/**
 * Has each page note when something of its map is seen: who looks from outside may come when the next picture is
 * painted.
 */
function noteFirstDraw(): void {
  const watch = new MutationObserver(() => {
    if (document.querySelector('.map-shapes[data-painted]') === null) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => Object.assign(globalThis, { firstDrawMs: performance.now() })));
  });
  watch.observe(document, { attributeFilter: ['data-painted'], subtree: true });
}

interface Task {
  from: number;
  ms: number;
}

/** Has each page note how long it stands still, if for 50 ms or longer. */
function noteTasks(): void {
  const tasks: Task[] = [];
  Object.assign(globalThis, { tasks });
  const note = (list: PerformanceObserverEntryList): void => {
    for (const { startTime, duration } of list.getEntries()) tasks.push({ from: startTime, ms: duration });
  };
  new PerformanceObserver(note).observe({ type: 'longtask', buffered: true });
}

/** The longest stand-still of a page from the first byte of its map until the list beside it is there, ms. */
async function longestTask(page: Page, map: string): Promise<number> {
  await page.getByRole('treeitem').first().waitFor();
  return page.evaluate((address) => {
    const { tasks } = globalThis as unknown as { tasks: Task[] }; // of noteTasks
    const reads = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith(address));
    const begun = Math.min(...reads.map((read) => (read as PerformanceResourceTiming).responseStart));
    return Math.max(0, ...tasks.filter(({ from }) => from >= begun).map(({ ms }) => ms));
  }, `/api/geo/designs/${map}`);
}

/**
 * From the request for the page, which the browser has, until something of the map is seen, and until all is counted
 * and its shapes are seen, ms.
 */
async function timeOpening(page: Page, url: string, count: number): Promise<{ first: number; whole: number }> {
  const from = performance.now();
  await page.goto(url);
  await page.getByText(`Shapes (${count.toLocaleString('en')})`).waitFor();
  await page.locator('.map-shapes[data-painted]').waitFor({ state: 'attached' });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  const whole = performance.now() - from;
  const first = await page.evaluate(() => (globalThis as unknown as { firstDrawMs: number }).firstDrawMs); // of noteFirstDraw
  return { first, whole };
}

/** A tool in the hand while what it is drawn to is gathered. */
async function holdTool(page: Page): Promise<void> {
  await page.locator('.map-page__canvas').press('r');
  await page.waitForTimeout(2_000);
  await page.locator('.map-page__canvas').press('Escape');
}

/** From the key of a tool until the next frame, ms; the longest of some. */
async function timeTool(page: Page): Promise<number> {
  await page.locator('.map-page__canvas').focus();
  return page.evaluate(async (times) => {
    const press = (key: string): boolean =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    let longest = 0;
    for (let at = 0; at < times; at += 1) {
      const from = performance.now();
      press('r');
      await frame();
      longest = Math.max(longest, performance.now() - from);
      press('Escape');
      await frame();
    }
    return longest;
  }, edits);
}

/** From an input of this kind until the frame after it, ms, while something is done to the map; the longest. */
async function timeAnswer(page: Page, kind: 'pointerdown' | 'pointermove', work: () => Promise<void>): Promise<number> {
  await page.evaluate((type) => {
    const answers: number[] = [];
    Object.assign(globalThis, { answers });
    const note = ({ timeStamp }: Event): void =>
      void requestAnimationFrame(() => setTimeout(() => answers.push(performance.now() - timeStamp)));
    addEventListener(type, note, { capture: true });
  }, kind);
  await work();
  const answered = (): Promise<number[]> =>
    page.evaluate(() => (globalThis as unknown as { answers: number[] }).answers); // of the page above
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  return Math.max(...(await answered()));
}

/**
 * The first corner of an outline, set by a click, and then the first move of one that stands, each on a map just
 * opened.
 */
async function timeEdits(page: Page, url: string, count: number): Promise<{ corner: number; move: number }> {
  await timeOpening(page, url, count);
  const canvas = page.locator('.map-page__canvas');
  await canvas.press('p');
  await page.mouse.move(700, 400);
  const corner = await timeAnswer(page, 'pointerdown', () => page.mouse.click(700, 400));
  await timeOpening(page, url, count);
  await page.getByRole('treeitem').first().click();
  await canvas.press('e');
  const handle = page.locator('.map-vertex--corner').first();
  await handle.hover();
  await page.mouse.down();
  const { x = 0, y = 0 } = (await handle.boundingBox()) ?? {};
  const move = await timeAnswer(page, 'pointermove', () => page.mouse.move(x + 30, y + 20, { steps: 5 }));
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/geo/overlays/delta'));
  await page.mouse.up();
  await saved;
  return { corner, move };
}

/** Times between frames while something is done to the map, ms. */
async function framesWhile(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { frameTimes: times });
    const step = (at: number): void => {
      times.push(at);
      if ((globalThis as unknown as { frameTimes: number[] }).frameTimes === times) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  await work();
  const times = await page.evaluate(() => {
    const { frameTimes } = globalThis as unknown as { frameTimes: number[] };
    Object.assign(globalThis, { frameTimes: [] });
    return frameTimes;
  });
  return times.slice(1).map((time, index) => time - (times[index] ?? time));
}

/** To and fro, with a hand that moves with the frames. */
async function dragMap(page: Page): Promise<void> {
  await page.mouse.move(700, 400);
  await page.mouse.down();
  for (let at = 0; at < 120; at += 1) await page.mouse.move(700 + 200 * Math.sin(at / 10), 400 + 80 * Math.cos(at / 7));
  await page.mouse.up();
}

/** Four levels in and out again by the wheel, each seen to its end. */
async function zoomMap(page: Page): Promise<void> {
  await page.mouse.move(700, 400);
  for (let at = 0; at < 8; at += 1) {
    await page.mouse.wheel(0, at < 4 ? -120 : 120);
    await page.waitForTimeout(450);
  }
}

/** How a map of many shapes opens, moves and is edited in a browser, at 1280 x 800, without a graphics card. */
export async function benchMapView(): Promise<Figure[]> {
  if (!hasBrowser()) return [];
  const service = await startService({ env: { ORANGERY_LOG_LEVEL: 'warn' } });
  const browser = await openBrowser(service.url);
  try {
    const client = await ServiceClient.setUp(service);
    const usual = await makeMap(client, sizes.usual);
    const large = await makeMap(client, sizes.large);
    client.close();
    // Moving as people have it, who mostly ask for no less motion.
    const { page } = await openPage(browser, {
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'no-preference',
    });
    await page.addInitScript(noteFirstDraw);
    await page.addInitScript(noteTasks);
    await page.goto(`${service.url}/maps/${usual}`);
    await page.getByLabel('User name').fill(admin.username);
    await page.getByLabel('Password', { exact: true }).fill(admin.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Shapes (10,000)').waitFor();
    const fluency = async (what: string, work: () => Promise<void>): Promise<Figure> => {
      await work();
      const frames = await framesWhile(page, work);
      const rate = (percent: number): string => `${Math.round(1000 / percentile(frames, percent))}`;
      const longest = `longest frame ${Math.round(Math.max(...frames))} ms`;
      return { what, value: `${rate(50)} frames/s median, ${rate(95)} at the 95th percentile, ${longest}` };
    };
    const figures: Figure[] = [];
    for (const [map, count] of [
      [usual, sizes.usual],
      [large, sizes.large],
    ] as const) {
      const areas = `${count.toLocaleString('en')} areas`;
      const times: Awaited<ReturnType<typeof timeOpening>>[] = [];
      const stills: number[] = [];
      for (let run = 0; run < openings; run += 1) {
        times.push(await timeOpening(page, `${service.url}/maps/${map}`, count));
        stills.push(await longestTask(page, map));
      }
      const [first, whole] = [times.map((one) => one.first), times.map((one) => one.whole)];
      figures.push(
        { what: `first draw of a map of ${areas}, median of ${openings}`, value: spread(first, 'ms') },
        { what: '… until all of it is read and drawn', value: spread(whole, 'ms') },
        { what: '… longest stand-still of the page meanwhile, from 50 ms', value: spread(stills, 'ms') },
        await fluency('… dragging it', () => dragMap(page)),
        await fluency('… zooming it', () => zoomMap(page)),
        await fluency('… with a tool in the hand', () => holdTool(page)),
        { what: `… a tool into the hand, longest of ${edits}`, value: `${Math.round(await timeTool(page))} ms` },
      );
      const { corner, move } = await timeEdits(page, `${service.url}/maps/${map}`, count);
      figures.push({
        what: '… the first corner of an outline / the first move of a corner of another, until the next frame',
        value: `${Math.round(corner)} / ${Math.round(move)} ms`,
      });
    }
    return figures;
  } finally {
    await browser.close();
    await service.stop();
    removeDataDirectory(service.dataDirectory);
  }
}
