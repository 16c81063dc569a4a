import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts';
import { removeDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';

describe.skipIf(!hasBrowser())('the documentation at /api', () => {
  let service: RunningService;
  let client: ServiceClient;
  let browser: Browser;
  let page: Page;
  let errors: string[];
  const asked: string[] = [];

  beforeAll(async () => {
    service = await startService();
    client = await ServiceClient.setUp(service);
    browser = await openBrowser(service.url);
    ({ page, errors } = await openPage(browser));
    page.on('request', (request) => asked.push(request.url()));
  });

  afterAll(async () => {
    client?.close();
    await browser?.close();
    await service?.stop();
    removeDataDirectory(service.dataDirectory);
  });

  it('is shown without a login and asks nobody but this service', async () => {
    await page.goto(`${service.url}/api`);
    await page.getByRole('link', { name: 'designs', exact: true }).click();
    await page.getByText('/api/geo/designs', { exact: true }).first().waitFor();
    expect(asked.filter((url) => !url.startsWith(service.url))).toEqual([]);
    await page.getByText('Error codes', { exact: true }).click();
    const row = page.locator('#error-codes tr', { hasText: 'empty_save_refused' });
    expect(await row.innerText()).toContain('send allow_empty');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByText('Error codes', { exact: true }).click();
    expect(errors).toEqual([]);
  });

  it('finds calls by words of their path and summary', async () => {
    await page.getByLabel('Find a call').fill('wind rose');
    await page.getByText('1 call', { exact: true }).waitFor();
    await page.locator('.opblock', { hasText: '/wind/rose' }).waitFor();
    await expect.poll(() => page.locator('.opblock-tag').count()).toBe(1);
    await page.getByLabel('Find a call').fill('');
    // Open again: the address still names it.
    await page.getByText('/api/geo/designs', { exact: true }).first().waitFor();
  });

  it('tries a call out with a key', async () => {
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.dialog-ux');
    const field = dialog.locator('.auth-container', { hasText: 'X-API-KEY' }).getByRole('textbox');
    await field.fill(client.key);
    await dialog.locator('.auth-container', { hasText: 'X-API-KEY' }).getByRole('button', { name: 'Apply' }).click();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const call = page.locator('.opblock-get', { hasText: 'List the maps' });
    await call.locator('.opblock-summary-control').click();
    await call.getByRole('button', { name: 'Try it out' }).click();
    await call.getByRole('button', { name: 'Execute' }).click();
    await call.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    await expect.poll(() => call.locator('.live-responses-table').innerText()).toContain('"designs"');
    expect(errors).toEqual([]);
  });
});
