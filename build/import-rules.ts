import type { IForbiddenRuleType } from 'dependency-cruiser';

const below = (folder: string): string => `^${folder}/`;

/** A package as dependency-cruiser names it: resolved to a file, or the bare name if its exports map hides one. */
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

/** What the table of layers does not cover: packages, cycles, single files. */
export const importRules: IForbiddenRuleType[] = [
  {
    name: 'no cycles',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'contract imports zod and data only',
    severity: 'error',
    from: { path: below('server/contract') },
    to: { pathNot: [below('server/contract'), below('resources'), ...packages('zod')] },
  },
  {
    name: 'domain is pure',
    severity: 'error',
    from: { path: below('server/domain') },
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
  only('better-sqlite3', 'server/(db|measurement|tiles|exchange)'),
  only('koa', 'server/api'),
  only('modbus-serial', 'server/daemon/drivers'),
  only('mqtt', 'server/(daemon/drivers|outbound)'),
  only('leaflet', 'renderer/map'),
  only('leaflet-draw', 'renderer/map'),
  only('three', 'renderer/scene'),
  {
    name: 'electron only in electron',
    severity: 'error',
    from: { path: '^(server|renderer)/' },
    to: { path: ['^electron$', 'node_modules/electron/'] }, // the folder of that name is held by the layers
  },
];
