import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputChannelState } from '../../server/contract/output.ts';
import { releasable } from '../../renderer/features/devices/release.ts';
import { atRest } from '../support/at-rest.ts';
import { cardStates } from '../support/card-states.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { controlOf, freePort } from '../support/daemon-process.ts';
import { heldOf, placesOf, type Places } from '../support/places.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { stateOf } from '../support/scripted-daemon.ts';
import { liftLimits, makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

/** What is said of alarms and of the service, and what answers a command, has a room of its own, where it may move. */
const rooms = '.control__act, .house__card--alerts *, .shell__notices *';

/** Runs in the page: its stream of events, for a test to tell it more. */
function keepStream(): void {
  globalThis.EventSource = class extends EventSource {
    constructor(address: string | URL) {
      super(address);
      Object.assign(globalThis, { stream: this });
    }
  };
}

/** Tells the page of a state of an output, as the service does; returns once it is drawn. */
async function tell(shown: Page, output_id: string | undefined, state: OutputChannelState): Promise<void> {
  const data = JSON.stringify({ kind: 'output', id: 'test:1', at: new Date().toISOString(), output_id, ...state });
  await shown.evaluate((told) => {
    const { stream } = globalThis as unknown as { stream: EventSource }; // kept above
    stream.dispatchEvent(new MessageEvent('output', { data: told }));
    return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }, data);
}

/** The buttons of a card that lie outside the row for them, or on one another. */
const hiddenActs = (shown: Page): Promise<string[]> =>
  shown.evaluate(() =>
    [...document.querySelectorAll('.control__acts')].flatMap((row) => {
      const { top, bottom, right: end } = row.getBoundingClientRect();
      return [...row.querySelectorAll('button')]
        .filter((one, at, all) => {
          const place = one.getBoundingClientRect();
          const next = all[at + 1]?.getBoundingClientRect().left ?? Infinity;
          return place.top < top || place.bottom > bottom || place.right > Math.min(end, next) + 0.5;
        })
        .map((one) => one.ariaLabel ?? one.textContent);
    }),
  );

describe.skipIf(!hasBrowser())('commands in the page of a house, wide and on a phone', () => {
  let service: RunningService;
  let daemonPort: number;
  let client: ServiceClient;
  let site: SimulatedSite;
  let browser: Browser;
  let page: Page;
  let phone: Page;
  let stories: Story[];
  /** Where everything stands before the first command. */
  let untouched: Places[];

  beforeAll(async () => {
    daemonPort = await freePort();
    service = await startService({ env: { ORANGERY_DAEMON_PORT: String(daemonPort) } });
    client = await ServiceClient.setUp(service);
    await liftLimits(client);
    site = await makeSimulatedSite(client);
    const [heater, , , vent] = site.outputs;
    const pair = {
      name: 'Heater and roof vent',
      is_mutual: false,
      above_pct: 20,
      while_output_id: vent?.unique_id,
      while_channel: 0,
      forbids_output_id: heater?.unique_id,
      forbids_channel: 0,
    };
    await client.ask('POST', '/api/geo/settings', { safety: { interlocks: [pair] } });
    browser = await openBrowser(service.url);
    ({ page } = await openPage(browser));
    const house = `${service.url}/houses/${site.facility.unique_id}`;
    await page.context().addInitScript(keepStream);
    const story = new Story(page, 'commands');
    await story.logIn(house);
    await page.getByRole('heading', { name: 'House 1' }).waitFor();
    phone = await page.context().newPage();
    await phone.setViewportSize({ width: 390, height: 844 });
    await phone.goto(house);
    stories = [story, new Story(phone, 'commands-phone')];
    await onBoth((shown) => control(3, shown).locator('[data-state=off]').waitFor());
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  const control = (at: number, shown = page) => shown.locator(`.control[data-output="${site.outputs[at]?.unique_id}"]`);
  const onBoth = (seen: (shown: Page) => Promise<unknown>) => Promise.all([page, phone].map(seen));
  const places = () => Promise.all([page, phone].map((shown) => placesOf(shown, rooms)));
  const command = (at: number, body: object) => client.ask('POST', `/api/outputs/${site.outputs[at]?.unique_id}`, body);
  const vent = (duty_cycle_pct: number) =>
    command(3, duty_cycle_pct > 0 ? { state: true, duty_cycle_pct } : { state: false });
  const faultOf = (at: number, kind: string | null) =>
    client.ask('PATCH', `/api/settings/outputs/${site.outputs[at]?.unique_id}`, {
      options: { fault: kind === null ? null : { kind } },
    });
  const noAlarms = () => onBoth((shown) => shown.getByText('No alarms.').waitFor());
  const anAlarm = () => onBoth((shown) => shown.locator('.alerts__one').first().waitFor());
  const turnOn = (at: number, shown = page) => control(at, shown).getByRole('button', { name: /: Turn on$/ });
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

  async function picture(what: string): Promise<void> {
    for (const story of stories) await story.picture(what);
  }

  /** An emergency stop takes its own button away, and nothing else is ever gone. */
  function expectHeld(before: Places = new Map(), now: Places): void {
    const { gone, moved } = heldOf(before, now);
    expect(moved).toEqual([]);
    expect(gone.filter((name) => !name.startsWith('Emergency stop'))).toEqual([]);
    expect(before.size).toBeGreaterThan(20);
  }

  /** Whatever has come up, nothing that can be pressed has moved on either page. */
  async function expectUnmoved(what: string): Promise<void> {
    await picture(what);
    for (const [at, now] of (await atRest(places)).entries()) expectHeld(untouched[at], now);
  }

  it('stand where they are whatever is told of an actuator, with a button for all that can be released', async () => {
    untouched = await atRest(places);
    const cards = [0, 3].map((at) => site.outputs[at]?.unique_id);
    const found: unknown[] = [];
    for (const [name, state] of cardStates(Date.now())) {
      for (const [on, shown] of [page, phone].entries()) {
        for (const card of cards) await tell(shown, card, stateOf(state));
        const { gone, moved } = heldOf(untouched[on] ?? new Map(), await placesOf(shown, rooms));
        const hidden = await hiddenActs(shown);
        if (gone.length + moved.length + hidden.length > 0) found.push({ name, on, gone, moved, hidden });
        const releases = releasable(stateOf(state), Date.now()) === null ? 0 : cards.length;
        expect([name, await shown.locator('.control__release').count()]).toEqual([name, releases]);
      }
      if (name !== 'of which all is told') continue;
      // More than its room shows is scrolled by the keys.
      await onBoth((shown) => control(0, shown).locator('.control__told[tabindex="0"]').waitFor());
      await picture('all-told');
    }
    for (const shown of [page, phone]) for (const card of cards) await tell(shown, card, stateOf({}));
    expect(found).toEqual([]);
    // Nine of them fit in one screen.
    const heights = await Promise.all([page, phone].map((shown) => control(0, shown).boundingBox()));
    expect(heights[0]?.height).toBeLessThanOrEqual(90);
    expect(heights[1]?.height).toBeLessThanOrEqual(165);
  });

  it('forget a chosen position where they stand, whatever is told, on the smallest phone', async () => {
    await phone.setViewportSize({ width: 320, height: 844 });
    const { unique_id } = site.outputs[3] ?? {};
    await control(3, phone).getByRole('slider').press('ArrowUp');
    const row = control(3, phone).locator('.control__acts');
    const chosen = () =>
      row.getByRole('button', { name: /^Set to|: Cancel$/ }).evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect()))); // prettier-ignore
    const before = await atRest(chosen);
    await tell(phone, unique_id, stateOf({ state: 40, source: 'manual', override_until: inAnHour() }));
    await row.locator('.control__release').waitFor();
    expect(await atRest(chosen)).toEqual(before);
    expect(await hiddenActs(phone)).toEqual([]);
    await stories[1]?.picture('chosen-and-held');
    await tell(phone, unique_id, stateOf({}));
    await row.getByRole('button', { name: /: Cancel$/ }).click();
    await phone.setViewportSize({ width: 390, height: 844 });
    await control(3, phone).locator('[data-state=off]').waitFor();
  });

  it('are confirmed by the device, or said to have failed', async () => {
    await faultOf(1, 'refuses');
    await command(2, { state: true, duty_cycle_pct: 10, override_until: inAnHour(), reason: 'the hinge is greased' });
    await onBoth((shown) =>
      control(2, shown)
        .getByRole('button', { name: /^Release/ })
        .waitFor(),
    );
    await turnOn(0).click();
    await onBoth((shown) => control(0, shown).locator('[data-state=on]').waitFor());
    await onBoth((shown) => turnOn(1, shown).click());
    await onBoth((shown) => control(1, shown).getByText('Failed').first().waitFor());
    await expectUnmoved('confirmed-held-failed');
    await client.ask('DELETE', `/api/outputs/${site.outputs[2]?.unique_id}/override`);
    await control(0)
      .getByRole('button', { name: /: Turn off$/ })
      .click();
    await onBoth((shown) => control(0, shown).locator('[data-state=off]').waitFor());
  });

  it('by the keyboard leave it where it was', async () => {
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    const pressed = await turnOn(0).getAttribute('aria-label');
    await turnOn(0).press('Enter');
    await control(0).locator('[data-state=on]').waitFor();
    await expect.poll(() => turnOn(0).getAttribute('aria-disabled')).toBe('false');
    expect(await focused()).toBe(pressed);
    await control(0)
      .getByRole('button', { name: /: Turn off$/ })
      .press('Enter');
    await onBoth((shown) => control(0, shown).locator('[data-state=off]').waitFor());
    // What sends a chosen position is there no more: its group has the focus.
    await control(3).getByRole('slider').press('ArrowUp');
    await control(3)
      .getByRole('button', { name: /^Set to/ })
      .press('Enter');
    await control(3).locator('[data-state="5"]').waitFor();
    expect(await focused()).toBe(await control(3).getAttribute('aria-label'));
    expect(await vent(0).then(({ status }) => status)).toBe(200);
    await onBoth((shown) => control(3, shown).locator('[data-state=off]').waitFor());
  });

  it('are refused, and kept where one says so', async () => {
    await faultOf(1, 'silent');
    await expect.poll(() => vent(60).then(({ status }) => status), { timeout: 30_000 }).toBe(200);
    await onBoth((shown) => turnOn(1, shown).click());
    await onBoth((shown) => turnOn(0, shown).click());
    await onBoth((shown) => control(0, shown).getByText('Refused by a safety rule').waitFor());
    expect(await control(0).locator('[data-kept]').count()).toBe(0);
    await onBoth((shown) => control(1, shown).getByText('No answer').first().waitFor());
    await expectUnmoved('refused-unanswered');
    const keep = control(0, phone).getByRole('button', { name: 'Do it when allowed' });
    const pressed = await atRest(() => keep.boundingBox());
    await keep.click();
    await onBoth((shown) => control(0, shown).getByText('asked for by grower').waitFor());
    const takeBack = await atRest(() => control(0, phone).locator('.control__release').boundingBox());
    expect((pressed?.x ?? NaN) + (pressed?.width ?? NaN)).toBeLessThan(takeBack?.x ?? NaN); // not by a second tap
    await expectUnmoved('kept');
    await vent(0);
    await control(0).locator('[data-state=on]').waitFor();
    await expect.poll(() => control(0).locator('[data-kept]').count()).toBe(0);
  });

  it('stay where they are when an alarm comes', async () => {
    // The command that failed before is an alarm until one succeeds.
    await faultOf(1, null);
    await command(1, { state: false });
    await noAlarms();
    await client.ask('POST', '/api/geo/settings', { alarm_limits: { indoor_temp_low_c: 59 } });
    await anAlarm();
    await expectUnmoved('alarm');
    await client.ask('POST', '/api/geo/settings', { alarm_limits: { indoor_temp_low_c: null } });
    await noAlarms();
  });

  it('by an emergency stop are not offered, and the house says so', async () => {
    await command(0, { state: true, override_until: inAnHour() });
    await client.ask('POST', '/api/emergency_stop', { reason: 'smoke' });
    await onBoth((shown) => shown.getByText('All outputs are commanded to their safe state.').waitFor());
    await onBoth((shown) => control(0, shown).locator('[data-ended]').waitFor());
    await expect.poll(() => turnOn(0).isDisabled()).toBe(true);
    await anAlarm();
    await expectUnmoved('stopped-house');
    // More alarms than there is room for are read by the keys.
    await phone.getByRole('region', { name: 'Alarms' }).press('End');
    // Another banner beside it takes none of its words.
    const { body: daemon } = await client.ask('GET', '/api/daemon');
    const last_restart = { at: new Date().toISOString(), reason: 'it did not answer' };
    await page.route('**/api/daemon', (route) => route.fulfill({ json: { ...(daemon as object), last_restart } }));
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.reload();
    await page.getByRole('button', { name: 'Dismiss' }).waitFor();
    await page
      .locator('.emergency')
      .getByText(/outputs are confirmed safe/)
      .waitFor();
    expect(await atRest(() => page.locator('.emergency button.whole').count())).toBe(0);
    await picture('stopped-restarted');
    await page.unroute('**/api/daemon');
    await page.goto(`${service.url}/devices`);
    await control(0).locator('[data-rule=emergency_stop]').waitFor();
    await picture('stopped-devices');
    await client.ask('DELETE', '/api/emergency_stop', {}, { 'content-length': '2' });
    await phone.getByText(/The stop is released\. Actuators stay as they are/).waitFor();
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.goto(`${service.url}/houses/${site.facility.unique_id}`);
    await turnOn(0).waitFor();
  });

  it('by nobody being there to carry them out: who stopped it is said, and it is started again', async () => {
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    // Three of its periods later a reading is too old, and what is derived from it unknown.
    await client.ask('PATCH', `/api/settings/inputs/${site.inputs[0]?.unique_id}`, { period_s: 1 });
    await controlOf(daemonPort).terminate_daemon();
    const stopped = /The control service was stopped by pyro/;
    await onBoth((shown) => shown.getByText(stopped).first().waitFor());
    await onBoth((shown) => shown.locator('[data-role=vpd]').getByText('unknown').waitFor());
    await expectUnmoved('daemon-stopped');
    await page.getByRole('button', { name: 'Start control service' }).click();
    await expect.poll(() => page.getByText(/The control service was stopped/).count()).toBe(0);
    await expect.poll(() => vent(10).then(({ status }) => status)).toBe(200);
    const { body } = await client.ask('GET', '/api/audit?limit=50');
    const kinds = (body as { audit: { kind: string }[] }).audit.map(({ kind }) => kind); // as declared
    expect(kinds).toEqual(expect.arrayContaining(['program.terminate_daemon', 'daemon.start', 'output.override_end']));
    await page.goto(`${service.url}/audit`);
    await page.getByText('Control service stopped by a program').first().waitFor();
    await picture('audit');
    const live = await atRest(() => placesOf(page, rooms));
    await service.stop();
    await phone.getByText(/These values are from/).waitFor();
    await page.locator('.live--off').waitFor();
    expectHeld(untouched[1], await atRest(() => placesOf(phone, rooms)));
    expectHeld(live, await atRest(() => placesOf(page, rooms)));
  });
});
