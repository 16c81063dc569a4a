import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pressable } from '../../renderer/ui/notice-room.ts';
import { axeFindings } from '../support/axe.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { choose } from '../support/choose.ts';
import { MapHand } from '../support/map-hand.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

/** Runs in the page: what can be pressed beneath the short message. */
function coveredByNotice(what: string): (string | null)[] {
  const { left, right, top, bottom } = document.querySelector('.notice-bar')?.getBoundingClientRect() ?? new DOMRect();
  return [...document.querySelectorAll(what)]
    .filter((one) => one.closest('.notice-bar') === null && one.checkVisibility())
    .filter((one) => {
      const place = one.getBoundingClientRect();
      return place.left < right && place.right > left && place.top < bottom && place.bottom > top;
    })
    .map((one) => one.ariaLabel ?? one.textContent);
}

describe.skipIf(!hasBrowser())('the house editor', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let page: Page;
  let errors: string[];
  let story: Story;
  let address: string;

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'house-editor');
    await story.identify(client);
    const hand = new MapHand(page, service, client);
    const [shape] = await hand.stored(await hand.makeMap('Farm'));
    address = `${service.url}/houses/new?shape=${shape?.properties.unique_id}`;
  });

  afterAll(async () => {
    await browser?.close();
    client?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  const goTo = (step: string, shown = page): Promise<void> =>
    shown.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: step }).click();

  it('shows an arrow at each opening in the wind, from what is typed', async () => {
    await page.goto(address);
    await goTo('Openings');
    const rose = page.getByRole('img', { name: /^Air flow through the house by wind direction/ });
    const arrows = rose.locator('[data-direction]');
    await rose.waitFor();
    await page.getByText('typical side and ridge vents are assumed').waitFor();
    expect(await arrows.count()).toBe(3);
    const add = page.getByRole('button', { name: 'Add opening' });
    await add.click();
    await add.click();
    await expect.poll(() => arrows.count()).toBe(2);
    expect(await page.getByText('typical side and ridge vents are assumed').count()).toBe(0);
    // The drawn house lies east to west: its long sides look north and south.
    const ways = () => arrows.evaluateAll((all) => all.map((one) => one.getAttribute('data-direction')).sort());
    await page.getByRole('slider', { name: /^Wind direction/ }).fill('0');
    await expect.poll(ways).toEqual(['in', 'out']);
    const flow = page.locator('.wind__figure strong');
    const before = await flow.innerText();
    const area = page.getByRole('textbox', { name: 'Open area' }).first();
    await area.fill('2');
    await expect.poll(() => flow.innerText()).not.toBe(before);
    // While a number is being typed the last flows stay, faded.
    const typed = await flow.innerText();
    await area.fill('');
    await page.locator('.draft-wind--old').waitFor();
    expect(await flow.innerText()).toBe(typed);
    await area.fill('30');
    await page.locator('.draft-wind--old').waitFor({ state: 'detached' });
    errors.splice(0); // the loads of a house with an opening of no area were refused
    expect(await axeFindings(page, page.locator('.draft-wind'))).toEqual([]);
    await rose.scrollIntoViewIfNeeded();
    await story.picture('wind');
    expect(errors).toEqual([]);
  });

  it.each<[string, BrowserContextOptions]>([
    ['desktop-dark', { colorScheme: 'dark' }],
    ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
    ['phone-dark', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' }],
  ])('shows it on %s', async (name, options) => {
    const opened = await openPage(browser, { ...options, storageState: await page.context().storageState() });
    await opened.page.goto(address);
    await goTo('Openings', opened.page);
    const begins = () => opened.page.locator('.editor__steps').evaluate((one: HTMLElement) => one.offsetTop);
    const before = await begins();
    await opened.page.getByRole('button', { name: 'Add opening' }).click();
    await opened.page.getByText('Changed, not saved').waitFor();
    expect(await begins()).toBe(before);
    await opened.page.locator('.draft-wind').scrollIntoViewIfNeeded();
    await new Story(opened.page, `house-editor-${name}`).picture('wind');
    await opened.page.context().close();
  });

  it('keeps what was entered when another kind or structure is chosen, and takes the choice back', async () => {
    await page.goto(address);
    const [eave, ridge] = ['Eave height', 'Ridge height'].map((name) => page.getByRole('textbox', { name }));
    const covering = page.getByRole('combobox', { name: 'Covering', exact: true });
    const kind = page.getByRole('combobox', { name: 'Kind of house' });
    await goTo('Covering');
    await eave?.fill('2.7');
    const before = { ridge: await ridge?.inputValue(), covering: await covering.inputValue() };
    await goTo('Shape and name');
    await choose(kind, 'Venlo glasshouse');
    const notice = page.locator('.v-snackbar');
    await notice.getByText(/Filled in: Covering\. Kept as you entered: Eave height and Ridge height\./).waitFor();
    await story.picture('kept');
    expect(await page.evaluate(coveredByNotice, pressable)).toEqual([]);
    await goTo('Covering');
    expect(await eave?.inputValue()).toBe('2.7');
    expect(await ridge?.inputValue()).toBe(before.ridge);
    const venlo = await covering.inputValue();
    expect(venlo).not.toBe(before.covering);
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => covering.inputValue()).toBe(before.covering);
    expect(await eave?.inputValue()).toBe('2.7');

    await goTo('Structure');
    const bays = page.getByRole('textbox', { name: 'Number of bays' });
    await bays.fill('4');
    await page.getByText('Stand-alone').click();
    await notice.getByText('Kept as you entered: Eave height and Ridge height.').waitFor();
    await goTo('Shape and name');
    await page.getByRole('group', { name: 'Use the sizes of the outline' }).getByRole('button').first().click();
    await notice.getByText(/^Filled in: Number of bays/).waitFor();
    await notice.getByRole('button', { name: 'Undo' }).click();
    await goTo('Structure');
    expect(await bays.inputValue()).toBe('4');
    expect(await page.getByRole('radio', { name: 'Stand-alone' }).isChecked()).toBe(true);
    expect(errors).toEqual([]);
  });
});
