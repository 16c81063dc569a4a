import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { TestBroker } from '../support/broker.ts';
import { choose } from '../support/choose.ts';
import { eventually } from '../support/eventually.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { Story } from '../support/story.ts';

const config = {
  device: { identifiers: ['bench'], name: 'Bench' },
  sensor: {
    name: 'Air',
    stat_t: 'bench/climate',
    val_tpl: '{{ value_json.t }}',
    dev_cla: 'temperature',
    unit_of_meas: '°C',
  },
  switch: { name: 'Pump', cmd_t: 'bench/pump/set', stat_t: 'bench/pump' },
} as const;

describe.skipIf(!hasBrowser())('devices on an MQTT broker, in the page', () => {
  let service: RunningService;
  let browser: Browser;
  let page: Page;
  let story: Story;
  let errors: string[];
  let broker: TestBroker;

  beforeAll(async () => {
    broker = await TestBroker.start();
    broker.aedes.authenticate = (_client, _name, password, done) => done(null, password?.toString() === 'right');
    for (const kind of ['sensor', 'switch'] as const) {
      const announced = JSON.stringify({ ...config[kind], device: config.device });
      await broker.publish(`homeassistant/${kind}/bench/config`, announced, true);
    }
    broker.onCommand((topic, payload) => {
      if (topic === 'bench/pump/set') void broker.publish('bench/pump', payload);
    });
    service = await startService();
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'mqtt');
    await story.makeAdministrator(service);
    await story.nameSite('Workshop');
    await story.beginEmpty();
    await page.getByRole('link', { name: 'Devices' }).click();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await broker?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  /** Opens the form of what announced itself, the sensor or the switch. */
  async function takeUp(kind: 'measures' | 'switches'): Promise<void> {
    await page
      .getByRole('listitem')
      .filter({ hasText: `${kind}:` })
      .getByRole('button', { name: 'Add Bench' })
      .click();
    await page.getByRole('button', { name: 'Add and test' }).waitFor();
  }

  it('are found with the log-in of the broker', async () => {
    await page.getByRole('button', { name: 'Find devices' }).first().click();
    await page.getByText('MQTT', { exact: true }).click();
    await page.getByLabel('Address of the broker').fill('127.0.0.1');
    await page.getByLabel('Port', { exact: true }).fill(String(broker.port));
    await page.getByLabel('User name').fill('grower');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('The broker refused the connection').waitFor();
    await page.getByLabel('Password').fill('right');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('2 announced devices.').waitFor();
    await story.picture('found');
  });

  it('are read as they speak', async () => {
    await takeUp('measures');
    await story.picture('sensor');
    await page.getByRole('button', { name: 'Add and test' }).click();
    await eventually(() => expect(broker.subscriptions).toContain('bench/climate'));
    await broker.publish('bench/climate', '{"t":23.5}');
    await page
      .getByText(/23\.5\s°C/)
      .first()
      .waitFor();
    await story.picture('reading');
    await page.getByRole('button', { name: 'Done' }).click();
  });

  it('are switched, and on only when they say so', async () => {
    await page.getByRole('button', { name: 'Find devices' }).first().click();
    await takeUp('switches');
    await story.picture('switch');
    await page.getByRole('button', { name: 'Add and test' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    const content = page.locator('#content');
    await content.getByRole('button', { name: /Turn on$/ }).click();
    await content.getByText(/Manual · grower/).waitFor();
    await story.picture('switched');
  });

  it('keep their password when they are changed', async () => {
    await page.getByRole('button', { name: 'More for Bench' }).first().click();
    await page.getByText('Change…').click();
    await page.getByText('Password: stored').waitFor();
    await story.picture('change');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“Bench” is saved.').last().waitFor();
  });

  it('are filled in from how their make speaks', async () => {
    await page.getByRole('button', { name: 'Add device' }).first().click();
    await page.getByText('switches', { exact: true }).click();
    const select = (field: RegExp): Locator => page.getByRole('combobox', { name: field });
    await choose(select(/^Driver/), 'MQTT');
    await choose(select(/^Device make/), 'Tasmota: relay');
    await page.getByLabel('Topic or prefix of the device').fill('bench');
    await page.getByRole('button', { name: 'Fill in' }).click();
    await expect.poll(() => page.getByLabel('Command topic').inputValue()).toBe('cmnd/bench/POWER');
    await story.picture('make');
    expect(errors).toEqual([]);
  });
});
