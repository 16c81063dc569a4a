import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '../../server/contract/input.ts';
import type { Output } from '../../server/contract/output.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { choose } from '../support/choose.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { makeSimulatedSite, ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

describe.skipIf(!hasBrowser())('alarms, in the page', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let page: Page;
  let story: Story;
  let errors: string[];
  let valve: Output;

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'alarms');
    await story.enter(service.url, client);
    await page.getByRole('link', { name: 'Alarms' }).click();
    await page.getByText('No alarms', { exact: true }).waitFor();
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  const addSilent = (name: string) =>
    client.ask('POST', '/api/settings/inputs', {
      name,
      driver: 'simulated',
      period_s: 1,
      options: { fault: { kind: 'silent' } },
    });
  const card = (code: string) => page.locator(`[data-code=${code}]`).first();

  it('appear by themselves, with a count in the navigation', async () => {
    const fault = { kind: 'refuses' };
    const made = await client.ask('POST', '/api/settings/outputs', {
      name: 'Valve 3',
      driver: 'simulated',
      options: { fault },
    });
    valve = made.body as Output; // as declared
    for (const name of ['Probe 7', 'Probe 8']) await addSilent(name);
    await client.ask('POST', `/api/outputs/${valve.unique_id}`, { state: true }).catch(() => undefined); // it refuses
    await card('command_failed').waitFor();
    await expect.poll(() => card('command_failed').innerText()).toContain('Valve 3');
    // That nobody knows its state now follows from that; the list stands still until it is opened again.
    const followed = async (): Promise<number> => {
      const { body } = await client.ask('GET', '/api/alarms?state=suppressed');
      return (body as { alarms: unknown[] }).alarms.length; // as declared
    };
    await expect.poll(followed).toBeGreaterThan(0);
    await page.reload();
    await page.locator('article').getByText('Affected by the above: 1').first().waitFor();
    expect(await page.locator('article[data-code=output_unknown]').count()).toBe(0);
    await card('controller_down').waitFor();
    await page.locator('.rail__badge').waitFor();
    await story.picture('active');
    expect(errors).toEqual([]);
  });

  it('of a house say value and limit in the language of the page', async () => {
    const { inputs } = await makeSimulatedSite(client);
    const indoor = inputs[0] as Input; // the first is the climate inside
    const fault = { kind: 'gain', factor: 0.02 }; // frost in any season
    await client.ask('PATCH', `/api/settings/inputs/${indoor.unique_id}`, { options: { fault } });
    await card('frost').waitFor();
    await expect.poll(() => card('frost').innerText()).toMatch(/°C, below 2\.0\s°C/);
    await story.picture('frost');
  });

  it('are found by words, by severity and by place', async () => {
    // Consequences count with the alarm above them.
    const count = (): Promise<number> => page.locator('article[data-code]').count();
    /** Whether as many are shown as a choice says there are: others may come at any time. */
    const isAllOf = async (choice: RegExp): Promise<boolean> => {
      const [, told] = /\((\d+)\)/.exec(await page.getByText(choice).innerText()) ?? [];
      return (await count()) === Number(told);
    };
    await page.getByRole('textbox', { name: 'Search alarms' }).fill('valve 3');
    await expect.poll(() => page.locator('article[data-code]').filter({ hasNotText: 'Valve 3' }).count()).toBe(0);
    await card('command_failed').waitFor();
    await page.getByRole('textbox', { name: 'Search alarms' }).fill('');
    await card('controller_down').waitFor();
    await page.getByText(/^Emergency \(\d+\)$/).click();
    await expect.poll(() => isAllOf(/^Emergency \(\d+\)$/)).toBe(true);
    await card('frost').waitFor();
    expect(await page.locator('article[data-code]').filter({ hasNotText: 'Emergency' }).count()).toBe(0);
    await page.getByText(/^All \(\d+\)$/).click();
    await page.getByText('By place').click();
    await page.getByRole('heading', { name: /^House 1: / }).waitFor();
    await story.picture('by-place');
    await page.getByText('By urgency').click();
    await expect.poll(() => isAllOf(/^All \(\d+\)$/)).toBe(true);
    expect(errors).toEqual([]);
  });

  it('stand by their cause, and those of one are acknowledged together', async () => {
    const down = page.locator('[data-code=controller_down]');
    await expect.poll(() => down.count()).toBe(2);
    await page.getByText('By cause').click();
    await page.getByRole('heading', { name: /: Warning 2$/ }).waitFor();
    await story.picture('by-cause');
    await page.getByRole('button', { name: /^Acknowledge all \(2\), .*: Warning 2$/ }).click();
    await page.getByRole('alertdialog').getByLabel('Reason').fill('both on one cable');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Acknowledge' }).click();
    await expect
      .poll(() => down.evaluateAll((all) => all.map((one) => one.dataset['state'])))
      .toEqual(['acknowledged', 'acknowledged']);
    expect(await card('frost').getAttribute('data-state')).not.toBe('acknowledged');
    await page.getByText('By urgency').click();
    expect(errors).toEqual([]);
  });

  it('can be acknowledged, alone and all together', async () => {
    await card('command_failed').getByRole('button', { name: 'Acknowledge' }).press('Enter');
    await expect.poll(() => card('command_failed').getAttribute('data-state')).toBe('acknowledged');
    // The button is gone, and its card has the focus.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-code'))).toBe('command_failed');
    await addSilent('Probe 9'); // frost alone is not all
    await page.getByRole('button', { name: /Acknowledge all/ }).click();
    const asked = page.getByRole('alertdialog');
    await asked.getByLabel('Reason').fill('seen on the morning round');
    await asked.getByRole('button', { name: 'Acknowledge' }).click();
    await expect.poll(() => card('frost').getAttribute('data-state')).toBe('acknowledged');
    // Others may come at any time.
    const open = page.locator('article[data-state=unacknowledged], article[data-state=returned]');
    await expect
      .poll(async () => (await page.locator('.rail__badge').count()) === Math.min(1, await open.count()))
      .toBe(true);
    await story.picture('acknowledged');
  });

  it('can be shelved for a time', async () => {
    await card('command_failed')
      .getByRole('button', { name: /More for/ })
      .click();
    await page.getByText('Shelve', { exact: true }).click();
    await page.getByLabel('Reason').fill('new valve on Monday');
    await story.picture('shelve');
    await page.getByRole('button', { name: 'Shelve', exact: true }).click();
    await expect.poll(() => card('command_failed').getAttribute('data-state')).toBe('shelved');
    expect(errors).toEqual([]);
  });

  it('have a journal with who and why', async () => {
    await page.getByRole('link', { name: 'Journal' }).click();
    await page.getByText('new valve on Monday').waitFor();
    await page.getByText('seen on the morning round').first().waitFor();
    await story.picture('journal');
    await choose(page.getByRole('combobox', { name: 'What happened' }), 'Shelved');
    await expect.poll(() => page.locator('[data-transition]').count()).toBe(1);
    expect(errors).toEqual([]);
  });

  it.each(['ko', 'ja'])('speak %s, and fit a phone', async (language) => {
    const phone = { viewport: { width: 390, height: 844 }, locale: language };
    const { page: other, errors: faults } = await openPage(browser, phone);
    const story_ = new Story(other, `alarms-${language}`);
    await other.context().addCookies(await page.context().cookies());
    await other.goto(`${service.url}/alarms`);
    await other.locator('[data-code=frost]').first().waitFor();
    await story_.picture('list');
    expect(await other.locator('html').getAttribute('lang')).toBe(language);
    expect(faults).toEqual([]);
  });
});
