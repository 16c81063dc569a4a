import type { IForbiddenRuleType } from 'dependency-cruiser';

/** A folder of the house: itself and all below it. */
const below = (...folders: string[]): string => `^(${folders.join('|')})/`;

interface Layer {
  folder: string;
  /** What it may import from the project beside itself. Everything else is refused. */
  may: string[];
}

const contract = 'server/contract';
const domain = 'server/domain';
const stores = [
  ...['db', 'measurement', 'upstream', 'tiles', 'exchange', 'backup', 'auth', 'tls'].map((name) => `server/${name}`),
];
const resources = 'resources';
const entry = 'server/worker-entry.ts';
const worker = 'server/worker';

/** What a shell starts the service with. */
const composition = [
  'service',
  'data-directory',
  'environment',
  'built-pages',
  'supervision/launcher',
  'daemon/ipc',
].map((name) => `server/${name}.ts`);

/** Who may import whom; see the README's layout. A folder that is not named here may import nothing it is not told to. */
const layers: Layer[] = [
  { folder: contract, may: [] },
  { folder: domain, may: [contract, resources] },
  { folder: 'server/outbound', may: [contract] },
  { folder: worker, may: [contract] },
  { folder: 'server/remote', may: [contract, domain, 'server/outbound'] },
  { folder: 'server/db', may: [contract, domain, 'server/outbound', resources] },
  { folder: 'server/measurement', may: [contract, domain, 'server/outbound', 'server/db', worker, entry] },
  { folder: 'server/tls', may: [contract, domain, 'server/outbound'] },
  { folder: 'server/auth', may: [contract, domain, 'server/outbound', 'server/db', resources] },
  {
    folder: 'server/daemon',
    may: [
      contract,
      domain,
      'server/remote',
      'server/measurement',
      'server/db',
      'server/outbound',
      'server/auth/secret-box.ts',
      worker, // what a check found is judged in a thread: a second of regressions would delay commands
      entry,
    ],
  },
  {
    folder: 'server/services',
    may: [
      contract,
      domain,
      'server/outbound',
      'server/remote',
      ...stores,
      'server/orangery_client.ts',
      worker,
      entry,
      resources,
    ],
  },
  {
    folder: 'server/supervision',
    may: [contract, 'server/remote', 'server/db', 'server/orangery_client.ts', 'server/daemon/ipc.ts'],
  },
  {
    folder: 'server/composition',
    may: [contract, 'server/services', 'server/auth', 'server/db', 'server/measurement'],
  },
  { folder: 'server/api', may: [contract, 'server/services', 'server/auth'] },
  { folder: 'electron/preload', may: ['electron/ipc/contract.ts'] },
  { folder: 'electron', may: [...composition, contract] },
  { folder: 'renderer', may: [contract, 'electron/ipc/contract.ts', resources] },
];

const layerRules: IForbiddenRuleType[] = layers.map(({ folder, may }) => ({
  name: `layer ${folder}`,
  severity: 'error',
  from: { path: below(folder) },
  to: { path: '^(server|electron|renderer|resources|build|test)/', pathNot: `^(${[folder, ...may].join('|')})(/|$)` },
}));

/** A package as the cruise names it: resolved to a file, or the bare name where its exports map hides one. */
const packages = (...names: string[]): string[] =>
  names.flatMap((name) => [`^${name}$`, `^${name}/`, `node_modules/${name}/`]);

/** A package that only one folder may import. */
function only(packageName: string, folder: string): IForbiddenRuleType {
  return {
    name: `${packageName} only in ${folder}`,
    severity: 'error',
    from: { path: '^(server|electron|renderer)/', pathNot: `^(${folder})/` },
    to: { path: packages(packageName) },
  };
}

export const importRules: IForbiddenRuleType[] = [
  ...layerRules,
  {
    name: 'no cycles',
    severity: 'error',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'contract imports zod only',
    severity: 'error',
    from: { path: below(contract) },
    to: { pathNot: [below(contract), ...packages('zod')] },
  },
  {
    name: 'domain is pure',
    severity: 'error',
    from: { path: below(domain) },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'server knows no window',
    severity: 'error',
    from: { path: below('server') },
    to: { path: packages('electron', 'vue', 'pinia', 'vuetify', 'leaflet') },
  },
  {
    name: 'orangery_client imports contract and remote',
    severity: 'error',
    from: { path: '^server/orangery_client\\.ts$' },
    to: { path: '^server/', pathNot: '^server/(contract|remote)/' },
  },
  only('better-sqlite3', 'server/(db|measurement|tiles|exchange|backup)'),
  only('koa', 'server/api'),
  only('modbus-serial', 'server/daemon/drivers'),
  only('mqtt', 'server/(daemon/drivers|outbound)'),
  only('leaflet', 'renderer/map'),
  only('leaflet-draw', 'renderer/map'),
  {
    name: 'electron only in electron',
    severity: 'error',
    from: { path: '^(server|renderer)/' },
    to: { path: ['^electron$', 'node_modules/electron/'] }, // the folder of that name is held by the layers
  },
];
