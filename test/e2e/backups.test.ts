import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Encrypter } from 'age-encryption';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/daemon-process.ts';
import { expectNoWider } from '../support/at-rest.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { en } from '../../renderer/i18n/en/index.ts';
import { backups as ko } from '../../renderer/i18n/ko/backups.ts';
import { ui as koUi } from '../../renderer/i18n/ko/ui.ts';
import { admin, ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

const wrongPassword = en.errors.wrong_password;

describe.skipIf(!hasBrowser())('backups, in the page', () => {
  /** Of the whole site, as one test made it. */
  let siteFile = { name: '', mimeType: '', buffer: Buffer.alloc(0) };
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let page: Page;
  let story: Story;
  let errors: string[];

  beforeAll(async () => {
    service = await startService({ env: { ORANGERY_HTTPS_PORT: String(await freePort()) } });
    client = await ServiceClient.setUp(service);
    await client.ask('POST', '/api/geo/settings', { site_name: 'North field' });
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser, { viewport: { width: 1280, height: 800 } }));
    story = new Story(page, 'backups');
    await story.logIn(service.url);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Backups' }).click();
    await page.getByText('No backups yet').waitFor();
    errors.splice(0); // the refused question who is logged in, before somebody was
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  /** undefined while the service starts. */
  const siteName = (): Promise<string | undefined> =>
    client.ask('GET', '/api/geo/settings').then(
      ({ body }) => (body as { site_name?: string }).site_name,
      () => undefined,
    );

  it('are made by a click, and say that they can be restored', async () => {
    await story.picture('none');
    await page.getByRole('button', { name: 'Back up now' }).click();
    await expect.poll(() => page.locator('[data-backup]').innerText()).toContain('it can be restored');
    await page.getByRole('button', { name: 'Check the backup' }).click();
    await page.getByText('This backup can be restored.').first().waitFor();
    await story.picture('made');
    expect(errors).toEqual([]);
  });

  it('are taken to another machine as a file, which is checked before it is among the others', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the backup' }).click(),
    ]);
    const file = await download.path();
    await page.getByRole('button', { name: ': Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No backups yet').waitFor();
    const send = async (name: string, buffer: Buffer): Promise<void> => {
      const mimeType = 'application/gzip';
      await page.locator('input[accept^=".gz"]').setInputFiles({ name, mimeType, buffer });
    };
    const bytes = readFileSync(file);
    await send('cut.tar.gz', bytes.subarray(0, bytes.length - 99));
    await page.getByText(en.backups.faults.damaged).first().waitFor();
    await story.picture('upload-damaged');
    await send('letter.gz', Buffer.from('Dear bank'));
    await page.getByText(en.errors.unreadable_file).first().waitFor();
    errors.splice(0); // the refused part
    await send(download.suggestedFilename(), bytes);
    await page.locator('[data-backup]').waitFor();
    await page.getByText('It can be restored.').first().waitFor();
    await story.picture('upload-taken');
    expect(errors).toEqual([]);
  });

  it('of a phone in the dark ask for the passphrase of an encrypted one, until it is right', async () => {
    const { body } = await client.ask('GET', '/api/backups');
    const { folder, backups } = body as { folder: string; backups: { backup_id: string; file: string }[] }; // by its contract
    const [{ backup_id, file } = { backup_id: '', file: '' }] = backups;
    const encrypter = new Encrypter();
    encrypter.setScryptWorkFactor(8); // a guess of milliseconds
    encrypter.setPassphrase('where the oranges grow');
    const buffer = Buffer.from(await encrypter.encrypt(readFileSync(join(folder, file))));
    await client.ask('DELETE', `/api/backups/${backup_id}`);
    const phone = { viewport: { width: 390, height: 844 }, locale: 'ko', colorScheme: 'dark' } as const;
    const { page: other, errors: faults } = await openPage(browser, phone);
    const story_ = new Story(other, 'backups-dark');
    await other.context().addCookies(await page.context().cookies());
    await other.goto(`${service.url}/settings/backups`);
    const sent = { name: `${file}.age`, mimeType: 'application/octet-stream', buffer };
    await other.locator('input[accept^=".gz"]').setInputFiles(sent);
    const dialog = other.getByRole('dialog');
    const enter = async (typed: string): Promise<void> => {
      await dialog.getByLabel(ko.passphrase).fill(typed);
      await dialog.getByRole('button', { name: ko.upload.open }).click();
    };
    await enter('where the lemons grow');
    await dialog.getByText(ko.faults.wrong_passphrase).waitFor();
    await story_.picture('passphrase');
    // What was sent is not lost by leaving the question.
    await dialog.getByRole('button', { name: koUi.cancel }).click();
    await story_.picture('passphrase-later');
    await other.getByRole('button', { name: ko.upload.enter }).click();
    await enter('where the oranges grow');
    await other.locator(`[data-backup="${backup_id}"]`).getByText(ko.encrypted).waitFor();
    await client.ask('DELETE', `/api/backups/${backup_id}`);
    expect(faults).toEqual([]);
    await other.close();
    await page.reload();
    await page.getByRole('button', { name: en.backups.make }).click();
    await page.locator('[data-backup]').waitFor();
  });

  it('follow a plan that can be changed, field by field', async () => {
    await page.getByLabel('Daily backups to keep').fill('14');
    await page.getByLabel('Folder', { exact: true }).fill('/nowhere/at/all');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(en.refusals.no_such_folder).first().waitFor();
    await page.getByLabel('Folder', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The plan is saved.').first().waitFor();
    const { body } = await client.ask('GET', '/api/backups');
    expect(body).toMatchObject({ plan: { keep_days: 14, keep_weeks: 4, folder: null } });
    errors.splice(0); // the refused folder
  });

  it('stand beside the way of devices to another machine: looked at, then added, and not active', async () => {
    await client.ask('POST', '/api/settings/outputs', { name: 'Heater', driver: 'simulated' });
    const { body } = await client.ask('GET', '/api/settings/device_file');
    const buffer = Buffer.from(JSON.stringify(body));
    await page
      .locator('[data-device-file] input')
      .setInputFiles({ name: 'devices.json', mimeType: 'application/json', buffer });
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Add 1 device or rule?').waitFor();
    await story.picture('move-asked');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('[data-device-report]').waitFor();
    await page.locator('[data-device-report]').scrollIntoViewIfNeeded();
    await story.picture('move-made');
    const { body: after } = await client.ask('GET', '/api/settings/outputs');
    const { outputs } = after as { outputs: { name: string; is_activated: boolean }[] };
    const stand = outputs.map(({ name, is_activated }) => [name, is_activated]);
    expect(stand).toHaveLength(2);
    expect(stand).toEqual(
      expect.arrayContaining([
        ['Heater', true],
        ['Heater', false],
      ]),
    );
    expect(errors).toEqual([]);
  });

  it('go to a place elsewhere too, which says when that failed', async () => {
    await page.getByRole('button', { name: en.backups.copies.add }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Office NAS');
    await dialog.getByLabel(en.backups.copies.url).fill('http://127.0.0.1:9/backups');
    await dialog.getByText(en.backups.copies.rules.https).waitFor();
    await dialog.getByLabel(en.backups.copies.lan).check();
    await dialog.getByLabel(en.backups.copies.password).fill('let-me-in');
    await dialog.getByLabel(en.backups.copies.url).fill('https://127.0.0.1:9/backups');
    await dialog.getByLabel(en.backups.copies.ca).fill('none');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText(en.backups.copies.rules.ca).waitFor();
    await story.picture('copies-form');
    await dialog.getByLabel(en.backups.copies.ca).fill('');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const row = page.locator('[data-backup-target]');
    await row.waitFor();
    await row.getByRole('button', { name: en.backups.copies.copy }).click();
    await row.getByText(en.backups.faults.target_unreachable).waitFor();
    await row.scrollIntoViewIfNeeded();
    await story.picture('copies-failed');
    await row.getByRole('button', { name: en.backups.copies.look }).click();
    await page.getByRole('dialog').getByText(en.backups.faults.target_unreachable).waitFor();
    await story.picture('copies-look');
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    errors.splice(0); // the refused list
  });

  it('stand beside the file of the whole site: rehearsed, then added', async () => {
    const { body } = await client.ask('GET', '/api/site_file');
    const file = body as { devices: { settings: { unique_id: string; name: string } }[]; settings: object }; // by its contract
    const [first] = file.devices;
    const added = { ...first, settings: { ...first?.settings, name: 'Vent', unique_id: randomUUID() } };
    const foreign = {
      ...first,
      settings: { ...first?.settings, name: 'Old', unique_id: randomUUID(), driver: 'gone' },
    };
    const sent = { ...file, devices: [...file.devices, added, foreign], settings: { ...file.settings, zoom: 15 } };
    const buffer = Buffer.from(JSON.stringify(sent));
    siteFile = { name: 'site.json', mimeType: 'application/json', buffer };
    await page.locator('[data-site-file] input').setInputFiles(siteFile);
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText(`${en.backups.site.groups.device}: 1`).waitFor();
    await dialog.locator('[data-refused]').getByText('Old').waitFor();
    await dialog.getByText(en.backups.site.names.zoom).waitFor();
    await story.picture('site-asked');
    await dialog.getByRole('button', { name: en.backups.site.confirm }).click();
    await page.locator('[data-site-report]').scrollIntoViewIfNeeded();
    await story.picture('site-made');
    const { body: after } = await client.ask('GET', `/api/settings/outputs/${added.settings.unique_id}`);
    expect(after).toMatchObject({ name: 'Vent', is_activated: false });
    await client.ask('DELETE', `/api/settings/outputs/${added.settings.unique_id}`);
    expect(errors).toEqual([]);
  });

  it.each([
    ['ko', 'dark'],
    ['ja', 'light'],
  ] as const)('speak %s in the %s, and fit a phone', async (language, colorScheme) => {
    const phone = { viewport: { width: 390, height: 844 }, locale: language, colorScheme };
    const { page: other, errors: faults } = await openPage(browser, phone);
    const story_ = new Story(other, `backups-${language}`);
    await other.context().addCookies(await page.context().cookies());
    await other.goto(`${service.url}/settings/backups`);
    await other.locator('[data-backup]').waitFor();
    await story_.picture('list');
    await other.locator('input[accept^=".gz"]').locator('..').scrollIntoViewIfNeeded();
    await story_.picture('upload');
    await other.locator('[data-device-file]').scrollIntoViewIfNeeded();
    await story_.picture('move');
    await other.locator('[data-site-file]').scrollIntoViewIfNeeded();
    await story_.picture('site');
    await other.locator('[data-backup-target]').scrollIntoViewIfNeeded();
    await story_.picture('copies');
    await expectNoWider(other);
    await other.locator('[data-site-file] input').setInputFiles(siteFile);
    await other.getByRole('alertdialog').locator('[data-refused]').getByText('Old').waitFor();
    await story_.picture('site-asked');
    await expectNoWider(other);
    expect(faults).toEqual([]);
    await other.close();
  });

  it('bring back what was, by the password, and end every log-in', async () => {
    await client.ask('POST', '/api/geo/settings', { site_name: 'South field' });
    await page.getByRole('button', { name: 'Restore the backup' }).click();
    await page.getByLabel('Your password').fill('not my password');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await dialog.getByText(wrongPassword).waitFor();
    await story.picture('refused');
    await page.getByLabel('Your password').fill(admin.password);
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await dialog.getByText(en.backups.restarting).waitFor();
    await story.picture('restarting');
    // It says by itself that it is done.
    await page.getByText(en.login.restored).waitFor({ timeout: 60_000 });
    await story.picture('restored');
    await page.getByLabel('User name').fill(admin.username);
    await page.getByLabel('Password', { exact: true }).fill(admin.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.locator('[data-former]').waitFor();
    await expect.poll(siteName).toBe('North field');
  });

  it('give back what a restore took away', async () => {
    await story.picture('former');
    await page.getByRole('button', { name: 'Undo restore' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByLabel('Your password').fill(admin.password);
    await story.picture('undo');
    await dialog.getByRole('button', { name: 'Undo restore' }).click();
    await dialog.getByText(en.backups.restarting).waitFor();
    await page.getByText(en.login.restored).waitFor({ timeout: 60_000 });
    await expect.poll(siteName).toBe('South field');
  });
});
