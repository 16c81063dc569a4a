import type { Page } from 'playwright-core';
import type { PicturedSite } from './site.ts';

interface PicturedPage {
  name: string;
  path: (site: PicturedSite) => string;
  /** Looked at without a session. */
  isPublic?: true;
  /** With a session, in the frame of the pages before the log-in. */
  isFramed?: true;
  /** What is done on it before the picture, in whatever language. */
  act?: (page: Page) => Promise<void>;
  /** On a service that nobody has set up yet. */
  isFresh?: true;
  /** In our languages; the description of the API is in English alone. */
  languages?: readonly ['en'];
}

const settings = [
  'site',
  'conditions',
  'alarms',
  'safety',
  'notifications',
  'services',
  'backups',
  'certificates',
  'about',
  'users',
  'roles',
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

async function openLine(page: Page): Promise<void> {
  await page.locator('[data-kind="setting.save"] .line').first().click();
  await page.locator('.detail').first().waitFor();
}

/** A dialog of the map, by its place in the menu. */
const openOfMap =
  (at: number) =>
  async (page: Page): Promise<void> => {
    const menu = page.locator('.map-page__head [aria-haspopup=menu]');
    if (!(await menu.isVisible())) await page.locator('.map-page__left .map-page__float').click(); // a phone folds the panel away
    await menu.click();
    await page.locator('.v-overlay--active .v-list-item').nth(at).click();
    await page.getByRole('dialog').last().waitFor();
  };

/** Every page; one that is added to the router is added here. */
export const picturedPages: readonly PicturedPage[] = [
  // First, while the check that the site begins still runs; `commissioning` shows what it found.
  { name: 'check', path: ({ house }) => `/houses/${house}/commissioning` },
  { name: 'login', path: () => '/login', isPublic: true },
  { name: 'login-refused', path: () => '/login', isPublic: true, act: refuse },
  { name: 'setup', path: () => '/setup', isPublic: true, isFresh: true },
  { name: 'setup-site', path: () => '/setup', isFramed: true },
  { name: 'setup-devices', path: () => '/setup?step=devices', isFramed: true },
  { name: 'unreachable', path: () => '/unreachable', isPublic: true },
  { name: 'api', path: () => '/api', isPublic: true, languages: ['en'] },
  { name: 'overview', path: () => '/' },
  { name: 'stop-asked', path: () => '/', act: stop },
  { name: 'wall', path: () => '/?wall=1' },
  { name: 'dashboards', path: () => '/dashboards' },
  { name: 'dashboard', path: ({ dashboard }) => `/dashboards/${dashboard}` },
  { name: 'maps', path: () => '/maps' },
  { name: 'map', path: ({ map }) => `/maps/${map}` },
  { name: 'map-import', path: ({ map }) => `/maps/${map}`, act: openOfMap(0) },
  { name: 'map-export', path: ({ map }) => `/maps/${map}`, act: openOfMap(4) },
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
  {
    name: 'trends-year',
    path: ({ yearSeries }) =>
      `/trends?series=${yearSeries.join(',')}&from=${Date.now() - 365 * 86_400_000}&to=${Date.now()}`,
  },
  { name: 'alarms', path: () => '/alarms' },
  { name: 'shelve', path: () => '/alarms', act: shelve },
  { name: 'journal', path: () => '/alarms/journal' },
  { name: 'audit', path: () => '/audit' },
  { name: 'audit-line', path: () => '/audit', act: openLine },
  { name: 'logs', path: () => '/logs' },
  { name: 'account', path: () => '/account' },
  ...settings.map((one) => ({ name: `settings-${one}`, path: () => `/settings/${one}` })),
  { name: 'user', path: ({ user }) => `/settings/users/${user}` },
  { name: 'not-found', path: () => '/nowhere' },
];
