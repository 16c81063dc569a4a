import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atRest } from '../support/at-rest.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import {
  freshDataDirectory,
  removeDataDirectory,
  startService,
  type RunningService,
} from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';
import { localOf, momentOf, Week } from '../support/week.ts';
import { indoorId, outputIds, sensor } from '../support/week-site.ts';

const minutes = 60_000;
/**
 * The last 29 March: a day that is heated in the morning and vented at noon, and whose readings are not given up yet.
 */
const [year = '', ...date] = localOf(Date.now()).slice(0, 10).split('-');
const spring = `${date.join('-') > '03-29' ? year : Number(year) - 1}-03-29`;
const at = (time: string): number => momentOf(`${spring}T${time}`);
const dead = { from_ms: at('09:20'), to_ms: at('10:00') };
const storm = { from_ms: at('14:30'), to_ms: at('15:00') };
const endMs = at('16:00');

/**
 * A day as `week.test.ts` has them, under a real daemon on a fast clock, then looked at in the pages of a real service.
 */
describe.skipIf(!hasBrowser())('what a house did by itself, as it is seen afterwards', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let page: Page;
  let story: Story;
  let errors: string[];

  beforeAll(async () => {
    const week = new Week(at('05:00'));
    await week.start();
    await week.until(dead.from_ms);
    await week.set({ input: sensor('indoor', { kind: 'silent' }) });
    await week.until(dead.to_ms);
    await week.set({ input: sensor('indoor') });
    await week.until(storm.from_ms);
    week.equipment.wind_m_s = 22;
    await week.until(storm.to_ms);
    week.equipment.wind_m_s = null;
    await week.until(endMs);
    await week.stop();
    const dataDirectory = freshDataDirectory();
    await week.keepHistory(dataDirectory);
    service = await startService({ dataDirectory });
    client = await ServiceClient.setUp(service);
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'week');
    await story.enter(service.url, client);
    await page.getByRole('link', { name: 'Control', exact: true }).click();
    await page.getByText('What drives what').waitFor();
  }, 10 * minutes);

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  it('draws temperature and actuators, and names the rule and the numbers behind each switch', async () => {
    const temperature = sensor('indoor').channels[0]?.measurement_id;
    const outputs = (['heater', 'roof_vent', 'valve'] as const).map((part) => `${outputIds[part]}/0`);
    const span = `from=${at('05:00')}&to=${endMs}`;
    await page.goto(`${service.url}/trends?series=${indoorId}/${temperature}&outputs=${outputs.join(',')}&${span}`);
    const listOf = async (part: keyof typeof outputIds): Promise<string[]> => {
      await page
        .locator(`[data-strip="${outputIds[part]}/0"]`)
        .getByRole('button', { name: /^Switches of / })
        .click();
      const table = page.getByRole('table', { name: /^Switches of / });
      await table.waitFor();
      return atRest(() => table.getByRole('row').allInnerTexts());
    };
    const water = await listOf('valve');
    expect(water.filter((row) => row.includes('On'))).toHaveLength(3); // at 8, 11 and 14
    expect(water.find((row) => row.includes('On'))).toMatch(/Trigger “valve \d” · time of day, /);
    await story.picture('water');
    await page.goto(`${service.url}/trends?outputs=${outputs[0]}&from=${at('05:00')}&to=${at('06:00')}`);
    const heat = await listOf('heater');
    expect(heat.some((row) => /On.*PID “Heating” · .* °C - .* K; P .* I .* = /.test(row.replaceAll(/\s/g, ' ')))).toBe(
      true,
    );
    await story.picture('heat');
    await page.goto(`${service.url}/trends?outputs=${outputs[1]}&from=${at('14:00')}&to=${storm.to_ms}`);
    const vent = await listOf('roof_vent');
    expect(vent.some((row) => /PID “Venting” · /.test(row))).toBe(true);
    expect(vent.some((row) => row.includes('Held closed: wind'))).toBe(true);
    await story.picture('vents');
    expect(errors).toEqual([]);
  });

  it('lists the alarms of the day', async () => {
    await page.goto(`${service.url}/alarms/journal`);
    await page.getByText('indoor').first().waitFor();
    await story.picture('alarms');
    const told = await atRest(() => page.locator('main').innerText());
    for (const name of ['Heating', 'Venting', 'indoor']) expect(told).toContain(name);
    expect(told).toContain('Held closed: wind, although commanded otherwise: roof_vent');
    expect(errors).toEqual([]);
  });

  it('shows what drives what now, with the controllers of that day', async () => {
    await page.goto(`${service.url}/control`);
    for (const name of ['Heating', 'Venting', 'CO2', 'Fog'])
      await page.getByText(name, { exact: true }).first().waitFor();
    await story.picture('control');
    expect(errors).toEqual([]);
  });
});
