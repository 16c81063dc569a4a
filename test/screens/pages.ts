import type { Page } from 'playwright-core';
import type { PicturedSite } from './site.ts';

interface PicturedPage {
  name: string;
  path: (site: PicturedSite) => string;
  /** Looked at without a session. */
  isPublic?: true;
  /** What is done on it before the picture, in whatever language. */
  act?: (page: Page) => Promise<void>;
  /** On a service that nobody has set up yet. */
  isFresh?: true;
  /** In our languages; the description of the API is in English alone. */
  languages?: readonly ['en'];
}

const settings = [
  ...['site', 'conditions', 'alarms', 'safety', 'notifications', 'services', 'backups', 'certificates', 'about'],
  ...['users', 'roles'],
];
const steps = ['shape', 'structure', 'envelope', 'openings', 'sensors', 'actuators', 'review'];

async function refuse(page: Page): Promise<void> {
  await page.locator('input[autocomplete=username]').fill('nobody');
  await page.locator('input[autocomplete=current-password]').fill('not the password');
  await page.locator('button[type=submit]').click();
  await page.getByRole('alert').first().waitFor();
}

async function shelve(page: Page): Promise<void> {
  await page.locator('.alarm__actions [aria-haspopup]').first().click();
  await page.locator('.v-overlay--active .v-list-item').first().click();
  await page.getByRole('alertdialog').waitFor();
}

async function override(page: Page): Promise<void> {
  await page.locator('.control__override').first().click();
  await page.getByRole('alertdialog').waitFor();
}

async function stop(page: Page): Promise<void> {
  await page.locator('.shell__bar .stop').first().click();
  await page.getByRole('alertdialog').waitFor();
}

/** Every page; one that is added to the router is added here. */
export const picturedPages: readonly PicturedPage[] = [
  { name: 'login', path: () => '/login', isPublic: true },
  { name: 'login-refused', path: () => '/login', isPublic: true, act: refuse },
  { name: 'setup', path: () => '/setup', isPublic: true, isFresh: true },
  { name: 'api', path: () => '/api', isPublic: true, languages: ['en'] },
  { name: 'overview', path: () => '/' },
  { name: 'stop-asked', path: () => '/', act: stop },
  { name: 'wall', path: () => '/?wall=1' },
  { name: 'dashboards', path: () => '/dashboards' },
  { name: 'dashboard', path: ({ dashboard }) => `/dashboards/${dashboard}` },
  { name: 'maps', path: () => '/maps' },
  { name: 'map', path: ({ map }) => `/maps/${map}` },
  { name: 'houses', path: () => '/houses' },
  { name: 'house-new', path: () => '/houses/new' },
  { name: 'house', path: ({ house }) => `/houses/${house}` },
  { name: 'override', path: ({ house }) => `/houses/${house}`, act: override },
  { name: 'model', path: ({ house }) => `/houses/${house}/model` },
  ...steps.map((step) => ({
    name: `editor-${step}`,
    path: ({ house }: PicturedSite) => `/houses/${house}/edit?step=${step}`,
  })),
  { name: 'report', path: ({ house }) => `/houses/${house}/report` },
  { name: 'climate', path: ({ house }) => `/houses/${house}/climate` },
  { name: 'commissioning', path: ({ house }) => `/houses/${house}/commissioning` },
  { name: 'devices', path: () => '/devices' },
  { name: 'control', path: () => '/control' },
  { name: 'pid', path: ({ pid }) => `/control/pids/${pid}` },
  { name: 'trends-empty', path: () => '/trends' },
  { name: 'trends', path: ({ series }) => `/trends?series=${series.join(',')}` },
  { name: 'alarms', path: () => '/alarms' },
  { name: 'shelve', path: () => '/alarms', act: shelve },
  { name: 'journal', path: () => '/alarms/journal' },
  { name: 'audit', path: () => '/audit' },
  { name: 'logs', path: () => '/logs' },
  { name: 'account', path: () => '/account' },
  ...settings.map((one) => ({ name: `settings-${one}`, path: () => `/settings/${one}` })),
  { name: 'user', path: ({ user }) => `/settings/users/${user}` },
  { name: 'not-found', path: () => '/nowhere' },
];
