import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atRest } from '../support/at-rest.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { controlOf, freePort } from '../support/daemon-process.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { liftLimits, makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

describe.skipIf(!hasBrowser())('commands that are held back, in the page', () => {
  let service: RunningService;
  let daemonPort: number;
  let client: ServiceClient;
  let site: SimulatedSite;
  let browser: Browser;
  let page: Page;
  let story: Story;

  beforeAll(async () => {
    daemonPort = await freePort();
    service = await startService({ env: { ORANGERY_DAEMON_PORT: String(daemonPort) } });
    client = await ServiceClient.setUp(service);
    await liftLimits(client);
    site = await makeSimulatedSite(client);
    const [heater, , , vent] = site.outputs;
    const pair = {
      ...{ name: 'Heater and roof vent', is_mutual: false, above_pct: 20 },
      ...{
        while_output_id: vent?.unique_id,
        while_channel: 0,
        forbids_output_id: heater?.unique_id,
        forbids_channel: 0,
      },
    };
    await client.ask('POST', '/api/geo/settings', { safety: { interlocks: [pair] } });
    browser = await openBrowser(service.url);
    ({ page } = await openPage(browser));
    story = new Story(page, 'commands');
    await story.logIn(`${service.url}/houses/${site.facility.unique_id}`);
    await page.getByRole('heading', { name: 'House 1' }).waitFor();
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  const control = (at: number) => page.locator(`.control[data-output="${site.outputs[at]?.unique_id}"]`);
  const vent = (duty_cycle_pct: number) =>
    client.ask('POST', `/api/outputs/${site.outputs[3]?.unique_id}`, {
      ...(duty_cycle_pct > 0 ? { state: true, duty_cycle_pct } : { state: false }),
    });

  /** Where the buttons of the heater and, further down, of the roof vent stand. */
  async function places(): Promise<unknown[]> {
    const buttons = [
      control(0).getByRole('button', { name: 'Heater: Turn on' }),
      control(3).getByRole('button', { name: 'Roof vent: Open' }),
    ];
    return Promise.all(buttons.map((button) => button.boundingBox()));
  }

  it('are refused, and kept where one says so', async () => {
    await expect.poll(() => vent(60).then(({ status }) => status), { timeout: 30_000 }).toBe(200);
    const still = await atRest(places);
    await control(0).getByRole('button', { name: 'Heater: Turn on' }).click();
    await control(0).getByText('Refused by a safety rule').waitFor();
    expect(await control(0).locator('[data-kept]').count()).toBe(0);
    await story.picture('refused');
    await expect.poll(places).toEqual(still);
    await control(0).getByRole('button', { name: 'Do it when allowed' }).click();
    await expect.poll(() => control(0).locator('[data-kept]').innerText()).toContain('asked for by grower');
    await story.picture('kept');
    await expect.poll(places).toEqual(still);
    await vent(0);
    await control(0).locator('[data-state=on]').waitFor();
    await expect.poll(() => control(0).locator('[data-kept]').count()).toBe(0);
  });

  it('by an emergency stop are not offered, and the house says so', async () => {
    const still = await atRest(places);
    const override_until = new Date(Date.now() + 3_600_000).toISOString();
    await client.ask('POST', `/api/outputs/${site.outputs[0]?.unique_id}`, { state: true, override_until });
    await client.ask('POST', '/api/emergency_stop', { reason: 'smoke' });
    await page.getByText('All outputs are held safe.').waitFor();
    await control(0).locator('[data-ended]').waitFor();
    const isDisabled = () => control(0).getByRole('button', { name: 'Heater: Turn on' }).isDisabled();
    await expect.poll(isDisabled).toBe(true);
    await expect.poll(() => page.getByText('No alerts').count()).toBe(0);
    await story.picture('stopped-house');
    await expect.poll(places).toEqual(still);
    await page.goto(`${service.url}/devices`);
    await control(0).locator('[data-rule=emergency_stop]').waitFor();
    await story.picture('stopped-devices');
    await page.setViewportSize({ width: 390, height: 844 });
    await story.picture('stopped-devices-narrow');
    await page.setViewportSize({ width: 1440, height: 900 });
    await client.ask('DELETE', '/api/emergency_stop', {}, { 'content-length': '2' });
    await page.goto(`${service.url}/houses/${site.facility.unique_id}`);
    await control(0).getByRole('button', { name: 'Heater: Turn on' }).waitFor();
  });

  it('by nobody being there to carry them out: who stopped it is said, and it is started again', async () => {
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    const still = await atRest(places);
    await controlOf(daemonPort).terminate_daemon();
    await page
      .getByText(/The control service was stopped by pyro/)
      .first()
      .waitFor();
    await story.picture('daemon-stopped');
    await expect.poll(places).toEqual(still);
    await page.getByRole('button', { name: 'Start control service' }).click();
    await expect.poll(() => page.getByText(/The control service was stopped/).count()).toBe(0);
    await expect.poll(() => vent(10).then(({ status }) => status)).toBe(200);
    const { body } = await client.ask('GET', '/api/audit?limit=50');
    const kinds = (body as { audit: { kind: string }[] }).audit.map(({ kind }) => kind); // as declared
    expect(kinds).toEqual(expect.arrayContaining(['program.terminate_daemon', 'daemon.start', 'output.override_end']));
    await page.goto(`${service.url}/audit`);
    await page.getByText('Control service stopped by a program').first().waitFor();
    await story.picture('audit');
  });
});
