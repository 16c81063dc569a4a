import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dashboard, Widget } from '../../server/contract/dashboard.ts';
import type { FacilityList } from '../../server/contract/facility.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { atRest, expectNoWider, expectUncut } from '../support/at-rest.ts';
import { choose } from '../support/choose.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { liftLimits, makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

describe.skipIf(!hasBrowser())('the overview', () => {
  let service: RunningService;
  let client: ServiceClient;
  let site: SimulatedSite;
  let browser: Browser;
  let page: Page;
  let story: Story;
  let errors: string[];

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    await liftLimits(client);
    site = await makeSimulatedSite(client);
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser, { serviceWorkers: 'allow' }));
    story = new Story(page, 'overview');
    await story.enter(service.url, client);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    client?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  const card = (): Locator => page.getByRole('link', { name: 'House 1' });
  const placeOf = async (one: Locator): Promise<{ y: number; height: number }> => {
    const box = await one.boundingBox();
    return { y: box?.y ?? NaN, height: box?.height ?? NaN };
  };

  /** Where it was; what moves by less than half a pixel stands still. */
  const near = ({ y, height }: { y: number; height: number }) => ({
    y: expect.closeTo(y, 0) as number,
    height: expect.closeTo(height, 0) as number,
  });

  it('says that all is well and what runs by whom', async () => {
    await page.getByRole('heading', { name: 'No alarms' }).waitFor();
    await card().getByText('Nothing running').waitFor();
    const before = await atRest(() => placeOf(card()));
    const heater = site.outputs[0]?.unique_id;
    await client.ask('POST', `/api/outputs/${heater}`, { state: true, reason: 'dry the crop' });
    await card().getByText('Heater').waitFor();
    await card().getByText('dry the crop').waitFor();
    await expect.poll(() => placeOf(card())).toEqual(near(before));
    expect(errors).toEqual([]);
  });

  it('claims nothing of the present while the server is away', async () => {
    const { facility, map_uuid } = site;
    await page.goto(`${service.url}/houses/${facility.unique_id}`);
    await page.getByText('No alarms.').waitFor();
    await page.getByText('°C').first().waitFor();
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.context().setOffline(true);
    try {
      await page.reload();
      await page.getByText('Unknown while there is no connection.').waitFor();
      await page.getByText('These values are from').waitFor();
      await story.picture('house-away');
      expect(await page.getByText('No alarms.').count()).toBe(0);
      await page.getByRole('link', { name: 'Alarms' }).first().click();
      await page.getByText('Current alarms unknown').waitFor();
      expect(await page.getByText('Everything being watched is within its limits.').count()).toBe(0);
      await page.goto(`${service.url}/maps/${map_uuid}`);
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      expect(await page.getByText('Nothing drawn yet').count()).toBe(0);
      await story.picture('map-away');
    } finally {
      await page.context().setOffline(false);
    }
    await page.goto(service.url);
    await page.getByText('Live', { exact: true }).waitFor();
    errors.splice(0); // Chromium notes each request that found no server
  });

  it('holds the temperature against the setpoints of a program that runs', async () => {
    await card().getByText('usual').first().waitFor();
    const house = site.facility.unique_id;
    await client.ask('POST', `/api/geo/facility/${house}/climate`, {
      name: 'Tomato',
      is_activated: true,
      periods: [
        { name: 'Day', start: { event: 'clock', at: '00:00' }, setpoints: { heating_c: 18, ventilation_c: 22 } },
      ],
    });
    await page.reload();
    await card().getByText('set 18').waitFor();
    await story.picture('well');
    await page.getByRole('link', { name: 'Control', exact: true }).click();
    await page.getByRole('link', { name: 'House 1 · Tomato' }).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await card().waitFor();
    expect(errors).toEqual([]);
  });

  it('opens with the last known state while the server is away, and begins anew with its first answer', async () => {
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    const banner = page.getByText('No connection to the server: showing the state as of');
    await page.context().setOffline(true);
    try {
      await page.reload();
      await banner.waitFor();
      await card().getByText('°C').first().waitFor();
      await page.getByRole('button', { name: 'Emergency stop' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Emergency stop' }).click();
      await story.picture('away');
      await page.getByText('Not sent').first().waitFor();
    } finally {
      await page.context().setOffline(false);
    }
    await banner.waitFor({ state: 'detached' });
    await page.getByText('Live', { exact: true }).waitFor();
    // With a token again.
    await page.getByRole('button', { name: 'Emergency stop' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Emergency stop' }).click();
    // Seen without the server, it says from when it is known, counts nothing, and is whole where there is room.
    await page.getByRole('button', { name: 'Release the stop' }).waitFor();
    await page.reload();
    const stopped = page.locator('.emergency');
    await stopped.getByText(/outputs are confirmed safe/).waitFor();
    await page.context().setOffline(true);
    try {
      await page.reload();
      const old = /^As of .+: Emergency stop by .+ Whether the outputs are safe is unknown\.$/;
      await stopped.getByText(old).waitFor();
      await page.getByRole('img', { name: /^No connection to the server/ }).waitFor();
      for (const width of [390, 820, 1_280, 1_440]) {
        await page.setViewportSize({ width, height: 900 });
        await story.picture(`stopped-away-${width}`);
        if (width >= 820) expect(await atRest(() => page.locator('.shell__notices button.whole').count())).toBe(0);
      }
    } finally {
      await page.context().setOffline(false);
    }
    await stopped.getByText(/^Emergency stop by .+ outputs are confirmed safe/).waitFor();
    await page.getByRole('button', { name: 'Release the stop' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Release the stop' }).click();
    await page.getByRole('button', { name: 'Emergency stop' }).waitFor();
    errors.splice(0); // Chromium notes each request that found no server
  });

  it('places devices on the map by the keyboard and switches one there', async () => {
    const { map_uuid, inputs, outputs } = site;
    const heater = outputs[0];
    await client.ask('POST', `/api/outputs/${heater?.unique_id}`, { state: false });
    await page.goto(`${service.url}/maps/${map_uuid}`);
    await page.getByRole('tab', { name: /^Devices/ }).press('Enter');
    for (const [device, lat] of [
      [heater, '37.50012'],
      [inputs[0], '37.50030'],
    ] as const) {
      await page.getByRole('button', { name: `${device?.name}: At coordinates…` }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Latitude').fill(lat);
      await dialog.getByLabel('Longitude').fill('127.00005');
      await dialog.getByLabel('Longitude').press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'On the map' }).first().waitFor();
    }
    const value = page.locator('.map-point__value', { hasText: '°C' }).first();
    await value.waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: heater?.name ?? '' })
      .getByRole('button', { name: 'On the map' })
      .click();
    const popup = page.locator('.leaflet-popup');
    const turnOn = popup.getByRole('button', { name: /: Turn on$/ });
    await turnOn.waitFor();
    await turnOn.click();
    // Asked where a program drives what somebody set before.
    const question = page.getByRole('button', { name: 'Turn on', exact: true });
    const isOn = popup.locator('[data-state=on]');
    await question.or(isOn).first().waitFor();
    if (await question.isVisible()) await question.click();
    await isOn.waitFor();
    await page.locator('.map-point__value').getByText('On', { exact: true }).waitFor();
    await story.picture('map-device');
    await client.ask('POST', `/api/outputs/${heater?.unique_id}`, { state: false });
    expect(errors).toEqual([]);
  });

  it('keeps the pop-up of a device in view while the page fills it', async () => {
    const view = { name: 'Edge', lat: 37.5, lng: 127, zoom: 18 };
    const { map_uuid: geo_id } = (await client.ask('POST', '/api/geo/designs', view)).body as { map_uuid: string }; // a design
    const heater = site.outputs[0];
    await client.ask('POST', `/api/outputs/${heater?.unique_id}`, { state: false });
    const geometry = { type: 'Point', coordinates: [127, 37.5] };
    const properties = { type: 'device', name: heater?.name, device_id: heater?.unique_id };
    const added = [{ type: 'Feature', geometry, properties }];
    await client.ask('POST', '/api/geo/overlays/delta', { geo_id, added });
    await page.goto(`${service.url}/maps/${geo_id}`);
    const canvas = page.locator('.map-page__canvas');
    const popup = page.locator('.leaflet-popup');
    const mark = page.locator('.map-point', { hasText: 'Off' });
    await mark.waitFor();
    // At the upper edge of the map there is room for the empty pop-up only.
    const fromEdge = async (): Promise<number> => {
      await canvas.press('ArrowDown');
      const [at, map] = await atRest(() => Promise.all([mark.boundingBox(), canvas.boundingBox()]));
      return (at?.y ?? NaN) - (map?.y ?? NaN);
    };
    await expect.poll(fromEdge).toBeLessThan(100);
    await mark.click();
    await popup.getByRole('button', { name: /: Turn on$/ }).waitFor();
    const [shown, map] = await atRest(() => Promise.all([popup.boundingBox(), canvas.boundingBox()]));
    if (shown === null || map === null) throw new Error('both are on the page');
    expect(shown.height).toBeGreaterThan(200); // else it had room there
    expect(shown.y).toBeGreaterThanOrEqual(map.y);
    expect(shown.x + shown.width).toBeLessThanOrEqual(map.x + map.width);
    expect(errors).toEqual([]);
  });

  it('copies a house to another outline, fitted to it and without its devices', async () => {
    const [west, south, east, north] = [127.001, 37.5, 127.001181, 37.500539]; // 16 m by 59.9 m
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    const outline = {
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates: [ring] },
      properties: { type: 'facility', name: 'House 2' },
    };
    await client.ask('POST', '/api/geo/overlays/delta', { geo_id: site.map_uuid, added: [outline] });
    await page.goto(`${service.url}/houses/${site.facility.unique_id}`);
    await page.getByRole('button', { name: 'More for House 1' }).click();
    await page.getByText('Copy to other outlines').click();
    await page.getByLabel(/^House 2/).check();
    await story.picture('copy');
    await page.getByRole('button', { name: 'Make 1 house' }).click();
    await page.getByText('1 house made').first().waitFor();
    const { body } = await client.ask('GET', '/api/geo/facility/list');
    const made = (body as FacilityList).facilities.find(({ name }) => name === 'House 2');
    expect(made).toMatchObject({ bay_count: 2, structure: 'connected', sensors: [], actuators: [] });
    expect([made?.envelope.bay_width_m, made?.envelope.length_m]).toEqual([8, 59.9]);
    await client.ask('DELETE', `/api/geo/facility/${made?.unique_id}`);
    await page.goto(service.url);
    await card().waitFor();
    expect(errors).toEqual([]);
  });

  describe('a dashboard', () => {
    const widget = (name: string | RegExp): Locator => page.getByRole('article', { name });
    const handle = (name: string): Locator => page.getByRole('group', { name });
    const select = (field: string): Locator =>
      page.getByRole('dialog').getByRole('combobox', { name: field, exact: true });
    const add = async (kind: string, fill: () => Promise<unknown>): Promise<void> => {
      await page.getByRole('button', { name: 'Add widget' }).click();
      if (kind !== 'Value') await choose(select('Shows'), kind);
      await fill();
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const stored = async (): Promise<Widget[]> => {
      const { body } = await client.ask('GET', '/api/settings/dashboards');
      return (body as { dashboards: Dashboard[] }).dashboards[0]?.widgets ?? [];
    };

    it('is made of widgets, and arranged by pointer and keys, with undo', async () => {
      await page.getByRole('link', { name: 'Dashboards' }).click();
      await page.getByText('No dashboard yet').waitFor();
      await page.getByRole('button', { name: 'New dashboard' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Office');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('Nothing on this dashboard yet').waitFor();
      await story.picture('dashboard-empty');
      const channel = site.inputs[0]?.channels[0]?.name ?? '';
      await add('Value', () => choose(select('Channel'), new RegExp(channel)));
      await add('Chart', async () => {
        await choose(select('Channels'), new RegExp(channel));
        await page.keyboard.press('Escape');
      });
      await add('House', () => choose(select('House'), /House 1/));
      await add('Actuator', () => choose(select('Actuator'), new RegExp(site.outputs[0]?.name ?? '')));
      await add('Text', () => page.getByRole('dialog').getByLabel('Text').fill('Vents: ask Kim\nbefore opening'));
      for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowDown', 'Control+z']) await handle('Value').press(key);
      await story.picture('dashboard-edit');
      const head = handle('Text').locator('header');
      await head.scrollIntoViewIfNeeded();
      const grip = await atRest(() => head.boundingBox());
      if (grip === null) throw new Error('no header');
      await page.mouse.move(grip.x + 20, grip.y + 10);
      await page.mouse.down();
      await page.mouse.move(grip.x + 20, grip.y + 110, { steps: 8 });
      await page.mouse.up();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'Arrange' }).waitFor();
      // The chart made room.
      const [value, chart, , moved, text] = await stored();
      expect(value).toMatchObject({ kind: 'value', column: 2, row: 0, columns: 6, rows: 4 });
      expect(chart).toMatchObject({ kind: 'trend', span_s: 86_400, column: 6, row: 4 });
      expect(text?.row).toBeGreaterThan(moved?.row ?? NaN);
      await widget(channel).first().getByText('°C').first().waitFor();
      await story.picture('dashboard');
      // Whole as they are added, but for what was pulled about.
      const cut = (): Promise<(string | undefined)[]> =>
        page.locator('.widget').evaluateAll(
          (all) =>
            all
              .filter((one) =>
                [...one.querySelectorAll('.widget__body, .whole__room')].some(
                  (e) => e.scrollHeight > e.clientHeight + 3,
                ),
              )
              .map((one) => (one as HTMLElement).dataset['kind']), // an article is one
        );
      await expect.poll(cut).toEqual([]);
      // A printed chart is drawn for the sheet before it is laid out.
      const drawn = (): Promise<number> => page.locator('[data-kind=trend] canvas').evaluate((one) => one.clientWidth);
      const wide = await atRest(drawn);
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      await expect.poll(drawn).toBeLessThan(340);
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      await expect.poll(drawn).toBe(wide);
      // The wheel scrolls the page past a chart; with Ctrl it zooms.
      const latest = widget(channel).getByRole('button', { name: 'Go to now' });
      const isLeftToPage = (ctrlKey: boolean): Promise<boolean> =>
        widget(channel)
          .locator('.u-over')
          .evaluate(
            (chart, held) =>
              chart.dispatchEvent(new WheelEvent('wheel', { deltaY: -100, ctrlKey: held, cancelable: true })),
            ctrlKey,
          );
      expect(await isLeftToPage(false)).toBe(true);
      expect(await latest.count()).toBe(0);
      await expect.poll(() => isLeftToPage(true)).toBe(false); // once it has its readings
      await latest.click();
      await latest.first().waitFor({ state: 'detached' });
      expect(errors).toEqual([]);
    });

    it('asks before what is not saved is left, and stands one below the other on a phone', async () => {
      await page.getByRole('button', { name: 'Arrange' }).click();
      await handle('Value').press('Delete');
      // The keyboard goes on at another widget.
      await page.locator('[role=group]:focus').waitFor();
      for (const key of ['Control+z', 'Control+y']) {
        await page.locator('[role=group]:focus').press(key);
        await page.locator('[role=group]:focus').waitFor();
      }
      await handle('Value').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Overview' }).first().click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('alertdialog').first().waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.setViewportSize({ width: 390, height: 844 });
      await story.picture('dashboard-phone');
      await expectNoWider(page);
      await page.setViewportSize({ width: 1280, height: 800 });
      expect(await stored()).toHaveLength(5);
    });

    it('hangs on the wall without menus, with its alarms and its way out', async () => {
      await page.getByRole('button', { name: 'Wall display' }).click();
      await page.getByRole('navigation', { name: 'Main navigation' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Emergency stop' }).waitFor();
      await story.picture('wall-dashboard');
      await page.goto(`${service.url}/?wall=1`);
      await card().waitFor();
      await story.picture('wall');
      // From a page that was opened from it, it is ended too.
      await card().click();
      await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('button', { name: 'End wall display' }).click();
      await page.getByRole('button', { name: 'End wall display' }).waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await page.goBack();
      await page.getByRole('button', { name: 'End wall display' }).click();
      await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
      expect(errors).toEqual([]);
    });
  });

  it('does not look calm while alarms stand, and moves no house', async () => {
    const before = await atRest(() => placeOf(card()));
    await client.ask('POST', '/api/emergency_stop', { reason: 'smoke' });
    await page.getByRole('heading', { name: /\d alarm/ }).waitFor();
    await page.getByText('Emergency stop').first().waitFor();
    await story.picture('alarms');
    await expect.poll(() => placeOf(card())).toEqual(near(before));
    await expectUncut(page, [820, 1280]);
    expect(errors).toEqual([]);
  });

  it('costs a browser that has nothing of it less than 300 kB of compressed script', async () => {
    const { page: cold } = await openPage(browser);
    await cold.addInitScript('window.requestIdleCallback = () => 0'); // what it loads once it is idle comes after them
    await cold.context().addCookies(await page.context().cookies());
    await cold.goto(service.url);
    await cold.getByRole('link', { name: 'House 1' }).waitFor();
    const sizes = await cold.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((one): one is PerformanceResourceTiming => one instanceof PerformanceResourceTiming)
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ encodedBodySize }) => encodedBodySize),
    );
    await cold.context().close();
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000);
  });

  it('asks before changed settings are left, and keeps them until that is answered', async () => {
    await page.goto(`${service.url}/settings/site`);
    const name = page.getByLabel('Name of the site');
    await name.fill('South field');
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    const leave = () => page.getByRole('link', { name: 'Overview' }).click();
    await leave();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect([new URL(page.url()).pathname, await name.inputValue()]).toEqual(['/settings/site', 'South field']);
    await leave();
    await question.getByRole('button', { name: 'Leave' }).click();
    await card().waitFor();
    expect((await client.ask('GET', '/api/geo/settings')).body).not.toMatchObject({ site_name: 'South field' });
  });

  it('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await story.picture('phone');
    await expectUncut(page, [390]);
  });

  it('calls a house unknown in which nothing is active, without a warning, and leads to what is not', async () => {
    const { facility, inputs, outputs } = site;
    await page.setViewportSize({ width: 1280, height: 800 });
    await client.ask('DELETE', '/api/emergency_stop', {}, { 'content-length': '2' });
    for (const { unique_id } of [...inputs, ...outputs])
      await client.ask('POST', `/api/controllers/${unique_id}`, { activate: false });
    await card().getByText('Unknown', { exact: true }).first().waitFor();
    await card().click();
    await page.getByText(`Inactive sensors: ${facility.sensors.length}.`).waitFor();
    await page.getByText(`Inactive actuators: ${facility.actuators.length}.`).waitFor();
    expect(await page.locator('.level').innerText()).toContain('Unknown');
    expect(await page.getByText('No reading', { exact: true }).count()).toBe(0);
    await story.picture('house-inactive');
    await page.getByRole('link', { name: 'Show inactive devices' }).first().click();
    const shown = (): Promise<number> => page.locator('[data-device]').count();
    const used = new Set([...facility.sensors, ...facility.actuators].map(({ device_id }) => device_id));
    await expect.poll(shown).toBe(used.size);
    expect(used.size).toBeLessThan(inputs.length + outputs.length); // the others are of no house
    await story.picture('devices-inactive');
    // An open page learns at once what somebody else does.
    await client.ask('POST', `/api/controllers/${facility.sensors[0]?.device_id}`, { activate: true });
    await expect.poll(shown).toBe(used.size - 1);
    expect(errors).toEqual([]);
  });
});
