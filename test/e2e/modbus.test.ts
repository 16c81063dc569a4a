import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { choose } from '../support/choose.ts';
import { hasPythonModule, startPythonPeer, type Peer } from '../support/peer.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { Story } from '../support/story.ts';

const canRun = hasBrowser() && hasPythonModule('pymodbus');

describe.skipIf(!canRun)('a Modbus server of another make, in the page', () => {
  let service: RunningService;
  let browser: Browser;
  let page: Page;
  let story: Story;
  let errors: string[];
  let peer: Peer;
  let port = 0;

  beforeAll(async () => {
    service = await startService();
    peer = startPythonPeer('modbus-server.py', [JSON.stringify({ 4: 235 })]);
    ({ port } = (await peer.next()) as { port: number }); // the first line it prints
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'modbus');
    await story.makeAdministrator(service);
    await story.nameSite('Workshop');
    await story.beginEmpty();
    await page.getByRole('link', { name: 'Devices' }).click();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    peer?.kill();
    removeDataDirectory(service.dataDirectory);
  });

  async function beginDevice(use: 'measures' | 'switches', name: string): Promise<void> {
    await page.getByRole('button', { name: 'Add device' }).first().click();
    await page.getByText(use, { exact: true }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.getByLabel('Host name or address').fill('127.0.0.1');
    await page.getByLabel('Port').fill(String(port));
  }

  const select = (field: string): Locator => page.getByRole('combobox', { name: field, exact: true });

  it('reads a holding register as a temperature', async () => {
    await beginDevice('measures', 'Thermometer');
    await choose(select('Measures'), 'Temperature');
    await page.getByLabel('Address', { exact: true }).fill('4');
    await choose(select('Type'), 'int16');
    await page.getByRole('textbox', { name: 'Scale', exact: true }).fill('0.1');
    await story.picture('register');
    await page.getByRole('button', { name: 'Add and test' }).click();
    await page
      .getByText(/23\.5\s°C/)
      .first()
      .waitFor();
    await story.picture('reading');
    await page.getByRole('button', { name: 'Done' }).click();
    expect(errors).toEqual([]);
  });

  it('switches a coil and shows it on only when the device says so', async () => {
    await beginDevice('switches', 'Pump');
    await choose(select('Table'), 'Coil');
    await page.getByLabel('Address', { exact: true }).fill('3');
    await page.getByRole('button', { name: 'Add and test' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page
      .locator('#content')
      .getByRole('button', { name: /Turn on$/ })
      .click();
    await page.getByText(/Manual · grower/).waitFor();
    await expect.poll(() => peer.next()).toEqual({ table: 'coil', address: 3, values: [true] });
    await story.picture('switched');
    expect(errors).toEqual([]);
  });

  it('is held by an override, with its reason, until somebody releases it', async () => {
    const content = page.locator('#content');
    await content.getByRole('button', { name: /^Override “/ }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Off', { exact: true }).click();
    await dialog.getByLabel('Reason (everyone sees it)').fill('repair of the pipe');
    await dialog.getByRole('button', { name: 'Override', exact: true }).click();
    await content.getByText(/Override until .* left/).waitFor();
    await content.getByText(/repair of the pipe/).waitFor();
    await expect.poll(() => peer.next()).toEqual({ table: 'coil', address: 3, values: [false] });
    await story.picture('override');
    await content.getByRole('button', { name: /Turn on$/ }).click();
    await dialog.getByText(/^Waits until/).waitFor();
    await story.picture('override-question');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await expect.poll(() => peer.next()).toEqual({ table: 'coil', address: 3, values: [true] });
    await content.getByText(/Override until .* left/).waitFor();
    await content.getByText(/repair of the pipe/).waitFor();
    await content.getByRole('button', { name: /^Release the override of/ }).click();
    await expect.poll(() => content.getByText(/Override until/).count()).toBe(0);
    expect(errors).toEqual([]);
  });

  it('is found by its address', async () => {
    await page.getByRole('button', { name: 'Find devices' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address of the device or gateway').fill('127.0.0.1');
    await dialog.getByLabel('Port').fill(String(port));
    await dialog.getByLabel('To unit').fill('1');
    await dialog.getByRole('button', { name: 'Search' }).click();
    await dialog.getByText('Unit 1', { exact: true }).waitFor();
    await dialog.getByText('in use').waitFor();
    await story.picture('units');
    await dialog.getByText('1-Wire', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Search' }).click();
    await dialog.getByText(/^This machine has no 1-Wire bus|on the bus\.$/).waitFor(); // as the machine of the test is
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
  });

  async function more(name: string, item: string): Promise<void> {
    await page.getByRole('button', { name: `More for ${name}`, exact: true }).click();
    await page.getByText(item, { exact: true }).click();
  }

  it('is changed, copied and deleted by the same form', async () => {
    await more('Thermometer', 'Change…');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Probe');
    await page.getByRole('textbox', { name: 'Scale', exact: true }).fill('0.01');
    await page.getByLabel('Read every').fill('0.01');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A number from 0.1 to 86,400.').waitFor();
    await story.picture('refused');
    await page.getByLabel('Read every').fill('0.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Probe', exact: true }).waitFor();
    await page
      .getByText(/2\.35\s°C|2\.4\s°C/)
      .first()
      .waitFor();
    await more('Probe', 'Read now');
    await page
      .getByText(/Probe: 2\.[34]/)
      .first()
      .waitFor();
    await more('Probe', 'Duplicate…');
    await page.getByRole('button', { name: 'Add and test' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Probe (copy)' }).waitFor();
    await more('Probe (copy)', 'Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Probe (copy)' }).waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Search name, driver or channel' }).fill('pump');
    await page.getByText('1 of 2 devices').waitFor();
    await story.picture('found');
    expect(errors).toEqual([]);
  });
});
