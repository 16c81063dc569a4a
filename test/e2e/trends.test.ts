import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../server/contract/output.ts';
import { forecastAsked, forecastVariables } from '../../server/contract/proxy.ts';
import { defaultSettings } from '../../server/services/setting/defaults.ts';
import { RelayCache } from '../../server/tiles/relay-cache.ts';
import { forecastQuestion } from '../../server/upstream/openmeteo.ts';
import { publicUpstreams } from '../../server/upstream/upstreams.ts';
import { atRest, expectNoWider } from '../support/at-rest.ts';
import { axeFindings } from '../support/axe.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { marksOf, samplesOf, writeHistory } from '../support/history.ts';
import {
  cutNetworkBy,
  freshDataDirectory,
  removeDataDirectory,
  startService,
  type RunningService,
} from '../support/running-service.ts';
import { makeSimulatedHouse, makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

const hourMs = 3_600_000;
const dataDirectory = freshDataDirectory();
const nowMs = Math.floor(Date.now() / hourMs) * hourMs;
const ago = (hours: number): number => nowMs - hours * hourMs;
/** Nothing was measured from eight hours ago until four hours ago. */
const stretches = [
  { from_ms: ago(12), to_ms: ago(8) },
  { from_ms: ago(4), to_ms: ago(0) },
];

const longName = 'The long propagation house beside the river, second from the north gate';
/** Somebody else who may see trends. */
const neighbour = { username: 'neighbour', password: 'orchids-over-the-fence' };

/** What the service was told of the weather three hours ago: 12.5 degrees from then on. */
function writeForecast(): void {
  const { lat: latitude, lng: longitude } = defaultSettings('UTC');
  const query = { latitude, longitude, ...forecastAsked };
  const { upstream, path, keep_ms } = forecastQuestion(publicUpstreams(), query, undefined);
  const times = Array.from({ length: 96 }, (_, at) => new Date(ago(3 - at)).toISOString().slice(0, 16));
  const hourly = { time: times, ...Object.fromEntries(forecastVariables.map((name) => [name, times.map(() => 12.5)])) };
  const body = Buffer.from(JSON.stringify({ latitude, longitude, hourly }));
  const cache = new RelayCache({ file: join(dataDirectory, 'relay-cache.db'), now: () => Date.now() - 3 * hourMs });
  cache.put(`${upstream.id} ${upstream.origin}${path}`, { body, type: 'application/json' }, keep_ms);
  cache.close();
}

/** On paper: the site and the time above, the time beside each value, nothing to press, on so many pages at most. */
async function expectPaper(page: Page, most: number): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.locator('.paper-head', { hasText: /^.+Printed .+ \d\d:\d\d$/ }).waitFor();
  expect(await page.locator('.v-btn:visible, input:visible').count()).toBe(0);
  expect(await page.getByText('now', { exact: true }).count()).toBe(0);
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(most);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
}

describe.skipIf(!hasBrowser())('trends, in the page', () => {
  let service: RunningService;
  let browser: Browser;
  let page: Page;
  let errors: string[];
  let story: Story;
  let site: SimulatedSite;
  let series = '';

  beforeAll(async () => {
    service = await startService({ dataDirectory });
    const client = await ServiceClient.setUp(service);
    site = await makeSimulatedSite(client);
    const second = await makeSimulatedHouse(client, site.map_uuid, { name: 'South' }, 2);
    const { facility } = await makeSimulatedHouse(client, site.map_uuid, { name: 'North' }, 3);
    await client.ask('POST', '/api/geo/facility', { unique_id: facility.unique_id, name: longName });
    await client.ask('POST', '/api/settings/users', { ...neighbour, role: 'Kiosk' });
    await service.stop();
    client.close();
    const [indoor] = site.inputs;
    const [heater, fan] = site.outputs;
    const [south] = second.inputs;
    if (indoor === undefined || south === undefined || heater === undefined || fan === undefined)
      throw new Error('no simulated devices');
    const wave = (about: number, by: number) => (atMs: number) => about + by * Math.sin(atMs / hourMs);
    const samples = stretches.flatMap((span) => [
      ...samplesOf(indoor, 0, span, wave(20, 5)),
      ...samplesOf(indoor, 1, span, wave(70, -5)), // no line hides the other
      ...samplesOf(south, 0, span, wave(17, 5)),
      ...samplesOf(south, 1, span, wave(80, -5)),
    ]);
    const marks = [
      ...marksOf(heater.unique_id, 100, { from_ms: ago(12), to_ms: ago(10) }),
      ...marksOf(heater.unique_id, 0, { from_ms: ago(10), to_ms: ago(8) }),
      ...marksOf(heater.unique_id, null, { from_ms: ago(4), to_ms: ago(3) }),
      ...marksOf(fan.unique_id, 40, { from_ms: ago(9), to_ms: ago(3) }),
    ];
    await writeHistory(dataDirectory, samples, marks);
    writeForecast();
    const cutFile = join(dataDirectory, 'cut-network');
    writeFileSync(cutFile, '');
    service = await startService({ dataDirectory, env: cutNetworkBy(cutFile) });
    series = [0, 1].map((at) => `${indoor.unique_id}/${indoor.channels[at]?.measurement_id}`).join(',');
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'trends');
    await story.enter(service.url, client);
    await page.getByRole('link', { name: 'Trends' }).click();
    await page.getByText('No channel chosen yet').waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    removeDataDirectory(dataDirectory);
  });

  /** Of the site and its span. */
  const fileName = (ending: string): RegExp =>
    new RegExp(`^Orangery \\d{4}-\\d\\d-\\d\\d \\d{4} - \\d{4}-\\d\\d-\\d\\d \\d{4}\\.${ending}$`);
  const chart = () => page.locator('.chart');
  const spanOf = () => {
    const query = new URL(page.url()).searchParams;
    return { from: Number(query.get('from')), to: Number(query.get('to')) };
  };
  const length = () => spanOf().to - spanOf().from;

  /** Pixels in the colour of the first line, in the column of a moment. */
  async function inkAt(atMs: number): Promise<number> {
    const { from, to } = spanOf();
    return page.evaluate(
      (share) => {
        const canvas = document.querySelector<HTMLCanvasElement>('.chart canvas');
        const plot = document.querySelector('.chart .u-over')?.getBoundingClientRect();
        if (canvas === null || plot === undefined) return -1;
        const frame = canvas.getBoundingClientRect();
        const scale = canvas.width / frame.width;
        const x = Math.round((plot.left - frame.left + share * plot.width) * scale);
        const data = canvas.getContext('2d')?.getImageData(x - 1, 0, 3, canvas.height).data ?? [];
        let count = 0;
        for (let at = 0; at < data.length; at += 4) {
          if ((data[at] ?? 255) < 60 && (data[at + 2] ?? 0) > 120 && (data[at + 3] ?? 0) > 120) count += 1;
        }
        return count;
      },
      (atMs - from) / (to - from),
    );
  }

  it('draws lines over a span that the address names, and leaves the gap open', async () => {
    await page.goto(`${service.url}/trends?series=${series}&from=${ago(12)}&to=${ago(0)}`);
    await expect.poll(() => page.locator('.legend tbody tr').count()).toBe(2);
    const drawn = async () => [await inkAt(ago(10)), await inkAt(ago(2)), await inkAt(ago(6))].map((ink) => ink > 0);
    await expect.poll(drawn).toEqual([true, true, false]);
    await story.picture('gap');
    expect(errors).toEqual([]);
  });

  it('goes on with the time on the same plot', async () => {
    await page.goto(`${service.url}/trends?series=${series}`);
    const answered = page.waitForResponse(/\/api\/measurements\/(multi|aggregated)/);
    await page.getByRole('button', { name: '1 h', exact: true }).click();
    await expect.poll(length).toBe(hourMs);
    await answered;
    const goesOn = async (): Promise<void> => {
      const { to } = spanOf();
      await expect.poll(() => spanOf().to, { timeout: 30_000 }).toBeGreaterThan(to);
    };
    await goesOn();
    await page.locator('.chart .uplot').evaluate((plot) => plot.setAttribute('data-first', ''));
    await goesOn();
    expect(await page.locator('.chart .uplot[data-first]').count()).toBe(1);
    await page.goto(`${service.url}/trends?series=${series}&from=${ago(12)}&to=${ago(0)}`);
    await expect.poll(() => page.locator('.legend tbody tr').count()).toBe(2);
  });

  it('says the values under the pointer, and none in a gap', async () => {
    const box = await atRest(() => page.locator('.chart .u-over').boundingBox());
    if (box === null) throw new Error('no plot');
    const first = page.locator('.legend tbody tr').first().locator('strong');
    await page.mouse.move(box.x + box.width / 6, box.y + 60);
    await expect.poll(() => first.innerText()).toMatch(/^[\d.]+\s°C$/);
    await page.mouse.move(box.x + box.width / 2, box.y + 60);
    await expect.poll(() => first.innerText()).toBe('–');
  });

  it('shows in which states outputs were, each kind in its own look', async () => {
    const [heater, fan] = site.outputs;
    for (const output of [heater, fan]) {
      await page
        .locator('.picker')
        .getByText(output?.name ?? '', { exact: true })
        .click();
    }
    const strip = (id: string | undefined) => page.locator(`[data-strip="${id}/0"]`);
    // Each strip comes when its own states have come.
    await strip(heater?.unique_id).locator('.strips__unknown').waitFor();
    await strip(fan?.unique_id).locator('.strips__position').waitFor();
    const count = (output: Output | undefined, look: string) =>
      strip(output?.unique_id).locator(`.strips__${look}`).count();
    await expect
      .poll(async () => [await count(heater, 'on'), await count(heater, 'off'), await count(fan, 'position')])
      .toEqual([1, 1, 1]);
    const aside = async (): Promise<number> => {
      const [track, plot] = await Promise.all([
        strip(fan?.unique_id).locator('.strips__track').boundingBox(),
        page.locator('.chart .u-over').boundingBox(),
      ]);
      if (track === null || plot === null) return Infinity;
      return Math.max(Math.abs(track.x - plot.x), Math.abs(track.width - plot.width));
    };
    await expect.poll(aside).toBeLessThanOrEqual(1);
    await story.picture('outputs');
    expect(errors).toEqual([]);
  });

  it('zooms by the wheel about the pointer', async () => {
    const before = length();
    await chart().hover();
    await page.mouse.wheel(0, -200);
    await expect.poll(length).toBeLessThan(before);
    await page.mouse.wheel(0, 200);
    await expect.poll(length).toBeGreaterThanOrEqual(before - 1000);
  });

  it('is worked by the keyboard: along, closer, and a note at a marked moment', async () => {
    const before = spanOf();
    await chart().press('ArrowLeft');
    await expect.poll(() => spanOf().from).toBeLessThan(before.from);
    await chart().press('+');
    await expect.poll(length).toBeLessThan(before.to - before.from - hourMs);
    for (let step = 0; step < 3; step += 1) await chart().press('ArrowLeft'); // the middle was in the gap
    await expect.poll(() => spanOf().from + length() / 2).toBeLessThan(ago(8.5));
    await chart().press('Shift+ArrowLeft');
    await page.locator('.marks__moment').waitFor();
    await expect
      .poll(() => page.locator('.legend [role=status]').innerText())
      .toMatch(/^Marked: .*, Temperature .*: [\d.]+\s°C, /);
    await chart().press('n');
    await page.getByLabel('What happened').fill('Screens closed by hand');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: /^Note at .*Screens closed by hand/ }).click();
    await page.getByText('grower,').waitFor();
    await story.picture('note');
    await page.keyboard.press('Escape');
    expect(errors).toEqual([]);
  });

  it('downloads what was measured as CSV', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    const [heater, fan] = site.outputs;
    expect(lines[0]).toMatch(
      new RegExp(`\\(°C\\),.*,Heater · ${heater?.name} \\(100 % = on\\),Fan · ${fan?.name} \\(100 % = on\\)$`),
    );
    expect(lines[0]).toMatch(/^Time \(.+\),Offset from UTC \(h\),/);
    for (const line of lines.slice(1))
      expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,-?\d+(\.\d+)?(,(-?\d+(\.\d{1,2})?)?)+$/);
    expect(lines.slice(1).some((line) => line.endsWith(',40'))).toBe(true); // where the fan stood
    expect(download.suggestedFilename()).toMatch(fileName('csv'));
    expect(lines.length).toBeGreaterThan(60);
  });

  it('keeps a view under a name, lays the day before beside it, and saves a picture', async () => {
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByText('Save this view').click();
    await page.getByLabel('Name of the view').fill('Air of the day');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('View saved.').first().waitFor();
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByText('Save this view').click();
    await page.getByLabel('Name of the view').fill('Air of the day');
    await page.getByRole('button', { name: 'Replace', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByLabel('Compare with').selectOption({ label: 'the day before' });
    await page.waitForURL(/compare=day/);
    await page.goto(`${service.url}/trends`);
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByText('Air of the day').click();
    await expect.poll(() => page.locator('.legend tbody tr').count()).toBe(2);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save picture' }).click(),
    ]);
    expect(
      readFileSync(await download.path())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(download.suggestedFilename()).toMatch(fileName('png'));
    expect(errors).toEqual([]);
  });

  it('has menus for the keys and for screen readers', async () => {
    const focused = () => page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
    const views = page.getByRole('button', { name: 'Saved views' });
    await views.press('Enter');
    const menu = page.locator('.v-overlay--active .v-overlay__content');
    await menu.getByText('Air of the day').waitFor();
    await story.picture('views');
    expect(await axeFindings(page, menu)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toContain('Air of the day');
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Share view Air of the day');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await expect.poll(focused).toContain('Saved views');
    const compare = page.getByLabel('Compare with');
    await compare.press('ArrowDown');
    await page.waitForURL(/compare=/);
    expect(await axeFindings(page, page.locator('.tools'))).toEqual([]);
  });

  it('names a house with a long name within a phone', async () => {
    const size = page.viewportSize();
    await page.goto(`${service.url}/trends?series=${series}`);
    const compare = page.getByLabel('Compare with');
    await compare.selectOption({ label: longName });
    expect(await compare.locator('optgroup option').allInnerTexts()).toEqual(['House 2', longName]); // not itself
    await page.locator('.legend').getByText(longName).first().waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoWider(page);
    await story.picture('long-name-phone');
    // The button that shows the chart covers no channel that the keys come to, and hands the focus to what opened it.
    const opener = page.getByRole('button', { name: 'Choose channels' });
    await opener.click();
    const last = page.locator('.picker').getByRole('checkbox').last();
    const done = page.getByRole('button', { name: 'Show the chart' });
    await done.focus();
    await page.locator('.picker').evaluate((picker) => picker.scrollTo(0, 0));
    await page.keyboard.press('Shift+Tab');
    const [box, above] = await atRest(() => Promise.all([last.boundingBox(), done.boundingBox()]));
    expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThanOrEqual(above?.y ?? NaN);
    await done.press('Enter');
    await done.waitFor({ state: 'hidden' });
    expect(await opener.evaluate((one) => one === document.activeElement)).toBe(true);
    if (size !== null) await page.setViewportSize(size);
  });

  it('compares two houses, and the saved view comes back the same, also for somebody else', async () => {
    // A view that ends about now would follow it instead of keeping its dates.
    await page.goto(`${service.url}/trends?series=${series}&from=${ago(12)}&to=${ago(1)}`);
    await page.getByLabel('Compare with').selectOption({ label: 'House 2' });
    const rows = (of: Page) => of.locator('.legend tbody tr');
    const houses = async (of: Page) => (await rows(of).allInnerTexts()).map((text) => /House \d/.exec(text)?.[0]);
    await expect.poll(() => houses(page)).toEqual(['House 1', 'House 2', 'House 1', 'House 2']);
    await page.getByRole('button', { name: 'Hide Humidity' }).click();
    await page.getByLabel('Degree hours above').fill('4.5');
    await page.getByLabel('Degree hours above').press('Enter');
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByText('Save this view').click();
    await page.getByLabel('Name of the view').fill('Neighbours');
    await page.getByRole('checkbox', { name: 'Let everyone who sees trends open it' }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('View saved.').first().waitFor();
    await story.picture('houses');
    const seen = async (of: Page) => ({ query: new URL(of.url()).search, table: await rows(of).allInnerTexts() });
    const before = await seen(page);
    const least = before.table.map((row) => Number(row.split('\t')[4]));
    expect((least[0] ?? 0) - (least[1] ?? 0)).toBeCloseTo(3, 0); // House 2 is so much colder
    await page.reload();
    await expect.poll(() => seen(page)).toEqual(before);

    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save CSV' }).click();
    const [columns = '', ...lines] = readFileSync(await (await downloading).path(), 'utf8').split(/\r?\n/);
    expect(columns.match(/Greenhouse|South/g)).toEqual(['Greenhouse', 'Greenhouse', 'South', 'South']);
    expect(lines[0]?.split(',').every((cell) => cell !== '')).toBe(true);

    const { page: other, errors: others } = await openPage(browser);
    await new Story(other, 'trends-neighbour').logIn(service.url, neighbour);
    await other.getByRole('link', { name: 'Trends' }).click();
    await other.getByRole('button', { name: 'Saved views' }).click();
    others.splice(0);
    await other.getByText('Neighbours').click();
    await expect.poll(() => seen(other)).toEqual(before);
    await other.getByRole('button', { name: 'Saved views' }).click();
    await other.getByText('Shared by grower').waitFor();
    expect(await other.getByRole('button', { name: 'Delete view Neighbours' }).count()).toBe(0);
    expect([...others, ...errors]).toEqual([]);
    await other.context().close();
  });

  it('draws the forecast of before the restart ahead of now, and says how old it is', async () => {
    await page.goto(`${service.url}/trends?series=${series}`);
    await page.getByRole('checkbox', { name: 'Forecast' }).check();
    await page.waitForURL(/forecast=on/);
    const told = page.getByRole('group', { name: 'Forecast' });
    await told.getByText(/^Old forecast, from .* \(3 h ago\)/).waitFor();
    await told.getByText('Dashed lines: weather expected outdoors.').waitFor();
    await expect.poll(() => page.locator('.legend tbody tr').count()).toBe(2);
    // A chart that is drawn anew under the pointer says the same of it.
    await page.locator('.chart .u-over').hover({ position: { x: 600, y: 60 } });
    await told.getByText('Temperature °C: 12.5').waitFor();
    await story.picture('forecast');
    await page.reload();
    await told.getByText(/^Old forecast/).waitFor();
    await page.getByRole('checkbox', { name: 'Forecast' }).uncheck();
    await told.waitFor({ state: 'hidden' });
    expect(errors).toEqual([]);
  });

  it('is printed on one page, without what belongs to the screen', async () => {
    await page.emulateMedia({ media: 'print' });
    await page.locator('.picker').waitFor({ state: 'hidden' });
    await page.locator('.legend').waitFor();
    await expectPaper(page, 1);
    await page.emulateMedia({ media: 'screen' });
  });

  it('stays laid out for paper on a phone, which does not wait, until it has printed', async () => {
    const size = page.viewportSize() ?? { width: 1440, height: 900 };
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => Object.assign(window, { print: () => undefined }));
    await page.getByRole('button', { name: 'Print' }).click();
    const paper = page.locator('.trends--printed');
    await paper.waitFor();
    const width = () => page.locator('.trends__chart canvas').evaluate((drawn) => drawn.clientWidth);
    await expect.poll(width).toBeGreaterThan(600); // as wide as the sheet, not as the phone
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await paper.waitFor({ state: 'detached' });
    await expect.poll(width).toBeLessThan(390);
    await page.setViewportSize(size);
  });

  it('is one click from the readings of a house', async () => {
    await page.goto(`${service.url}/houses/${site.facility.unique_id}`);
    await page.getByRole('link', { name: 'Trends: Indoors' }).click();
    await page.waitForURL((url) => url.pathname === '/trends' && (url.searchParams.get('series') ?? '').includes(','));
    await expect.poll(() => page.locator('.legend tbody tr').count()).toBe(3);
    await page.goBack();
    await page.getByText(/^Old forecast, from .* \(3 h ago\)/).scrollIntoViewIfNeeded();
    await story.picture('house-forecast');
    await page.emulateMedia({ media: 'print' });
    await expectPaper(page, 3);
    await page.emulateMedia({ media: 'screen' });
    expect(errors).toEqual([]);
  });
});
