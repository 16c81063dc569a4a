import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

describe.skipIf(!hasBrowser())('control, in the page', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let page: Page;
  let story: Story;
  let errors: string[];
  let site: SimulatedSite;

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    site = await makeSimulatedSite(client);
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'control');
    await story.logIn(service.url);
    await page.getByRole('link', { name: 'Control', exact: true }).click();
    await page.getByText('Nothing controls by itself yet').waitFor();
    errors.splice(0); // the refused question who is logged in, before somebody was
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  it('starts the climate program of a house, draws a change before it is taken, and says what each loop does', async () => {
    await page.goto(`${service.url}/houses/${site.facility.unique_id}`);
    await page.getByRole('link', { name: 'Climate', exact: true }).click();
    await page.getByText('No climate program yet').waitFor();
    await page.getByRole('button', { name: 'Start the program' }).click();
    await page.getByText('What it does now').waitFor();
    const heating = page.locator('dt', { hasText: 'Heating' });
    await heating.waitFor({ timeout: 60_000 });
    await page.getByLabel('Heating', { exact: true }).first().fill('21');
    await page.getByText('After your change').waitFor();
    await story.picture('climate');
    await page.getByLabel('Ventilation', { exact: true }).first().fill('12');
    await page.getByText('ventilation_c').waitFor();
    await page.getByLabel('Ventilation', { exact: true }).first().fill('25');
    await page.getByText('ventilation_c').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Apply change' }).click();
    await page.getByText('After your change').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('button', { name: 'Switch on' }).waitFor();
    expect(errors.filter((error) => !/404|400/.test(error))).toEqual([]);
    errors.splice(0); // a house without a program, and a change that was refused, are answers
    await page.getByRole('link', { name: 'Control', exact: true }).click();
    await page.getByText('Nothing controls by itself yet').waitFor();
  });

  it('adds a PID by its form, which then drives its output', async () => {
    await story.picture('empty');
    await page.getByRole('button', { name: 'Add PID' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Heating');
    await choose('Sensor', site.inputs[0]?.name ?? '');
    await choose('Channel', site.inputs[0]?.channels[0]?.name ?? '');
    await page.getByLabel('Maximum age of a reading').fill('60');
    await page.getByLabel('Setpoint', { exact: true }).fill('28');
    await page.getByLabel('Acts every').fill('1');
    await page.getByLabel('Proportional gain (Kp)').fill('10');
    await page.getByLabel('Integral gain (Ki)').fill('0.01');
    await page.getByLabel('Derivative gain (Kd)').fill('0');
    await choose('What it does', 'Raises');
    await page.getByLabel('Output that raises').click();
    await choose('Output', site.outputs[0]?.name ?? '');
    await choose('Driven by', 'Duty cycle in %');
    await story.picture('form');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[data-state=running]').waitFor();
    await page.getByText('asks for').waitFor();
    await story.picture('running');
    expect(errors).toEqual([]);
  });

  it('pauses it, which frees its output, and goes on', async () => {
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('[data-state=paused]').waitFor();
    await story.picture('paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('[data-state=running]').waitFor();
    expect(errors).toEqual([]);
  });

  it('draws it live and begins and ends a trial', async () => {
    await page.getByRole('link', { name: 'Chart and tuning' }).click();
    await page.getByRole('button', { name: 'Start trial' }).click();
    await page.getByLabel('End it above').waitFor();
    await page.getByRole('button', { name: 'Start trial' }).last().click();
    await page.locator('[data-trial=running]').waitFor();
    await story.picture('trial');
    await page.getByRole('button', { name: 'End trial' }).click();
    await page.locator('[data-trial=failed]').waitFor();
    expect(await page.locator('canvas').count()).toBe(2);
    await page.getByRole('link', { name: 'Control', exact: true }).last().click();
    expect(errors).toEqual([]);
  });

  it('draws a setpoint over the day', async () => {
    await page.getByRole('button', { name: 'Add curve' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Day');
    await story.picture('curve-form');
    await page.getByRole('button', { name: 'Save' }).click();
    await cardOf('method').waitFor();
    await story.picture('curve');
    expect(errors).toEqual([]);
  });

  it('draws one by the sun before it is stored', async () => {
    await page.getByRole('button', { name: 'Add curve' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Sun');
    await choose('Kind of curve', 'By the sun');
    await page.locator('[data-draft=drawn] path').waitFor();
    await story.picture('curve-by-the-sun');
    await page.getByRole('button', { name: 'Save' }).click();
    await cardOf('method', 1).waitFor();
    expect(await page.locator('.today__strip--curve').count()).toBe(2);
    expect(errors).toEqual([]);
  });

  it('completes a statement, tries it on stored time, and tells what it did', async () => {
    await page.getByRole('button', { name: 'Add conditional function' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Warm');
    await page.getByLabel('Every').fill('1');
    await page.getByRole('button', { name: 'Add to Values' }).click();
    await choose('Sensor', site.inputs[0]?.name ?? '');
    await choose('Channel', site.inputs[0]?.channels[0]?.name ?? '');
    await page.getByLabel('Maximum age of a reading').fill('60');
    await page.getByRole('button', { name: 'Add to Actions' }).click();
    await choose('Action', 'Write a note');
    await page.getByLabel('Text').fill('Above −50 °C');
    const statement = page.getByLabel('Statement');
    await statement.pressSequentially('if (va');
    await page.getByRole('option', { name: 'value_1' }).waitFor();
    await statement.press('Enter');
    await statement.pressSequentially(' > -50) { run(');
    await page.getByRole('option', { name: 'action_1' }).click();
    await statement.press('End');
    await statement.pressSequentially('); }');
    expect(await statement.inputValue()).toBe('if (value_1 > -50) { run(action_1); }');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.locator('[data-dry=told]').waitFor();
    await story.picture('tried');
    await page.getByRole('button', { name: 'Save' }).click();
    // Cards far below have their content once one scrolls there.
    await cardOf('conditional').scrollIntoViewIfNeeded();
    const last = cardOf('conditional').locator('[data-rule=last]');
    await last.getByText('value_1 > -50').waitFor();
    expect(await last.innerText()).toContain('action_1: ');
    expect(errors).toEqual([]);
  });

  it('stands on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await story.picture('phone');
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(isTooWide).toBe(false);
  });

  /** The place of a card, with its content or not. */
  const cardOf = (kind: string, index = 0): Locator => page.locator(`[data-kind=${kind}] .cards > li`).nth(index);

  async function choose(field: string, option: string): Promise<void> {
    await page.getByRole('combobox', { name: field, exact: true }).last().press('ArrowDown');
    await page.getByRole('option', { name: option, exact: true }).click();
  }
});
