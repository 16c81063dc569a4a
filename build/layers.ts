/** A folder of the house, or a file in it. */
interface Layer {
  /** Itself and everything below it. */
  folder: string;
  /** What it may import from the project besides itself. Everything else is refused. */
  may: readonly string[];
}

const contract = 'server/contract';
const domain = 'server/domain';
const outbound = 'server/outbound';
const worker = 'server/worker';
const resources = 'resources';
const entry = 'server/worker-entry.ts';
const client = 'server/orangery_client.ts';
const stores = ['db', 'measurement', 'upstream', 'tiles', 'exchange', 'backup', 'auth', 'tls'];

/** What a shell needs to start the service. */
const composition = [
  'service',
  'data-directory',
  'environment',
  'built-pages',
  'log',
  'supervision/launcher',
  'daemon/ipc',
  'version',
].map((name) => `server/${name}.ts`);

/** Who may import whom; see the README's layout. A folder of the server that is not named here may import nothing. */
const houses: readonly Layer[] = [
  { folder: contract, may: [resources] }, // data: lists of which the contract takes its ids
  { folder: domain, may: [contract, resources] },
  { folder: outbound, may: [contract] },
  { folder: worker, may: [contract] },
  { folder: 'server/remote', may: [contract, domain, outbound] },
  { folder: 'server/db', may: [contract, domain, outbound, resources] },
  { folder: 'server/measurement', may: [contract, domain, outbound, 'server/db', worker, entry] },
  { folder: 'server/tiles', may: [contract, domain, outbound, 'server/db'] },
  { folder: 'server/exchange', may: [contract, domain, outbound, 'server/db', resources] },
  { folder: 'server/backup', may: [contract, domain, outbound, 'server/db', entry] },
  { folder: 'server/upstream', may: [contract, domain, outbound, resources] },
  { folder: 'server/tls', may: [contract, domain, outbound] },
  { folder: 'server/auth', may: [contract, domain, outbound, 'server/db', resources] },
  {
    folder: 'server/daemon',
    may: [
      contract,
      domain,
      outbound,
      'server/remote',
      'server/measurement',
      'server/db',
      'server/auth/secret-box.ts',
      // Its own log, with the same rules as the service's.
      'server/log-destination.ts',
      'server/log-secrets.ts',
      // What a check found is judged in a thread: a second of regressions would delay commands.
      worker,
      entry,
    ],
  },
  {
    folder: 'server/services',
    may: [
      contract,
      domain,
      outbound,
      'server/remote',
      client,
      worker,
      entry,
      resources,
      'server/log-secrets.ts', // logs are shown by the rules by which they are written
      ...stores.map((name) => `server/${name}`),
    ],
  },
  { folder: 'server/supervision', may: [contract, 'server/remote', 'server/db', client, 'server/daemon/ipc.ts'] },
  {
    folder: 'server/composition',
    may: [contract, outbound, 'server/services', ...stores.map((name) => `server/${name}`)],
  },
  { folder: 'server/api', may: [contract, 'server/services', 'server/auth'] },
  {
    folder: 'server/commands',
    may: [
      contract,
      client,
      outbound,
      'server/remote',
      'server/db',
      'server/auth',
      'server/daemon/store/last-known.ts',
      ...['backup', 'exchange', 'data-directory.ts', 'environment.ts', 'lost-configuration.ts', 'version.ts'].map(
        (name) => `server/${name}`,
      ),
    ],
  },
  {
    folder: 'server/cli',
    may: [
      contract,
      'server/db',
      'server/auth',
      'server/commands',
      'server/composition',
      'server/measurement',
      ...['services', 'data-directory.ts', 'environment.ts', 'lost-configuration.ts'].map((name) => `server/${name}`),
    ],
  },
  { folder: 'electron/preload', may: ['electron/ipc/contract.ts'] },
  {
    folder: 'electron',
    // Updates are fetched by the guarded fetch, and keep the configuration of the former program.
    may: [
      ...composition,
      contract,
      resources,
      outbound,
      'server/backup/before-update.ts',
      'server/db/replace-file.ts',
      'server/db/room.ts',
    ],
  },
  {
    folder: 'renderer',
    may: [
      contract,
      'electron/ipc/contract.ts',
      resources,
      ...['centre-height.ts', 'feature-geometry.ts', 'runs.ts', 'smallest-rectangle.ts'].map(
        (name) => `server/domain/geometry/${name}`,
      ),
      'server/domain/climate-program/aims.ts', // what a program tells now is not stored yet
      'server/domain/climate/air.ts', // of the last day's air the page has temperature and humidity
      'server/domain/simulation/simulated-envelope.ts',
      'server/domain/wind/wind-result.ts', // a house that is being drawn is not on the server yet
    ],
  },
];

/**
 * The rooms of a house: who may import whom inside it. Files directly in the house may import all of it. `*` applies to
 * every folder without a line of its own.
 */
export const rooms: Record<string, Record<string, readonly string[]>> = {
  'server/domain': {
    events: [],
    geometry: [],
    expression: [],
    series: [],
    solar: [],
    pipes: [],
    analytics: ['series'],
    climate: ['geometry', 'series', 'solar'],
    wind: ['climate', 'geometry'],
    control: ['analytics', 'climate', 'expression', 'series', 'solar'],
    capacity: ['climate', 'geometry', 'wind'],
    'climate-program': ['analytics', 'capacity', 'climate', 'control', 'geometry', 'solar', 'wind'],
    simulation: ['capacity', 'climate', 'geometry', 'wind'],
    rehearsal: ['capacity', 'climate', 'climate-program', 'control', 'geometry', 'simulation', 'solar', 'wind'],
    commissioning: ['analytics', 'capacity', 'climate', 'geometry', 'wind'],
    study: ['analytics', 'capacity', 'climate', 'geometry'],
  },
  'server/daemon': {
    'backoff.ts': [],
    'clock.ts': [],
    'turns.ts': [],
    'grid.ts': ['clock.ts'],
    drivers: ['backoff.ts', 'clock.ts', 'grid.ts', 'turns.ts'],
    store: ['clock.ts'],
    events: ['clock.ts'],
    safety: ['clock.ts', 'drivers', 'events', 'grid.ts', 'store'],
    configuration: ['safety', 'store'],
    alarms: ['clock.ts', 'configuration', 'events', 'safety', 'store'],
    controllers: [
      'backoff.ts',
      'clock.ts',
      'grid.ts',
      'turns.ts',
      'alarms',
      'configuration',
      'drivers',
      'events',
      'safety',
      'store',
    ],
    commissioning: ['clock.ts', 'configuration', 'controllers', 'drivers', 'events', 'grid.ts', 'store'],
    remote: ['alarms', 'clock.ts', 'commissioning', 'configuration', 'controllers', 'drivers', 'events', 'safety'],
  },
  'server/daemon/drivers': {
    '*': ['driver.ts', 'kernel-file.ts', 'output-value.ts', 'payload.ts'],
  },
  'server/api': {
    checks: ['address-group.ts', 'context.ts', 'session-cookie.ts', 'token-buckets.ts'],
    docs: ['documents.ts', 'error-table.ts'],
    middleware: [
      'address-group.ts',
      'answer-check.ts',
      'checks',
      'context.ts',
      'gone.ts',
      'pace.ts',
      'problem-body.ts',
      'token-buckets.ts',
      'unread-body.ts',
    ],
    routes: ['checks', 'entity-tag.ts', 'page.ts', 'route.ts', 'session-cookie.ts'],
  },
  'server/services': {
    account: ['record'],
    setting: [],
    record: ['setting'],
    backup: ['alarm', 'live', 'record', 'setting'],
    'base-map': ['proxy', 'record'], // map files are filled from tile services
    proxy: ['setting'],
    parcel: ['map', 'proxy', 'setting'],
    pipe: ['map'],
    live: ['record'],
    map: ['record'],
    notification: ['live'],
    errand: ['live', 'notification', 'record'],
    device: ['live', 'setting'],
    alarm: ['device', 'live'],
    measurement: ['device', 'live'],
    facility: ['device', 'live', 'setting'],
    commissioning: ['device', 'facility', 'live'],
    'site-file': ['device', 'facility', 'map', 'measurement', 'notification', 'setting'],
  },
  renderer: {
    pictures: [],
    units: [],
    client: [],
    offline: ['client'],
    chart: ['units'],
    scene: [],
    i18n: ['client', 'units'],
    map: ['client', 'units'],
    stores: ['client', 'i18n', 'map', 'units'],
    ui: ['client', 'i18n', 'map', 'stores', 'units'],
    features: ['chart', 'client', 'i18n', 'map', 'scene', 'stores', 'ui', 'units'],
    router: ['client', 'features', 'i18n', 'stores'],
  },
  'renderer/features': {
    'feature.ts': [],
    account: ['feature.ts'],
    alarms: ['feature.ts'],
    climate: ['feature.ts', 'facility'],
    commissioning: ['feature.ts'],
    devices: ['feature.ts'],
    control: ['feature.ts', 'devices'],
    facility: ['feature.ts'],
    login: ['feature.ts'],
    setup: ['feature.ts', 'facility'],
    trends: ['feature.ts'],
    house: ['feature.ts', 'devices', 'facility'],
    map: ['feature.ts', 'devices', 'house'],
    settings: ['feature.ts', 'devices', 'setup'],
    overview: ['feature.ts', 'facility', 'house', 'map'],
    dashboards: ['feature.ts', 'devices', 'house', 'map', 'overview', 'trends'],
    users: ['feature.ts', 'account', 'settings'],
    audit: ['feature.ts', 'settings'],
    logs: ['feature.ts', 'settings'],
    shell: ['actions.ts', 'feature.ts', 'features.ts'],
  },
};

const isIn = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`);

/**
 * Why a file may not import another of the project: the folder whose rule refuses it; null when it may. Paths from the
 * root.
 */
export function refusedBy(from: string, to: string): string | null {
  return refusedByHouse(from, to) ?? refusedByRoom(from, to);
}

function refusedByHouse(from: string, to: string): string | null {
  const refusing = houses.filter(({ folder }) => isIn(from, folder));
  const [unnamed] = /^server\/[^/]+(?=\/)/.exec(from) ?? [];
  if (refusing.length === 0 && unnamed !== undefined && !isIn(to, unnamed)) return unnamed;
  // A folder inside another counts separately, as the preload does in the shell.
  const found = refusing.find(({ folder, may }) => ![folder, ...may].some((allowed) => isIn(to, allowed)));
  return found?.folder ?? null;
}

function refusedByRoom(from: string, to: string): string | null {
  for (const [house, may] of Object.entries(rooms)) {
    const [here, there] = [roomOf(from, house), roomOf(to, house)];
    if (here === null || there === null || here === there) continue;
    if (!(here in may) && here.includes('.')) continue; // a file of the house itself
    if ((may[here] ?? may['*'])?.includes(there) !== true) return `${house}/${here}`;
  }
  return null;
}

function roomOf(file: string, house: string): string | null {
  return isIn(file, house) ? (file.slice(house.length + 1).split('/')[0] ?? null) : null;
}
