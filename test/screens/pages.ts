import type { PicturedSite } from './site.ts';

interface PicturedPage {
  name: string;
  path: (site: PicturedSite) => string;
  /** Looked at without a session. */
  isPublic?: true;
  /** In our languages; the description of the API is in English alone. */
  languages?: readonly ['en'];
}

const settings = [
  ...['site', 'conditions', 'alarms', 'safety', 'notifications', 'services', 'backups', 'certificates', 'about'],
  ...['users', 'roles'],
];
const steps = ['shape', 'structure', 'envelope', 'openings', 'sensors', 'actuators', 'review'];

/** Every page but the first setup; one that is added to the router is added here. */
export const picturedPages: readonly PicturedPage[] = [
  { name: 'login', path: () => '/login', isPublic: true },
  { name: 'api', path: () => '/api', isPublic: true, languages: ['en'] },
  { name: 'overview', path: () => '/' },
  { name: 'wall', path: () => '/?wall=1' },
  { name: 'dashboards', path: () => '/dashboards' },
  { name: 'dashboard', path: ({ dashboard }) => `/dashboards/${dashboard}` },
  { name: 'maps', path: () => '/maps' },
  { name: 'map', path: ({ map }) => `/maps/${map}` },
  { name: 'houses', path: () => '/houses' },
  { name: 'house-new', path: () => '/houses/new' },
  { name: 'house', path: ({ house }) => `/houses/${house}` },
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
  { name: 'journal', path: () => '/alarms/journal' },
  { name: 'audit', path: () => '/audit' },
  { name: 'logs', path: () => '/logs' },
  { name: 'account', path: () => '/account' },
  ...settings.map((one) => ({ name: `settings-${one}`, path: () => `/settings/${one}` })),
  { name: 'user', path: ({ user }) => `/settings/users/${user}` },
  { name: 'not-found', path: () => '/nowhere' },
];
