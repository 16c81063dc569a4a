import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockHolder } from '../../server/supervision/discovery.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { choose } from '../support/choose.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { liftLimits, ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';
import { mildYear } from '../support/mild-year.ts';

describe.skipIf(!hasBrowser())('from a clean machine to a heater switched on the map', () => {
  let service: RunningService;
  let browser: Browser;
  let page: Page;
  let errors: string[];
  let story: Story;
  let house = '';
  let deleted = '';
  // The page of a deleted house may read it once more while it goes; nothing else may fail.
  const unexpected = (): string[] => errors.filter((error) => deleted === '' || !error.includes(deleted));

  beforeAll(async () => {
    service = await startService();
    browser = await openBrowser(service.url);
    // With the motion that the other browser tests do without.
    ({ page, errors } = await openPage(browser, { reducedMotion: 'no-preference' }));
    story = new Story(page, 'story');
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  it('makes the first administrator, takes the simulated greenhouse and lands on the house that runs', async () => {
    await story.makeAdministrator(service);
    await story.nameSite('Suwon farm');
    await page.getByText('Start with the simulated greenhouse').waitFor();
    await page.waitForURL(/step=devices/);
    await page.reload();
    await story.startSimulated();
    expect(unexpected()).toEqual([]);
  });

  it('deletes that house, which lets its devices go', async () => {
    deleted = new URL(page.url()).pathname.replace('/houses/', '');
    await page.getByRole('button', { name: /^More/ }).click();
    await page.getByRole('listitem').filter({ hasText: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Move to trash' }).click();
    await page.waitForURL(/\/houses$/);
    expect(unexpected()).toEqual([]);
  });

  it('draws a site and a house, and the map saves itself', async () => {
    await page.goto(`${service.url}/maps`);
    await page
      .locator('#content') // the bar has a link of that name, there before the maps are
      .getByRole('link', { name: /Suwon farm/ })
      .click();
    await page.getByText('Shapes (1)').waitFor();
    await story.drawRectangle('Home field', [480, 150], [1250, 820]);
    await story.drawRectangle('House 1', [650, 250], [690, 380]);
    await story.saved();
    await page.getByText('Shapes (3)').waitFor();
    expect(unexpected()).toEqual([]);
  });

  it('sees area, volume and loads change while the house is filled in', async () => {
    await page.getByRole('link', { name: 'Set up house' }).click();
    await story.next();
    await page.getByText('Stand-alone').click();
    await page.getByRole('textbox', { name: 'Number of bays' }).fill('1');
    await page.getByRole('textbox', { name: 'Width of one bay' }).fill('8');
    await page.getByRole('textbox', { name: 'Length' }).fill('50');
    await expect.poll(() => story.figure('area_m2')).toBe('400 m²');
    await story.picture('structure');
    await story.next();
    await page.getByRole('textbox', { name: 'Eave height' }).fill('2.5');
    await page.getByRole('textbox', { name: 'Ridge height' }).fill('4');
    await expect.poll(() => story.figure('volume_m3')).toBe('1,300 m³');
    const [heating, cooling] = [await story.figure('heating_load_kw'), await story.figure('cooling_load_kw')];
    await choose(page.getByRole('combobox', { name: 'Covering', exact: true }), /^Glass.*single/);
    await expect.poll(() => story.figure('heating_load_kw')).not.toBe(heating);
    await expect.poll(() => story.figure('cooling_load_kw')).not.toBe(cooling);
    await page.getByRole('option').first().waitFor({ state: 'hidden' });
    await story.picture('covering');
  });

  it('works out a year of it, and what a screen would save', async () => {
    await page.getByRole('button', { name: 'Yearly calculation' }).click();
    await page.getByRole('button', { name: 'Heat in a year' }).click();
    await page.getByText('Full-load hours').waitFor();
    await story.picture('study-year');
    const weather = page.getByRole('combobox', { name: 'Weather' });
    await page
      .locator('input[type=file]')
      .setInputFiles([{ mimeType: 'text/csv', name: 'mild.csv', buffer: Buffer.from(mildYear) }]);
    await expect.poll(() => weather.inputValue()).toBe('mild.csv');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => weather.inputValue()).toBe('Generated from climate normals');
    await page.getByRole('button', { name: 'Covering and curtains' }).click();
    await page.getByText('Thermal curtain under the roof').waitFor();
    await page.getByRole('button', { name: 'Covering and curtains' }).scrollIntoViewIfNeeded();
    await story.picture('study-covering');
    await page.getByRole('button', { name: 'Yearly calculation' }).click();
    expect(unexpected()).toEqual([]);
  });

  it('binds sensors and actuators by role and opens the house on live values', async () => {
    await story.next();
    await story.next();
    await page.getByRole('button', { name: 'Suggest from the devices' }).click();
    await page.getByText('Simulated indoor climate · Temperature').waitFor();
    await story.picture('sensors');
    await story.next();
    await page.getByText('Simulated heater').waitFor();
    await story.picture('actuators');
    await story.next();
    await story.picture('review');
    await page.getByRole('button', { name: 'Create house' }).first().click();
    await page.waitForURL(/\/houses\/[0-9a-f-]{36}$/);
    house = page.url();
    await expect.poll(() => temperature()).toBeGreaterThan(-40);
    await story.picture('house');
    expect(unexpected()).toEqual([]);
  });

  it('reads the whole calculation as a report', async () => {
    await page.getByRole('link', { name: 'Calculation' }).click();
    await page.getByRole('heading', { name: 'Snow and wind' }).waitFor();
    await page.getByText('Days generated to match the means of').first().waitFor();
    await story.picture('report');
    await page.goBack();
    await page.getByRole('button', { name: 'Heater: Turn on' }).waitFor();
    expect(unexpected()).toEqual([]);
  });

  it('switches the heater on, sees it confirmed and the temperature rise', async () => {
    const client = await ServiceClient.withNewKey(service);
    await liftLimits(client);
    client.close();
    await expect.poll(temperature).toBeGreaterThan(-40); // it is there again
    const before = await temperature();
    await page.getByRole('button', { name: 'Heater: Turn on' }).click();
    await page.getByText(/Manual · grower/).waitFor();
    await story.picture('heater-on');
    await expect.poll(() => temperature(), { timeout: 60_000, interval: 500 }).toBeGreaterThan(before);
    await story.picture('warmer');
    expect(unexpected()).toEqual([]);
  });

  it('closes the page, comes back, and it is all there', async () => {
    await page.context().close();
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'return');
    await story.logIn(house);
    await page.getByRole('heading', { name: 'House 1' }).waitFor();
    await page.getByText(/Manual · grower/).waitFor();
    await story.picture('house');
    await page.getByRole('link', { name: 'Show on map' }).click();
    await page.getByText('Shapes (3)').waitFor();
    await page.locator('.map-shapes[data-painted]').waitFor(); // by a worker, after the names
    await story.picture('map');
  });

  it('says what happened when the daemon was killed, with the heater off first', async () => {
    await page.goto(house);
    await page.getByText(/Manual · grower/).waitFor();
    await page.keyboard.press('Control+k'); // with the focus on nothing yet
    await page.getByRole('combobox', { name: 'Go to' }).fill('House 1');
    await page
      .getByRole('option', { name: /House 1/ })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    const killed = lockHolder(service.dataDirectory);
    expect(killed).toBeGreaterThan(0);
    process.kill(Number(killed), 'SIGKILL');
    await page
      .getByText(/restarted/i)
      .first()
      .waitFor();
    await story.picture('daemon-restarted');
    await expect.poll(() => page.getByText(/Manual · grower/).count()).toBe(0);
    expect(lockHolder(service.dataDirectory)).not.toBe(killed);
  });

  it('runs a tomato program in the house that was drawn', async () => {
    await page.goto(`${house}/climate`);
    await choose(page.getByRole('combobox', { name: 'Crop', exact: true }), 'Tomato');
    await page.getByRole('button', { name: 'Add to draft' }).click();
    await page.getByRole('button', { name: 'Start the program' }).click();
    await page.getByText('What it does now').waitFor();
    // It looks every 30 s, and says what it sees and why.
    await page.getByText(/^Vents .*\d\s°C/).waitFor({ timeout: 90_000 });
    await page.getByText(/^(Heat \d+\s%|No heat)/).waitFor();
    await story.picture('program');
  }, 180_000);

  /** The indoor temperature on the house's page, °C. */
  async function temperature(): Promise<number> {
    const text = await page.locator('[data-role=indoor_temp] .value__text').innerText();
    return Number.parseFloat(text);
  }
});
