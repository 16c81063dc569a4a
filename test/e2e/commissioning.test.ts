import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckItem } from '../../server/contract/commissioning.ts';
import { language } from '../../server/contract/language.ts';
import { reportPage } from '../../server/services/commissioning/report.ts';
import { atRest, expectNoWider } from '../support/at-rest.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { choose } from '../support/choose.ts';
import { sampleCheck } from '../support/commissioning-check.ts';
import { heldOf, placesOf } from '../support/places.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

const output = join(import.meta.dirname, '../output/pictures');

describe.skipIf(!hasBrowser())('a house is commissioned on the screen', () => {
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
    site = await makeSimulatedSite(client);
    await bind();
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    story = new Story(page, 'commissioning');
    await story.logIn(`${service.url}/houses/${site.facility.unique_id}/commissioning`);
    await page.getByRole('heading', { name: 'Commissioning of House 1' }).waitFor();
    // Before the log-in the page learns by a 401 that nobody is logged in.
    errors.splice(0);
  });

  afterAll(async () => {
    await browser?.close();
    client?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  /** Lamps and light, which answer at once whatever the weather. */
  async function bind(): Promise<void> {
    const [indoor] = site.inputs;
    const lighting = site.outputs.find(({ options }) => options['part'] === 'lighting');
    const sensor = { device_id: indoor?.unique_id, name: 'Light' };
    const [, , , light] = indoor?.channels ?? [];
    await client.ask('POST', '/api/geo/facility', {
      unique_id: site.facility.unique_id,
      sensors: [{ ...sensor, role: 'indoor_light', measurement_id: light?.measurement_id }],
      actuators: [{ role: 'lighting', device_id: lighting?.unique_id, name: 'Lamps' }],
    });
  }

  /** By its heading: the row of a sensor names what moved it. */
  const rowOf = (name: string) =>
    page.getByRole('listitem').filter({ has: page.locator('summary').filter({ hasText: name }) });

  /** A row that asks for a look has opened by itself. */
  async function unfold(row: Locator): Promise<void> {
    if ((await row.locator('details[open]').count()) === 0) await row.locator('summary').click();
    await row.locator('details[open]').waitFor();
  }

  it('says what will happen, and begins', async () => {
    await page.getByRole('button', { name: 'Start the check' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('The check takes about 2 min').waitFor();
    await story.picture('question');
    await question.getByRole('button', { name: 'Start the check' }).click();
    await page.getByText('Watching sensors').waitFor();
    expect(errors).toEqual([]);
  });

  it('shows what is being tested, and then the result of each device; nothing moves by itself', async () => {
    const phone = await page.context().newPage();
    await phone.setViewportSize({ width: 390, height: 844 });
    await phone.goto(page.url());
    await phone.getByText('Watching sensors').waitFor();
    const places = () => atRest(() => Promise.all([page, phone].map((shown) => placesOf(shown, '.run__state *'))));
    const began = await places();
    const expectHeld = async (gone: readonly string[]): Promise<void> => {
      for (const [at, now] of (await places()).entries()) {
        expect(heldOf(began[at] ?? new Map(), now)).toEqual({ gone, moved: [] });
      }
    };
    const run = page.getByRole('region', { name: 'The running check' });
    await run
      .getByRole('listitem')
      .filter({ hasText: 'Lamps' })
      .getByText('Being tested')
      .waitFor({ timeout: 280_000 });
    await story.picture('testing');
    await expectHeld([]);
    // What is not clear is switched once more.
    for (const shown of [page, phone]) await shown.getByText('Awaiting verdicts').first().waitFor({ timeout: 280_000 });
    await expectHeld(['Abort 0']); // now the next one can be started
    await phone.close();
    await page.getByRole('button', { name: 'Show the results' }).click();
    await story.picture('tested');
    const lamps = rowOf('Lamps');
    await lamps.getByText('OK').first().waitFor();
    await lamps.locator('summary').press('Enter');
    await lamps.getByText('Response').first().waitFor();
    expect(errors).toEqual([]);
  }, 300_000);

  it('holds a sensor against a reference', async () => {
    const light = rowOf('Indoor light');
    const form = light.getByRole('form', { name: 'Against a reference' });
    await unfold(light);
    await form.getByLabel('Reference', { exact: true }).fill('100');
    await form.getByLabel('Allowed').fill('5000');
    await form.getByLabel('Reference instrument').fill('LI-200R no. 7');
    await form.getByRole('button', { name: 'Take the reading' }).click();
    await light.getByText('A second point is missing').waitFor();
    await story.picture('accuracy');
    expect(errors).toEqual([]);
  });

  it('is judged device by device until it is completed', async () => {
    const lamps = rowOf('Lamps');
    await lamps.getByLabel('Note').fill('all twelve light up');
    await lamps.getByRole('button', { name: 'Approve' }).click();
    await lamps.getByText('Approved by').waitFor();
    const light = rowOf('Indoor light');
    await unfold(light);
    await choose(light.getByRole('combobox', { name: 'Reason for holding' }), 'A sensor');
    await light.getByRole('button', { name: 'Hold' }).click();
    await page.getByText('Completed').first().waitFor();
    expect(errors).toEqual([]);
  });

  it('prints the report of a common house on two pages, in every language', async () => {
    const check = sampleCheck(site.facility.unique_id);
    const [actuator, sensor] = check.items as [CheckItem, CheckItem]; // the sample has both
    const items = Array.from({ length: 18 }, (_, at) => ({
      ...(at < 9 ? actuator : { ...sensor, result: 'ok' as const }),
      name: `Device no. ${at + 1}`,
      ...(at % 9 === 0 && { result: 'fail' as const }),
    }));
    const paper = await page.context().newPage();
    for (const one of language.options) {
      const facts = { siteName: 'Hilltop', timeZone: 'Asia/Seoul', sha256: 'ab'.repeat(32) };
      await paper.setContent(reportPage({ ...check, items }, { ...facts, language: one }));
      const pdf = await paper.pdf({ format: 'A4' });
      expect(pdf.toString('latin1').match(/\/Type \/Page\b/g), one).toHaveLength(2);
    }
    await paper.close();
  });

  it('gives a report that opens in the browser and prints, and one that can be verified', async () => {
    const [report] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Print report' }).click(),
    ]);
    await report.getByRole('heading', { name: 'Commissioning report' }).waitFor();
    expect(await report.evaluate(() => getComputedStyle(document.querySelector('h1') as Element).fontSize)).not.toBe(
      '32px',
    ); // the page's own style
    await report.getByText('LI-200R no. 7').waitFor();
    const pdf = await report.pdf({ format: 'A4' });
    writeFileSync(join(output, 'commissioning-report.pdf'), pdf);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    const printed = await report.locator('.hash').innerText();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download report' }).click(),
    ]);
    const file = join(output, 'commissioning-report.json');
    await download.saveAs(file);
    const said = execFileSync(process.execPath, ['build/orangery.js', 'commissioning', 'verify', file]).toString();
    expect(printed).toContain((JSON.parse(readFileSync(file, 'utf8')) as { sha256: string }).sha256);
    expect(said).toContain('whole');
    expect(errors).toEqual([]);
  });

  it('has its place on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await story.picture('phone');
    await expectNoWider(page);
  });
});
