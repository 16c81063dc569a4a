import { readFileSync } from 'node:fs';
import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { choose } from '../support/choose.ts';
import { LanClient } from '../support/lan-client.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';
import { Story } from '../support/story.ts';

const hanna = { username: 'hanna', password: 'orchids in the fog' };
const stepMs = 30_000;

describe.skipIf(!hasBrowser())('accounts, in the page', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let office: Page;
  let tablet: Page;
  let officeStory: Story;
  let story: Story;
  let errors: string[];
  let secret = '';
  let key = '';
  let userPage = '';

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    browser = await openBrowser(service.url);
    ({ page: office, errors } = await openPage(browser));
    ({ page: tablet } = await openPage(browser));
    [officeStory, story] = [new Story(office, 'accounts-office'), new Story(tablet, 'accounts')];
    await officeStory.logIn(`${service.url}/settings/users`);
    await office.getByRole('button', { name: 'Add user' }).waitFor();
    errors.splice(0); // the refused question who is logged in, before somebody was
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  /** The code of an authenticator, `ahead` steps of 30 s from now. */
  function codeOf(ahead = 0): string {
    return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * stepMs });
  }

  async function statusWithKey(): Promise<number> {
    const program = new LanClient({ ...service, key });
    const { status } = await program.get('/api/auth/session');
    program.close();
    return status;
  }

  it('an administrator makes a user with a role', async () => {
    await office.getByRole('button', { name: 'Add user' }).click();
    await office.getByLabel('User name').fill(hanna.username);
    await choose(office.getByRole('combobox', { name: 'Role' }), 'Editor');
    await office.getByLabel('New password', { exact: true }).fill(hanna.password);
    await office.getByLabel('New password again').fill(hanna.password);
    await officeStory.picture('new-user');
    await office.getByRole('button', { name: 'Create user' }).click();
    await office.waitForURL(/\/settings\/users\/[0-9a-f-]{36}$/);
    userPage = office.url();
    await office.getByRole('heading', { name: hanna.username }).waitFor();
    await officeStory.picture('user');
    expect(errors).toEqual([]);
  });

  it('the user logs in and puts a second factor in force', async () => {
    await story.logIn(`${service.url}/account`, hanna);
    await tablet.getByRole('button', { name: 'Set up second factor' }).click();
    await tablet.getByLabel('Current password', { exact: true }).last().fill(hanna.password);
    await tablet.getByRole('button', { name: 'Next' }).click();
    secret = (await tablet.locator('[data-secret]').innerText()).replaceAll(' ', '');
    await tablet.getByLabel('Authenticator code').fill(codeOf());
    await story.picture('enrol');
    await tablet.getByRole('button', { name: 'Turn on' }).click();
    await tablet.getByText('If you lose your phone').waitFor();
    await expect.poll(() => tablet.getByRole('dialog').locator('li code').count()).toBe(10);
    await story.picture('recovery-codes');
    await tablet.getByLabel('I have saved these codes').check();
    await tablet.getByRole('button', { name: 'Close' }).click();
    await tablet.getByText('10 recovery codes left').waitFor();
  });

  it('logs in with a code from then on', async () => {
    await tablet.getByRole('button', { name: 'Account and display' }).click();
    await tablet.getByRole('button', { name: 'Log out' }).click();
    await tablet.waitForURL(/\/login/);
    await story.logIn(`${service.url}/account`, hanna);
    await tablet.getByLabel('Authenticator code').waitFor();
    await story.picture('code');
    // The code that put it in force never counts again; a clock one step ahead is allowed.
    await tablet.getByLabel('Authenticator code').fill(codeOf(1));
    await tablet.getByRole('button', { name: 'Log in' }).click();
    await tablet.getByText('10 recovery codes left').waitFor();
  });

  it('makes a key, sees it once, and revokes it', async () => {
    await tablet.getByRole('button', { name: 'Generate an API key' }).click();
    await tablet.getByLabel('Name', { exact: true }).fill('weather script');
    await story.picture('new-key');
    await tablet.getByRole('button', { name: 'Generate', exact: true }).click();
    key = await tablet.locator('[data-key]').innerText();
    expect(Buffer.from(key, 'base64')).toHaveLength(128);
    await story.picture('key');
    expect(await statusWithKey()).toBe(200);
    await tablet.getByLabel('I have saved this key').check();
    await tablet.getByRole('button', { name: 'Close' }).click();
    await tablet.reload();
    await tablet.getByText('weather script').waitFor();
    expect(await tablet.content()).not.toContain(key);
    await story.picture('account');
    await tablet.getByRole('button', { name: 'Revoke key “weather script”' }).click();
    await tablet.getByRole('button', { name: 'Revoke', exact: true }).last().click();
    await tablet.getByText('No active keys.').waitFor();
    expect(await statusWithKey()).toBe(401);
  });

  it('the administrator changes the user and reads in the audit what was before and after', async () => {
    await office.getByLabel('E-mail').fill('hanna@example.com');
    await office.getByRole('button', { name: 'Save', exact: true }).click();
    await office.getByText('Saved.').first().waitFor();
    await office.goto(`${service.url}/audit`);
    const changed = office.locator('[data-kind="user.update"]');
    await changed.getByRole('button').click();
    await expect
      .poll(() => changed.locator('tbody tr').allInnerTexts())
      .toEqual([expect.stringMatching(/E-mail\s+None\s+hanna@example\.com/) as string]);
    await officeStory.picture('audit');
    const [download] = await Promise.all([
      office.waitForEvent('download'),
      office.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    const csv = readFileSync(await download.path(), 'utf8');
    expect(csv.startsWith('\uFEFFid,at,kind,')).toBe(true);
    expect(csv).toMatch(/,user\.update,grower,.*hanna@example\.com/);
    expect(csv).not.toContain(key);
    expect(errors).toEqual([]);
  });

  it('disabling the user ends the session at once', async () => {
    await office.goto(userPage);
    await office.getByLabel('Can log in and use API keys').uncheck();
    await office.getByText('Ends the user’s sessions at once').waitFor();
    await office.getByRole('button', { name: 'Save', exact: true }).click();
    await office.getByText('Saved.').first().waitFor();
    // Whatever the page asks for next is refused; the log-in may lie over it by then.
    await tablet.locator('a[href="/maps"]').first().dispatchEvent('click');
    await tablet.getByText('Your session has ended. Log in to continue').waitFor();
    await story.picture('ended');
    // Put off, it leaves the page to be read, and the stop asks for it again.
    await tablet.getByRole('button', { name: 'Later' }).click();
    await tablet.getByText('Your session has ended: values here are old').waitFor();
    await story.picture('put-off');
    await tablet.getByRole('button', { name: 'Emergency stop' }).click();
    await tablet.getByLabel('Password', { exact: true }).fill(hanna.password);
    await tablet.getByRole('button', { name: 'Log in' }).click();
    await tablet.getByText('User name or password is wrong.').waitFor();
    expect(errors).toEqual([]);
  });
});
