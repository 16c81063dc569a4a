import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Climate } from '../../server/contract/climate-settings.ts';
import type { Facility } from '../../server/contract/facility.ts';
import type { LiveOutput, OutputChannelState } from '../../server/contract/output.ts';
import { expectNoWider } from '../support/at-rest.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { choose } from '../support/choose.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { ServedHouse } from '../support/served-house.ts';
import { makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

/** The simulated house runs so many times faster than the clock: it warms up within a minute. */
const speed = 60;

describe.skipIf(!hasBrowser())('the climate program of a house, in the page', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let page: Page;
  let story: Story;
  let errors: string[];
  let site: SimulatedSite;
  let house: ServedHouse;
  let motor: string;

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    site = await makeSimulatedSite(client, speed);
    house = new ServedHouse(client, site);
    await house.bindStation();
    motor = await house.motorise('roof_vent');
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser, { viewport: { width: 1280, height: 800 } }));
    story = new Story(page, 'climate');
    await story.identify(client);
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  it('takes a preset for tomatoes into the draft with its sources, and starts it', async () => {
    await page.goto(`${service.url}/houses/${site.facility.unique_id}`);
    await page.getByRole('link', { name: 'Climate', exact: true }).click();
    await page.getByText('No climate program yet').waitFor();
    await choose(page.getByRole('combobox', { name: 'Crop', exact: true }), 'Tomato');
    await page.getByText('GreenLight: settings of a tomato house').first().waitFor();
    await story.picture('preset');
    await page.getByRole('button', { name: 'Add to draft' }).click();
    await expectValue(page.getByLabel('Heating', { exact: true }).first(), '19.5');
    await page.getByRole('link', { name: 'House', exact: true }).click();
    const asking = page.getByRole('alertdialog').filter({ hasText: 'Leave without applying?' });
    await asking.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expectValue(page.getByLabel('Heating', { exact: true }).first(), '19.5');
    await page.getByRole('button', { name: 'Start the program' }).click();
    await page.getByText('What it does now').waitFor();
    await page.locator('header', { hasText: 'Climate' }).getByText(site.facility.name, { exact: true }).waitFor();
    await loop('Ventilation').waitFor({ timeout: 90_000 });
    const { periods } = (await client.ask('GET', house.path)).body as Climate; // of this house
    expect(periods.map(({ setpoints }) => [setpoints.heating_c, setpoints.ventilation_c])).toEqual([
      [19.5, 24.5],
      [18.5, 23.5],
    ]);
    await story.picture('running');
  }, 180_000);

  it('draws a change and lists it before it is taken, and brings back what was before', async () => {
    // So warm that it is heated on a summer's night too.
    await page.getByLabel('Heating', { exact: true }).first().fill('24');
    await page.getByLabel('Heating', { exact: true }).nth(1).fill('23');
    await page.getByText('After your change').first().waitFor();
    await page.locator('summary', { hasText: /^Heating/ }).click();
    await page.getByLabel('Heating per K below setpoint').fill('12');
    await page.getByRole('button', { name: 'Add an influence' }).click();
    const changes = card('Your change').getByRole('row');
    await changes.filter({ hasText: 'Heating: Heating per K below setpoint' }).waitFor();
    await changes.filter({ hasText: 'Day: Heating' }).waitFor();
    await changes.filter({ hasText: 'Night: Heating' }).waitFor();
    await page.getByRole('heading', { name: 'The day', exact: true }).scrollIntoViewIfNeeded();
    // What is read of the picture at its mark; the first is that of the sheet.
    await page
      .getByText(/\d\d:\d\d (Day|Night)/)
      .last()
      .waitFor();
    await story.picture('change');
    await rehearse();
    const before = (await client.ask('GET', house.path)).body as Climate; // of this house
    expect([before.heating.gain_pct_per_k, before.influences]).toEqual([15, []]);
    await page.getByRole('button', { name: 'Apply change' }).click();
    const one = page.locator('summary', { hasText: '4 changes' });
    await one.waitFor();
    await one.click();
    await story.picture('history');
    await page.getByRole('button', { name: 'Restore the version before' }).first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore the version before' }).click();
    await page.getByText('The program is as it was before that change.').first().waitFor();
    const back = (await client.ask('GET', house.path)).body as Climate; // of this house
    expect(back).toEqual({ ...before, revision: before.revision + 2 });
    await noDraftIsLeft();
  }, 120_000);

  it('reaches every setting of a program, tables, times and measurements too', async () => {
    const before = (await client.ask('GET', house.path)).body as Climate; // of this house
    await page.locator('summary', { hasText: 'Vents, pipe, curtains, lamps, irrigation' }).first().click();
    await page.getByLabel('Maximum vent opening', { exact: true }).first().fill('60');
    await page.getByLabel('Thermal curtain may close').first().uncheck();
    await page.getByRole('button', { name: 'Add an influence' }).click();
    await choose(page.getByRole('combobox', { name: 'By', exact: true }), 'a measurement');
    await choose(page.getByRole('combobox', { name: 'Measurement', exact: true }), /CO/);
    await page.locator('summary', { hasText: /^Curtains/ }).click();
    await page.getByRole('group', { name: 'Thermal curtain' }).getByLabel('Radiation').first().fill('180');
    await page.locator('summary', { hasText: /^Irrigation/ }).click();
    await page.getByRole('button', { name: 'Add a time' }).click();
    await page.getByRole('group', { name: 'Shots by the clock' }).getByLabel('At').fill('07:30');
    const heating = page.locator('details').filter({ has: page.locator('summary', { hasText: /^Heating/ }) });
    await heating.getByLabel('Integral time').fill('2');
    await card('Your change').getByText('Heating: Integral time: At least').waitFor();
    await heating.getByLabel('Integral time').fill('60');
    await card('Your change').getByRole('row').filter({ hasText: 'Curtains: Thermal curtain 1' }).waitFor();
    await story.picture('settings');
    await page.getByRole('button', { name: 'Apply change' }).click();
    await noDraftIsLeft();
    const { periods, influences, screens, irrigation } = (await client.ask('GET', house.path)).body as Climate; // of this house
    expect(periods[0]?.setpoints).toMatchObject({ vent_max_pct: 60, screen_allowed: false });
    expect(influences).toMatchObject([{ source: 'measurement', measurement: { max_age_s: 600 } }]);
    expect([screens.energy[0], screens.shade, irrigation.times]).toEqual([
      { outdoor_c: -20, radiation_w_m2: 180 },
      before.screens.shade,
      ['07:30'],
    ]);
    const { unique_id: _id, facility_uuid: _house, revision: _revision, ...program } = before;
    await client.ask('POST', house.path, program);
    await page.reload();
  }, 120_000);

  it('shows what somebody else changed meanwhile before it overwrites it', async () => {
    const before = (await client.ask('GET', house.path)).body as Climate; // of this house
    const night = page.getByLabel('Heating', { exact: true }).nth(1);
    await expectValue(night, '18.5');
    await client.ask('POST', house.path, { periods: before.periods, limits: { storm_m_s: 12 } });
    await night.fill('18');
    await page.getByRole('button', { name: 'Apply change' }).click();
    await page.getByText('Someone else has changed the program').waitFor();
    const changes = card('Your change').getByRole('row');
    await changes.filter({ hasText: 'Limits: Storm above' }).waitFor({ state: 'hidden' }); // theirs stays
    await changes.filter({ hasText: 'Night: Heating' }).waitFor();
    await story.picture('meanwhile');
    expect((await client.ask('GET', house.path)).body).toMatchObject({
      periods: before.periods,
      limits: { storm_m_s: 12 },
    });
    await page.getByRole('button', { name: 'Apply change' }).click();
    await noDraftIsLeft();
    const { periods, limits } = (await client.ask('GET', house.path)).body as Climate; // of this house
    expect([periods[1]?.setpoints.heating_c, limits.storm_m_s]).toEqual([18, 12]);
    await client.ask('POST', house.path, { periods: before.periods, limits: { storm_m_s: 15 } });
    await page.reload();
  });

  it('copies the program to another house, where it waits to be switched on', async () => {
    const another = await house.addHouse('House 2');
    await page.getByRole('button', { name: 'Copy to other houses' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('House 2').check();
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await dialog.getByText('Copied; it is off.').waitFor();
    await story.picture('copied');
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    const own = (await client.ask('GET', house.path)).body as Climate; // of this house
    const there = `/api/geo/facility/${another}/climate`;
    const copy = (await client.ask('GET', there)).body as Climate; // of the other
    expect(copy).toEqual({
      ...own,
      unique_id: copy.unique_id,
      facility_uuid: another,
      name: 'House 2',
      is_activated: false,
      revision: 1,
    });
    await page.goto(`${service.url}/houses/${another}/climate`);
    await page.getByRole('button', { name: 'Start the program' }).waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Override a setpoint' }).waitFor();
    await client.ask('DELETE', `/api/geo/facility/${another}`);
    await page.getByText('This house was deleted').waitFor();
    await page.getByRole('heading', { name: 'Override a setpoint' }).waitFor({ state: 'hidden' });
    await story.picture('house-gone');
    errors.splice(0); // that it is not there is an answer
    await client.ask('DELETE', `/api/settings/climates/${copy.unique_id}`);
    await page.goto(`${service.url}/houses/${site.facility.unique_id}/climate`);
  });

  it('simulates a house that was only drawn, with the equipment that is chosen, and ends it without a trace', async () => {
    const drawn = await house.addHouse('House 3');
    const stored = async (): Promise<Facility> =>
      (await client.ask('GET', `/api/geo/facility/${drawn}`)).body as Facility; // of the drawn house
    const before = await stored();
    const there = page.url();
    await page.goto(`${service.url}/houses/${drawn}`);
    await page.getByRole('button', { name: 'Simulate this house' }).click();
    const dialog = page.getByRole('dialog', { name: 'Simulate “House 3”' });
    await dialog.getByLabel('Lamps').check();
    await choose(dialog.getByRole('combobox', { name: 'Crop in the house' }), 'Full-grown');
    await story.picture('simulate');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoWider(page);
    await story.picture('simulate-phone');
    await page.setViewportSize({ width: 1280, height: 800 });
    await dialog.getByRole('button', { name: 'Simulate', exact: true }).click();
    await page.getByText('“House 3” is simulated.').first().waitFor();
    await page.getByText('Simulated', { exact: true }).first().waitFor();
    await expect.poll(() => page.locator('.house__values').first().innerText(), { timeout: 60_000 }).toMatch(/\d.*°C/s);
    await story.picture('simulated');
    const { actuators } = await stored();
    expect(actuators.map(({ role }) => role)).toContain('lighting');
    await page.getByRole('button', { name: 'More for House 3' }).click();
    await page.getByText('Simulate this house').first().click();
    await dialog.getByText('The values of this house come from a model of it.').waitFor();
    await story.picture('simulation');
    await dialog.getByRole('button', { name: 'Remove simulation' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove simulation' }).click();
    await page.getByText('The simulation is removed.').first().waitFor();
    const { revision: _revision, updated_at: _at, ...after } = await stored();
    expect(before).toMatchObject(after);
    await page.goto(there);
  });

  it('holds a setpoint for a while, until a person or its time ends it', async () => {
    const held = card('Override a setpoint');
    await held.getByLabel('Value').fill('26');
    await held.getByLabel('Reason (optional)').fill('pollination');
    await held.getByRole('button', { name: 'Override', exact: true }).click();
    await held.getByText(/Heating overridden with 26\.0\s°C until/).waitFor();
    await page
      .getByText(/by hand/)
      .first()
      .waitFor({ timeout: 60_000 });
    await story.picture('held');
    const { periods } = (await client.ask('GET', house.path)).body as Climate; // of this house
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await client.ask('POST', house.path, { periods, overrides: [{ on: 'heating_c', value: 25, until }] });
    await expect
      .poll(async () => (await house.live()).setpoints?.heating_c.parts.at(-1)?.what, { timeout: 60_000 })
      .toBe('override');
    await held.getByText(/Heating overridden with 25\.0\s°C until/).waitFor();
    await held.getByRole('button', { name: 'Release' }).click();
    await expect
      .poll(async () => (await house.live()).setpoints?.heating_c.parts.at(-1)?.what, { timeout: 60_000 })
      .toBe('period');
    await expect.poll(() => page.getByText(/overridden with/).count()).toBe(0);
    // One that nobody ends ends by itself.
    const soon = new Date(Date.now() + 20_000).toISOString();
    await client.ask('POST', house.path, { periods, overrides: [{ on: 'heating_c', value: 24, until: soon }] });
    await held.getByText(/Heating overridden with 24\.0\s°C until/).waitFor();
    await held.getByText(/Heating overridden with 24\.0\s°C until/).waitFor({ state: 'detached', timeout: 60_000 });
    await expect
      .poll(async () => (await house.live()).setpoints?.heating_c.parts.at(-1)?.what, { timeout: 60_000 })
      .toBe('period');
  }, 240_000);

  it('refuses ventilation below heating at its field', async () => {
    const ventilation = page.getByLabel('Ventilation', { exact: true }).first();
    const before = await ventilation.inputValue();
    await ventilation.fill('12');
    await card('Your change').getByText('Day: Ventilation: Must not be below heating.').waitFor();
    await story.picture('refused');
    await ventilation.fill(before);
    await page.getByText('Must not be below heating.').first().waitFor({ state: 'detached' });
  });

  it('is switched off and on again', async () => {
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
    expect(((await client.ask('GET', house.path)).body as Climate).is_activated).toBe(false); // of this house
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('button', { name: 'Turn off' }).waitFor();
    expect(((await client.ask('GET', house.path)).body as Climate).is_activated).toBe(true); // of this house
  });

  it('says how far a vent that is moved by run time may stand from what is shown', async () => {
    const override_until = new Date(Date.now() + 3_600_000).toISOString();
    await client.ask('POST', `/api/outputs/${motor}`, { state: true, duty_cycle_pct: 40, override_until });
    await standsAt(({ state, drift_pct, moves_to }) => state === 40 && Number(drift_pct) > 0 && moves_to === undefined);
    await page.goto(`${service.url}/houses/${site.facility.unique_id}`);
    await page.locator('[data-role=indoor_temp] .band__text', { hasText: /^set / }).waitFor(); // by its program
    await page
      .getByText(/from run time/)
      .first()
      .waitFor();
    await story.picture('run-time');
    await client.ask('DELETE', `/api/outputs/${motor}/override`);
    await page.goto(`${service.url}/houses/${site.facility.unique_id}/climate`);
  }, 180_000);

  it('shuts the vents in a storm, and says why', async () => {
    const { periods } = (await client.ask('GET', house.path)).body as Climate; // of this house
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const cool = { heating_c: 3, ventilation_c: 6 };
    const overrides = Object.entries(cool).map(([on, value]) => ({ on, value, until }));
    await client.ask('POST', house.path, { periods, overrides });
    await house.misread('indoor', 20); // open vents cool it below no setpoint, in any season
    await loop('Ventilation')
      .filter({ hasText: /Vents \d/ })
      .waitFor({ timeout: 120_000 });
    await page.locator('h2', { hasText: 'What it does now' }).scrollIntoViewIfNeeded();
    await story.picture('vents-open');
    await house.misread('weather', 25);
    await loop('Ventilation').filter({ hasText: 'storm' }).waitFor({ timeout: 120_000 });
    const { actuators } = await house.live();
    const vents = actuators.filter(({ role }) => role === 'roof_vent' || role === 'side_vent');
    expect(vents.map(({ demand_pct }) => demand_pct)).toEqual([0, 0]);
    await standsAt(({ state, drift_pct, moves_to }) => state === 'off' && drift_pct === 0 && moves_to === undefined);
    expect(vents[0]?.because).toMatch(/^Vents closed: wind 2\d(\.\d+)?\sm\/s, storm above 15\sm\/s/);
    await page.locator('h2', { hasText: 'What it does now' }).scrollIntoViewIfNeeded();
    await story.picture('storm');
  }, 300_000);

  it('stands on a phone and on paper', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await story.picture('phone');
    await expectNoWider(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.getByText('Printed').waitFor();
    await page.getByRole('button', { name: 'Turn off' }).first().waitFor({ state: 'hidden' });
    await story.picture('sheet');
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: 'screen' });
    expect(errors.filter((error) => !/404|400|409/.test(error))).toEqual([]); // a refusal is an answer
  });

  it.each([
    ['ko', '변경 기록'],
    ['ja', '変更履歴'],
  ])('speaks %s, and fits a phone', async (language, title) => {
    const { page: other, errors: faults } = await openPage(browser, {
      viewport: { width: 1280, height: 3000 },
      locale: language,
    });
    await other.context().addCookies(await page.context().cookies());
    await other.goto(`${service.url}/houses/${site.facility.unique_id}/climate`);
    await other.getByRole('heading', { name: title, exact: true }).waitFor();
    await new Story(other, `climate-${language}`).picture('page');
    await other.setViewportSize({ width: 390, height: 844 });
    await expectNoWider(other);
    expect(faults).toEqual([]);
    await other.context().close();
  });

  /** The change heats more than the program as it is. */
  async function rehearse(): Promise<void> {
    await choose(page.getByRole('combobox', { name: 'How long', exact: true }), '3 days');
    await page.getByRole('button', { name: 'Add a file' }).locator('svg').waitFor(); // weather of one's own
    await page.getByRole('button', { name: 'Compare with the change' }).click();
    const found = page.getByRole('table').filter({ hasText: 'Per m² of floor' });
    await found.getByRole('columnheader', { name: 'After your change' }).waitFor({ timeout: 120_000 });
    const heat = await found.getByRole('row').filter({ hasText: 'Heat' }).first().getByRole('cell').allInnerTexts();
    const [present = NaN, changed = NaN] = heat.map((text) => parseFloat(text));
    expect(changed).toBeGreaterThan(present);
    await story.picture('rehearsal');
    await choose(page.getByRole('combobox', { name: 'Weather of', exact: true }), 'Days measured by this house');
    await page.getByRole('button', { name: 'Compare with the change' }).click();
    await page.getByText('None of these days was measured completely.').waitFor({ timeout: 60_000 });
    await story.picture('rehearsal-unmeasured');
  }

  /** What a loop does, in the list of what the program does now. */
  const loop = (name: string): Locator =>
    card('What it does now').locator('dt', { hasText: name }).last().locator('+ dd');

  const card = (title: string): Locator =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

  const noDraftIsLeft = (): Promise<unknown> =>
    page.locator('.climate__taking').getByRole('button', { name: 'Discard', disabled: true }).waitFor();

  async function expectValue(field: Locator, value: string): Promise<void> {
    await expect.poll(() => field.inputValue()).toBe(value);
  }

  async function standsAt(isThere: (state: OutputChannelState) => boolean): Promise<void> {
    const seen = async (): Promise<boolean> => {
      const { state } = (await client.ask('GET', `/api/outputs/${motor}`)).body as LiveOutput; // of the motor
      return state.some(isThere);
    };
    await expect.poll(seen, { timeout: 90_000 }).toBe(true);
  }
});
