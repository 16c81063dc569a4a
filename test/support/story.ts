import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { RunningService } from './running-service.ts';
import { admin, type ServiceClient } from './service-client.ts';

type Point = [x: number, y: number];

const pictures = join(import.meta.dirname, '../output/pictures');
/** A picture costs as much as a step, and those of `npm test` are not looked at. */
const takesPictures = process.env['PICTURES'] !== '0';

/** A person's steps on the screens, in the words on them; every step saves a picture. */
export class Story {
  readonly page: Page;
  readonly #name: string;
  #shot = 0;

  constructor(page: Page, name: string) {
    this.page = page;
    this.#name = name;
    mkdirSync(pictures, { recursive: true });
  }

  async picture(what: string): Promise<void> {
    this.#shot += 1;
    if (!takesPictures) return;
    const file = `${this.#name}-${String(this.#shot).padStart(2, '0')}-${what}.png`;
    await this.page.screenshot({ path: join(pictures, file) });
  }

  async makeAdministrator(service: RunningService): Promise<void> {
    const { page } = this;
    await page.goto(service.url);
    await page.getByLabel('Setup token').fill(service.setupToken ?? '');
    await page.getByLabel('User name').fill(admin.username);
    await page.getByLabel('Password', { exact: true }).fill(admin.password);
    await page.getByLabel('Password again').fill(admin.password);
    await this.picture('administrator');
    await page.getByRole('button', { name: 'Create administrator' }).click();
  }

  async nameSite(name: string): Promise<void> {
    const { page } = this;
    await page.getByLabel('Name of the site').fill(name);
    await page.getByRole('combobox', { name: 'Town' }).fill('수원시');
    await page.getByRole('option', { name: 'Suwon, South Korea' }).click();
    await page.locator('.v-autocomplete', { hasText: 'Time zone' }).getByText('Asia/Seoul').waitFor();
    await this.picture('site');
    await page.getByRole('button', { name: 'Save and continue' }).click();
  }

  /** Finishes the setup on live values of the simulated house. */
  async startSimulated(): Promise<void> {
    const { page } = this;
    await page.getByText('Start with the simulated greenhouse').click();
    await this.picture('devices');
    await page.getByRole('button', { name: 'Open the house' }).click();
    await page.waitForURL(/\/houses\/[0-9a-f-]{36}$/);
    await page
      .getByText(/Tomato/)
      .first()
      .waitFor();
    await this.picture('simulated');
  }

  /** Finishes the setup on the first map. */
  async beginEmpty(): Promise<void> {
    const { page } = this;
    await page.getByText('Add my own devices later').click();
    await page.getByRole('button', { name: 'Open the map' }).click();
    await page.waitForURL(/\/maps\/[0-9a-f-]{36}$/);
    await page.getByText('Nothing drawn yet').waitFor();
    await this.picture('map-empty');
  }

  /** Drags a rectangle on the map, in pixels of the window, and names it. */
  async drawRectangle(name: string, [x0, y0]: Point, [x1, y1]: Point): Promise<void> {
    const { page } = this;
    const shapes = page.locator('.shapes__row');
    const before = await shapes.count();
    await page.getByRole('button', { name: 'Draw rectangle' }).click();
    await page.getByText('Press at one corner').waitFor();
    await page.mouse.move(x0, y0);
    await page.mouse.down();
    await page.mouse.move((x0 + x1) / 2, (y0 + y1) / 2, { steps: 4 });
    await page.mouse.move(x1, y1, { steps: 4 });
    await page.mouse.up();
    await shapes.nth(before).waitFor(); // the name before it belongs to another shape
    await page.getByLabel('Name', { exact: true }).fill(name);
    await this.picture(`drawn-${name.toLowerCase().replaceAll(' ', '-')}`);
  }

  async saved(): Promise<void> {
    await this.page.getByText('Saved', { exact: true }).waitFor();
  }

  async next(): Promise<void> {
    await this.page.getByRole('button', { name: 'Next' }).click();
  }

  /** A figure of the capacity panel, e.g. `1,300 m³`, by its field. */
  async figure(field: string): Promise<string> {
    const text = await this.page.locator(`[data-figure=${field}]`).innerText();
    return text.replaceAll(/\s/g, ' ');
  }

  /** Logs in without a page: the form is up to the tests of accounts. */
  async identify({ url, cookie }: Pick<ServiceClient, 'url' | 'cookie'>): Promise<void> {
    const [name = '', value = ''] = cookie.split('=');
    await this.page.context().addCookies([{ name, value, url }]);
  }

  async enter(url: string, client: Pick<ServiceClient, 'url' | 'cookie'>): Promise<void> {
    await this.identify(client);
    await this.page.goto(url);
  }

  async logIn(url: string, who = admin): Promise<void> {
    const { page } = this;
    await page.goto(url);
    await page.getByLabel('User name').fill(who.username);
    await page.getByLabel('Password', { exact: true }).fill(who.password);
    await page.getByRole('button', { name: 'Log in' }).click();
  }
}
