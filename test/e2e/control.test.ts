import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atRest, expectNoWider } from '../support/at-rest.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { choose } from '../support/choose.ts';
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
    await chill();
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'control');
    await story.enter(service.url, client);
    await page.getByRole('link', { name: 'Control', exact: true }).click();
    await page.getByText('Nothing controls by itself yet').waitFor();
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  /** The air seems so cold that it is heated on a summer's noon too. */
  async function chill(): Promise<void> {
    const [indoor] = site.inputs;
    const options = { ...indoor?.options, fault: { kind: 'offset', by: -30 } };
    await client.ask('PATCH', `/api/settings/inputs/${indoor?.unique_id}`, { options });
  }

  it('adds a PID by its form, which then drives its output', async () => {
    await story.picture('empty');
    await page.getByRole('button', { name: 'Add PID' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Heating');
    await choose(select('Sensor'), site.inputs[0]?.name ?? '');
    await choose(select('Channel'), site.inputs[0]?.channels[0]?.name ?? '');
    await page.getByLabel('Maximum age of a reading').fill('60');
    await page.getByLabel('Setpoint', { exact: true }).fill('28');
    await page.getByLabel('Acts every').fill('1');
    await page.getByLabel('Proportional gain (Kp)').fill('10');
    await page.getByLabel('Integral gain (Ki)').fill('0.01');
    await page.getByLabel('Derivative gain (Kd)').fill('0');
    await choose(select('What it does'), 'Raises');
    await page.getByLabel('Actuator that raises').click();
    await choose(select('Actuator'), site.outputs[0]?.name ?? '');
    await page.getByRole('combobox', { name: 'Driven by', exact: true }).press('ArrowDown');
    await page.getByRole('option', { name: 'Seconds on' }).waitFor();
    expect(await page.getByRole('option', { name: 'Duty cycle in %' }).count()).toBe(0); // it is a switch without cycles
    await page.getByRole('option', { name: 'Seconds on' }).click();
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.locator('[data-dry=told]', { hasText: /asks for 1\ss/ }).waitFor();
    await story.picture('form');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[data-state=running]').waitFor();
    await page.locator('[data-kind=pid] li:focus').waitFor();
    await page.getByText('asks for').first().waitFor();
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
    await page.getByLabel('Stop the trial above').waitFor();
    await page.getByRole('button', { name: 'Start trial' }).last().click();
    await page.locator('[data-trial=running]').waitFor();
    await story.picture('trial');
    await page.getByRole('button', { name: 'Stop trial' }).click();
    await page.locator('[data-trial=failed]').waitFor();
    await expect.poll(() => page.locator('canvas').count()).toBe(2);
    await page.getByLabel('Proposed: Kp').fill('60');
    await page.getByLabel('Proposed: Ki').fill('0.5');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const found = page.locator('[data-compare-found]');
    await found.waitFor();
    const moves = await found.locator('[data-figure=moves] td').allInnerTexts();
    expect(moves.map((text) => Number(text.replaceAll(/\D/g, '')) > 0)).toEqual([true, true]);
    await found.scrollIntoViewIfNeeded();
    await story.picture('compared');
    await page.getByRole('button', { name: 'Use the proposed gains' }).click();
    await page.locator('[data-trial]').getByRole('cell', { name: '60', exact: true }).waitFor();
    await found.waitFor({ state: 'detached' });
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
    await choose(select('Kind of curve'), 'By the sun');
    await page.getByLabel('Name', { exact: true }).fill('Sun');
    await page.locator('[data-draft=drawn] path').waitFor();
    await story.picture('curve-by-the-sun');
    await page.getByRole('button', { name: 'Save' }).click();
    await cardOf('method', 1).waitFor();
    await expect.poll(() => page.locator('.today__strip--curve').count()).toBe(2);
    expect(errors).toEqual([]);
  });

  it('drags the points of one over weeks by mouse and finger, and moves them by key', async () => {
    await page.getByRole('button', { name: 'Add curve' }).click();
    await choose(select('Kind of curve'), 'By date');
    await page.getByLabel('Name', { exact: true }).fill('Season');
    const [first, last] = [page.getByRole('slider').first(), page.getByRole('slider').last()];
    const told = async (point: Locator): Promise<number> => Number(await point.getAttribute('aria-valuenow'));
    const before = await last.getAttribute('aria-label');
    await drag(last, { dx: 25, dy: 30 }, 'mouse');
    await expect.poll(() => told(last)).toBeLessThan(20);
    await expect.poll(() => last.getAttribute('aria-label')).not.toBe(before); // which names its time
    await drag(first, { dx: 0, dy: -20 }, 'touch');
    await expect.poll(() => told(first)).toBeGreaterThan(18);
    const high = await atRest(() => told(first));
    await first.press('ArrowUp');
    await expect.poll(() => told(first)).toBeCloseTo(high + 0.1);
    await page.getByRole('button', { name: 'Add to Points' }).click();
    await expect.poll(() => page.getByRole('slider').count()).toBe(3);
    await story.picture('curve-by-date');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[data-kind=method] li:focus', { hasText: 'Season' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('draws one since its start by mouse and keys, and shows what it gives today', async () => {
    await page.getByRole('button', { name: 'Add curve' }).click();
    await choose(select('Kind of curve'), 'From a start, for hours or weeks');
    await page.getByLabel('Name', { exact: true }).fill('Hardening');
    const [first, last] = [page.getByRole('slider').first(), page.getByRole('slider').last()];
    const told = async (point: Locator): Promise<number> => Number(await point.getAttribute('aria-valuenow'));
    await expect.poll(async () => [await told(first), await told(last)]).toEqual([20, 18]);
    const when = await last.getAttribute('aria-label');
    await drag(last, { dx: -60, dy: -20 }, 'mouse');
    await expect.poll(() => last.getAttribute('aria-label')).not.toBe(when);
    const high = await atRest(() => told(last));
    expect(high).toBeGreaterThan(18);
    const dragged = await last.getAttribute('aria-label');
    await last.press('ArrowDown');
    await expect.poll(() => told(last)).toBeCloseTo(high - 0.1);
    await last.press('ArrowRight');
    await expect.poll(() => last.getAttribute('aria-label')).not.toBe(dragged);
    const preview = page.locator('[data-draft=drawn]');
    await preview.locator('path').waitFor();
    await preview.getByText(/20\.0\b.*°C/).waitFor();
    await story.picture('curve-since-a-start');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[data-kind=method] li:focus', { hasText: 'Hardening' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('completes a statement, tries it on stored time, and tells what it did', async () => {
    await page.getByRole('button', { name: 'Add conditional function' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Warm');
    await page.getByLabel('Every').fill('1');
    await page.getByRole('button', { name: 'Add to Values' }).click();
    await choose(select('Sensor'), site.inputs[0]?.name ?? '');
    await choose(select('Channel'), site.inputs[0]?.channels[0]?.name ?? '');
    await page.getByLabel('Maximum age of a reading').fill('60');
    await page.getByRole('button', { name: 'Add to Actions' }).click();
    await choose(select('Action'), 'Write a note');
    await page.getByLabel('Text').fill('Above −50 °C');
    const statement = page.getByLabel('Statement');
    await statement.pressSequentially('if (va');
    await page.getByRole('option', { name: 'value_1' }).waitFor();
    await statement.press('Enter');
    await statement.pressSequentially(' > -50) { run(');
    await page.getByRole('option', { name: 'action_1' }).click();
    await statement.press('End');
    await statement.pressSequentially('); }');
    await expect.poll(() => statement.inputValue()).toBe('if (value_1 > -50) { run(action_1); }');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.locator('[data-dry=told]').waitFor();
    await story.picture('tried');
    await page.getByRole('button', { name: 'Save' }).click();
    // Cards far below have their content once one scrolls there.
    await cardOf('conditional').scrollIntoViewIfNeeded();
    const last = cardOf('conditional').locator('[data-rule=last]');
    await last.getByText('value_1 > -50').waitFor();
    await expect.poll(() => last.innerText()).toContain('Write a note: ');
    expect(errors).toEqual([]);
  });

  it('tries a trigger and a function on what is stored before they are saved', async () => {
    await page.getByRole('button', { name: 'Add trigger' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Morning');
    await choose(select('Acts when'), 'Time of day');
    await page.getByLabel('Time of day', { exact: true }).fill('06:00');
    await choose(select('Over the last'), '7 days');
    await page.getByRole('button', { name: 'Try it' }).click();
    const told = page.locator('[data-dry=told]');
    await told.getByText('It would have acted 7 times').waitFor();
    await told.getByText(/^Next: /).waitFor();
    await story.picture('trigger-tried');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Add function' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Mean');
    await choose(select('What it does'), 'Mean, extremes and standard deviation');
    await page.getByLabel('Runs every').fill('1');
    await choose(select('Sensor'), site.inputs[0]?.name ?? '');
    await choose(select('Channel'), site.inputs[0]?.channels[0]?.name ?? '');
    await page.getByLabel('Maximum age of a reading').fill('60');
    await page.getByLabel('Looks back over').fill('1');
    await choose(select('Over the last'), '1 h');
    await page.getByRole('button', { name: 'Try it' }).click();
    await told.getByText('At the end:').waitFor();
    await expect.poll(() => told.innerText()).toMatch(/Mean -?\d+\.\d\s°C/);
    await story.picture('function-tried');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[data-kind=function] li:focus', { hasText: 'Mean' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('says in the trends why an output was switched, and in the audit which', async () => {
    const [heater] = site.outputs;
    await page.goto(`${service.url}/trends?outputs=${heater?.unique_id}/0`);
    const name = heater?.channels[0]?.name ?? '';
    await page.getByRole('button', { name: `Switches of ${name}` }).click();
    const row = page
      .getByRole('table', { name: `Switches of ${name}` })
      .getByRole('row', { name: /^.*On Automatic · PID “Heating” · / });
    await row.first().waitFor();
    await expect.poll(() => row.first().innerText()).toMatch(/28\.0\s°C - .*P .* I .* D /);
    await story.picture('why-switched');
    await page.goto(`${service.url}/audit`);
    await page
      .getByRole('button', { name: `Controller switched an actuator · ${heater?.name} · On Heating` })
      .first()
      .waitFor();
    await story.picture('audit');
    await page.goto(`${service.url}/control`);
    await cardOf('pid').waitFor();
    expect(errors).toEqual([]);
  });

  it('stands on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await story.picture('phone');
    await expectNoWider(page);
  });

  /** The place of a card, with its content or not. */
  const cardOf = (kind: string, index = 0): Locator => page.locator(`[data-kind=${kind}] .cards > li`).nth(index);

  /** Drags a point so many px by mouse, or by a finger as a touch screen tells it. */
  async function drag(point: Locator, { dx, dy }: { dx: number; dy: number }, by: 'mouse' | 'touch'): Promise<void> {
    await point.hover(); // waits until nothing covers it
    const box = await atRest(() => point.boundingBox());
    if (box === null) throw new Error('the point is drawn');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (by === 'mouse') {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + dx, y + dy, { steps: 4 });
      await page.mouse.up();
      return;
    }
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    await send('touchStart', [{ x, y }]);
    await send('touchMove', [{ x: x + dx / 2, y: y + dy / 2 }]);
    await send('touchMove', [{ x: x + dx, y: y + dy }]);
    await send('touchEnd', []);
    await touch.detach();
  }

  const select = (field: string): Locator => page.getByRole('combobox', { name: field, exact: true }).last();
});
