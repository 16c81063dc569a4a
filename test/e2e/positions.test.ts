import type { Browser, Page, ViewportSize } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { SimulatedFault } from '../../server/contract/drivers/simulated.ts';
import { bodyExamples } from '../../server/contract/examples.ts';
import { atRest } from '../support/at-rest.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { heldOf, placesOf } from '../support/places.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { liftLimits, makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

const desktop = { width: 1280, height: 800 };
const smartphone = { width: 390, height: 844 };

/**
 * What answers a command has a row, and what is said of new alarms a room of fixed height, in which it may move; the
 * bar stays in sight.
 */
const rooms = '.control__act, .told *, .climate__taking *';

describe.skipIf(!hasBrowser())('nothing that can be pressed moves by itself, wide and on a phone', () => {
  let service: RunningService;
  let client: ServiceClient;
  let site: SimulatedSite;
  let browser: Browser;
  let pages: Page[];
  let stories: Story[];

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    await liftLimits(client);
    site = await makeSimulatedSite(client);
    await client.ask('POST', `/api/geo/facility/${site.facility.unique_id}/climate`, {
      ...(bodyExamples['POST /api/geo/facility/:facility_uuid/climate'] as object), // as it is written there
      name: 'Tomato',
      is_activated: true,
    });
    browser = await openBrowser(service.url);
    const { page } = await openPage(browser, { viewport: desktop });
    const story = new Story(page, 'positions');
    await story.logIn(service.url);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const phone = await page.context().newPage();
    await phone.setViewportSize(smartphone);
    pages = [page, phone];
    stories = [story, new Story(phone, 'positions-phone')];
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  async function resize(...sizes: ViewportSize[]): Promise<void> {
    for (const [at, size] of sizes.entries()) await pages[at]?.setViewportSize(size);
  }
  const onBoth = (seen: (shown: Page) => Promise<unknown>) => Promise.all(pages.map(seen));
  const places = () => atRest(() => Promise.all(pages.map((one) => placesOf(one, rooms))));

  async function open(path: string, ready: (shown: Page) => Promise<unknown>): Promise<void> {
    await onBoth((shown) => shown.goto(service.url + path));
    await onBoth(ready);
  }

  /** Whatever comes, what was there before is still there and stands where it stood; but what is named is gone. */
  async function expectHeld(what: string, change: () => Promise<unknown>, lost: readonly string[] = []): Promise<void> {
    const before = await places();
    await change();
    const after = await places();
    for (const story of stories) await story.picture(what);
    for (const [at, known] of before.entries()) {
      const { gone, moved } = heldOf(known, after[at] ?? new Map());
      expect(known.size).toBeGreaterThan(5);
      expect({ gone, moved }).toEqual({ gone: lost, moved: [] });
    }
  }

  /** A sensor that is read each second, with a fault or none. */
  const faulty = async (at: number, fault?: SimulatedFault): Promise<void> => {
    const input = `/api/settings/inputs/${site.inputs[at]?.unique_id}`;
    await client.ask('PATCH', input, { period_s: 1, options: { fault: null } }); // none is left of the one before
    if (fault !== undefined) await client.ask('PATCH', input, { options: { fault } });
  };
  const outputFault = (at: number, fault: { kind: 'refuses' } | null) =>
    client.ask('PATCH', `/api/settings/outputs/${site.outputs[at]?.unique_id}`, { options: { fault } });
  const refuse = async (at: number): Promise<void> => {
    await outputFault(at, { kind: 'refuses' });
    await client.ask('POST', `/api/outputs/${site.outputs[at]?.unique_id}`, { state: true }).catch(() => undefined); // it refuses
  };
  const stop = () =>
    client.ask('POST', '/api/emergency_stop', { reason: 'smoke in the second bay, behind the boiler' });
  const release = () => client.ask('DELETE', '/api/emergency_stop', {}, { 'content-length': '2' });
  /** Limits that no house meets: each raises an alarm of its own. */
  const alarm = (names: readonly string[]) =>
    client.ask('POST', '/api/geo/settings', {
      alarm_limits: Object.fromEntries(names.map((name) => [name, name.endsWith('_low_c') ? 59 : 1])),
    });

  it('in the climate program, while one types and while its causes change', async () => {
    await faulty(0);
    const house = `/houses/${site.facility.unique_id}/climate`;
    await open(house, (shown) => shown.getByText('What it does now').waitFor());
    await onBoth((shown) => shown.locator('.loops dd').first().waitFor());
    await expectHeld(
      'climate-typed',
      async () => {
        await onBoth((shown) => shown.getByLabel('Heating', { exact: true }).first().fill('20'));
        await onBoth((shown) => shown.getByRole('row').filter({ hasText: 'Heating' }).last().waitFor());
        await onBoth((shown) => shown.getByText('After your change').waitFor());
      },
      ['Try this program 0'],
    );
    await expectHeld('climate-silent', async () => {
      await faulty(0, { kind: 'silent' });
      await onBoth((shown) =>
        shown
          .getByText(/^No indoor temperature reading/)
          .first()
          .waitFor({ timeout: 120_000 }),
      );
    });
  }, 240_000);

  it('in the overview, when alarms and an emergency stop come', async () => {
    await open('/', (shown) => shown.getByRole('link', { name: 'House 1' }).waitFor());
    await expectHeld(
      'overview',
      async () => {
        await alarm(['indoor_temp_low_c', 'indoor_humidity_high_pct']);
        await refuse(2);
        await stop();
        await onBoth((shown) =>
          shown
            .getByText(/Emergency stop by/)
            .first()
            .waitFor(),
        );
      },
      ['Emergency stop 0'],
    );
    // What the bar of a phone cuts is opened by a key as by a tap.
    const [, phone] = pages;
    await phone?.locator('.notice button.whole').press('Enter');
    await phone?.getByRole('dialog', { name: /^Emergency stop by/ }).waitFor();
    await stories[1]?.picture('whole-message');
    await phone?.keyboard.press('Escape');
    await release();
  });

  it('on the page of alarms, when new ones come and one ends', async () => {
    await refuse(0);
    const failed = (shown: Page) => shown.locator('article[data-code=command_failed]');
    await open('/alarms', (shown) => failed(shown).first().waitFor());
    await expectHeld('alarms', async () => {
      await refuse(1);
      await outputFault(0, null);
      await client.ask('POST', `/api/outputs/${site.outputs[0]?.unique_id}`, { state: false });
      await onBoth((shown) => failed(shown).and(shown.locator('[data-state=returned]')).first().waitFor());
      await onBoth((shown) => shown.locator('.told button').waitFor());
    });
  });

  it('on the page of devices, when a sensor fails and an output refuses', async () => {
    await faulty(0);
    await outputFault(1, { kind: 'refuses' });
    const fan = (shown: Page) => shown.locator(`.control[data-output="${site.outputs[1]?.unique_id}"]`);
    // Cards far below the window are not drawn, and would move what is below them.
    const all = { height: 6_000 };
    await resize({ ...desktop, ...all }, { ...smartphone, ...all });
    onTestFinished(() => resize(desktop, smartphone));
    await open('/devices', (shown) => fan(shown).locator('[data-state=off]').waitFor());
    await onBoth((shown) =>
      shown.locator(`[data-device="${site.inputs[0]?.unique_id}"] [data-status=running]`).waitFor(),
    );
    await expectHeld('devices', async () => {
      await faulty(0, { kind: 'silent' });
      // One page after the other: what a command is told ends when the channel changes.
      for (const shown of pages) {
        await fan(shown)
          .getByRole('button', { name: /: Turn on$/ })
          .click();
        await fan(shown).getByText('Failed').first().waitFor();
      }
      await onBoth((shown) =>
        shown.locator(`[data-device="${site.inputs[0]?.unique_id}"] [data-status=failed]`).waitFor(),
      );
    });
  });

  it('in trends, when a reading fails', async () => {
    await faulty(0);
    const [indoor] = site.inputs;
    const series = `${indoor?.unique_id}/${indoor?.channels[0]?.measurement_id}`;
    // An hour that ends soon is read anew every few seconds.
    const [from, to] = [Date.now() - 3_420_000, Date.now() + 180_000];
    await open(`/trends?series=${series}&from=${from}&to=${to}`, (shown) =>
      shown.locator('.legend strong').getByText(/\d/).waitFor(),
    );
    await expectHeld('trends', async () => {
      await onBoth((shown) => shown.route('**/api/measurements/**', (route) => route.abort()));
      await onBoth((shown) => shown.getByRole('button', { name: 'Try again' }).waitFor());
    });
    await onBoth((shown) => shown.unrouteAll());
  });

  it('in a long record, while more of it is read', async () => {
    await open('/audit', (shown) => shown.locator('[data-kind]').first().waitFor());
    // What is asked for next is never answered.
    await onBoth((shown) => shown.route('**/api/audit?**', () => undefined));
    await expectHeld('audit', async () => {
      await onBoth((shown) => shown.locator('input[type=date]').first().fill('2026-01-01'));
      await onBoth((shown) => shown.locator('.busy [role=progressbar]').waitFor());
    });
    await onBoth((shown) => shown.unrouteAll());
  });

  it('but a page that opens, which stands at its top, and where it was when one goes back', async () => {
    const top = (shown: Page) => shown.evaluate(() => document.querySelector('#content')?.scrollTop);
    await open('/settings/site', (shown) => shown.getByLabel('Name of the site').waitFor());
    await onBoth(async (shown) => {
      await shown.evaluate(() => document.querySelector('#content')?.scrollTo(0, 150));
      await shown.locator('.rail').getByRole('link', { name: 'Control' }).click();
      await shown.getByRole('heading', { name: 'Control', level: 1 }).waitFor();
      await expect.poll(() => top(shown)).toBe(0);
      await shown.goBack();
      await expect.poll(() => top(shown)).toBe(150);
    });
  });
});
