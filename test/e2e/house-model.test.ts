import { readFile } from 'node:fs/promises';
import { decode } from 'fast-png';
import { validateBytes } from 'gltf-validator';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Facility } from '../../server/contract/facility.ts';
import type { Input } from '../../server/contract/input.ts';
import { expectNoWider } from '../support/at-rest.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { liftLimits, makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

describe.skipIf(!hasBrowser())('a house in 3D', () => {
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
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'house-model');
    await story.identify(client);
  });

  afterAll(async () => {
    await browser?.close();
    client?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  const part = (name: string | RegExp): Locator => page.getByRole('listitem').filter({ hasText: name });
  const download = async (button: string): Promise<Buffer> => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return readFile(await file.path());
  };
  /** How many colours are in a picture: an empty canvas has few. */
  const colorsOf = (png: Buffer): number => {
    const { data, channels } = decode(png);
    const seen = new Set<number>();
    for (let at = 0; at < data.length; at += channels)
      seen.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0));
    return seen.size;
  };

  it('shows what stands open, and says it in a list', async () => {
    await client.ask('POST', `/api/outputs/${site.outputs[2]?.unique_id}`, { state: true, duty_cycle_pct: 60 });
    await page.goto(`${service.url}/houses/${site.facility.unique_id}`);
    await page.getByRole('link', { name: '3D model' }).click();
    await page.getByRole('button', { name: 'Corner' }).and(page.locator(':enabled')).waitFor();
    await part('Right wall')
      .getByText(/^60\s%$/)
      .waitFor();
    await part('indoor_temp').getByText('°C').waitFor();
    await page.getByRole('button', { name: 'Right wall' }).click();
    await story.picture('model');
    expect(colorsOf(await download('Save picture'))).toBeGreaterThan(100);
    expect(errors).toEqual([]);
  });

  it('is looked at by keys and buttons, walked through, cut, and taken along as glTF', async () => {
    const canvas = page.locator('canvas.model__canvas');
    const seen = (): Promise<Buffer> => canvas.screenshot();
    let before = await seen();
    const changes = async (act: () => Promise<unknown>): Promise<void> => {
      await act();
      await expect.poll(async () => (await seen()).equals(before)).toBe(false);
      before = await seen();
    };
    await changes(() => page.getByRole('button', { name: 'Top', exact: true }).click());
    await changes(() => canvas.press('ArrowDown'));
    await changes(() => page.getByRole('button', { name: 'Walk inside' }).click());
    await changes(() => page.getByRole('button', { name: 'Step forward' }).click());
    await story.picture('model-walk');
    await changes(() => canvas.press('Escape'));
    await page.getByLabel('Section cut').check();
    await changes(() => page.getByRole('slider').fill('25'));
    const file = await download('Save as glTF');
    expect([file.toString('latin1', 0, 4), file.readUInt32LE(4), file.readUInt32LE(8)]).toEqual([
      'glTF',
      2,
      file.length,
    ]);
    const { issues, info } = await validateBytes(file);
    expect(issues.messages).toEqual([]);
    expect(info.totalTriangleCount).toBeGreaterThan(100);
    const json = JSON.parse(file.toString('utf8', 20, 20 + file.readUInt32LE(12))) as { nodes: { name?: string }[] }; // first chunk
    expect(json.nodes.map(({ name }) => name)).toContain('House 1');
    expect(errors).toEqual([]);
  });

  /** Adds a hygrometer that always says the same, at a place in the house. */
  async function hangHygrometer(name: string, { lat, humidity_pct }: { lat: number; humidity_pct: number }) {
    const { driver, options, channels } = site.inputs[0] ?? {};
    const channel = channels?.find(({ measurement }) => measurement === 'humidity')?.channel;
    const made = await client.ask('POST', '/api/settings/inputs', {
      name,
      driver,
      options,
      period_s: 1,
      channels: [{ channel, scale: { kind: 'linear', factor: 0, offset: humidity_pct } }],
    });
    const { unique_id: device_id, channels: own } = made.body as Input; // as declared
    const point = {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [127.00005, lat] },
      properties: { type: 'device', name, device_id },
    };
    await client.ask('POST', '/api/geo/overlays/delta', { geo_id: site.map_uuid, added: [point] });
    return { role: 'indoor_humidity', device_id, measurement_id: own[0]?.measurement_id, name };
  }

  it('colours the air by humidity where two hygrometers hang, and not by temperature where one thermometer does', async () => {
    const damp = await hangHygrometer('Damp end', { lat: 37.50008, humidity_pct: 85 });
    const dry = await hangHygrometer('Dry end', { lat: 37.50037, humidity_pct: 45 });
    const { unique_id, sensors } = site.facility;
    // Beside a third, one so far apart would be doubted.
    const others = sensors.filter(({ role }) => role !== 'indoor_humidity');
    const saved = await client.ask('POST', '/api/geo/facility', { unique_id, sensors: [...others, damp, dry] });
    expect(saved.status).toBe(200);
    await page.goto(`${service.url}/houses/${unique_id}/model`);
    await page.getByRole('button', { name: 'Top', exact: true }).and(page.locator(':enabled')).click();
    await part('Damp end').getByText('85').waitFor();
    await part('Dry end').getByText('45').waitFor();
    await page.getByLabel('Show: Wind and sun').uncheck(); // by day the sun is yellow too
    const canvas = page.locator('canvas.model__canvas');
    /** Pixels of the yellow end of the scale, in the half of the front and that of the back. */
    const yellow = async (): Promise<{ front: number; back: number }> => {
      const { data, channels, width, height } = decode(await canvas.screenshot());
      const found = { front: 0, back: 0 };
      for (let at = 0; at < width * height * channels; at += channels) {
        if ((data[at] ?? 0) > (data[at + 2] ?? 0) + 60) found[at < data.length / 2 ? 'front' : 'back'] += 1;
      }
      return found;
    };
    expect(await yellow()).toEqual({ front: 0, back: 0 });
    const color = page.getByRole('group', { name: 'Colour the air by' });
    await color.getByText('Humidity').click();
    const scale = page.locator('.space__scale');
    await expect.poll(async () => (await scale.innerText()).replaceAll(/\s/g, '')).toBe('45.0%85.0%');
    // The damp end is at the back.
    await expect.poll(async () => (await yellow()).back).toBeGreaterThan(500);
    expect((await yellow()).front).toBe(0);
    await story.picture('humidity');
    await color.getByText('Temperature').click();
    await page.getByText('Nothing to show: this needs at least two sensors').waitFor();
    await expect.poll(yellow).toEqual({ front: 0, back: 0 });
    await story.picture('temperature');
    expect(errors).toEqual([]);
  });

  it('keeps the way it is shown with the house', async () => {
    await page.getByText('Lines', { exact: true }).click();
    await page.getByLabel('Show: Crop rows').uncheck();
    await page.getByRole('button', { name: 'Save this view for the house' }).click();
    await page.getByText('The view is saved with the house.').first().waitFor();
    const { body } = await client.ask('GET', `/api/geo/facility/${site.facility.unique_id}`);
    expect((body as Facility).view_3d).toMatchObject({
      render_mode: 'wireframe',
      category_visibility: { crop: false },
    });
    await page.reload();
    await expect.poll(() => page.getByLabel('Show: Crop rows').isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Corner' }).and(page.locator(':enabled')).waitFor();
    await story.picture('model-lines');
  });

  it('falls back to the cross-section where the graphics stop or are missing', async () => {
    await page.locator('canvas.model__canvas').evaluate((canvas: HTMLCanvasElement) => {
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
    });
    await page.getByText('The graphics card stopped drawing').waitFor();
    await page.getByRole('img', { name: /^Cross-section/ }).waitFor();
    await story.picture('model-lost');
    await page.getByRole('button', { name: 'Try 3D again' }).click();
    await page.locator('canvas.model__canvas').waitFor();
    const state = await page.context().storageState();
    const plain = await openPage(browser, { storageState: state, viewport: { width: 390, height: 844 } });
    await plain.page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await plain.page.goto(page.url());
    await plain.page.getByText('This browser cannot draw in 3D').waitFor();
    await plain.page.getByRole('button', { name: 'Right wall' }).waitFor();
    await expectNoWider(plain.page);
    await plain.page.context().close();
  });
});
