import type { Settings } from '../../../../server/contract/setting.ts';
import type { SiteFileReport } from '../../../../server/contract/site-file.ts';
import type { MessageKey } from '../../../i18n/index.ts';

type Outcome = SiteFileReport['settings'][number];
type Refused = Pick<SiteFileReport['refused'][number], 'code' | 'message' | 'why' | 'values'>;
type Name = Extract<MessageKey, `backups.site.names.${string}`>;

/** The names used on screen; settings edited together share one. */
const settingNames: { [Key in keyof Settings]: Name } = {
  site_name: 'backups.site.names.site_name',
  lat: 'backups.site.names.place',
  lng: 'backups.site.names.place',
  zoom: 'backups.site.names.zoom',
  max_zoom: 'backups.site.names.max_zoom',
  length_unit: 'backups.site.names.length_unit',
  temperature_unit: 'backups.site.names.temperature_unit',
  language: 'backups.site.names.language',
  time_zone: 'backups.site.names.time_zone',
  base_layer: 'backups.site.names.base_layer',
  manual_hold_s: 'backups.site.names.manual_hold_s',
  theme: 'backups.site.names.theme',
  visibility: 'backups.site.names.visibility',
  labels: 'backups.site.names.labels',
  providers: 'backups.site.names.providers',
  wms_layers: 'backups.site.names.wms_layers',
  design_conditions: 'backups.site.names.design_conditions',
  alarm_limits: 'backups.site.names.alarm_limits',
  safety: 'backups.site.names.safety',
  pipe_prices: 'backups.site.names.pipe_prices',
};

export interface NamedSetting {
  /** null for a setting of a newer program, which is shown by its path. */
  name: Name | null;
  path: string;
  /** Number of values with that name. */
  count: number;
  /** Why they were refused, each once. */
  refused: Refused[];
}

/** The settings of a report by their names on screen, each once. */
export function namedSettings(settings: readonly Outcome[]): NamedSetting[] {
  const groups = Map.groupBy(settings, ({ path }) => nameOf(path) ?? path);
  return [...groups.values()].map((group) => {
    const path = group[0]?.path ?? '';
    const reasons = group.flatMap(({ code, message, why, values }): [string, Refused][] =>
      code === undefined || message === null ? [] : [[message, { code, message, why, values }]],
    );
    const name = nameOf(path);
    const count = name === settingNames.lat ? 1 : group.length;
    return { name, path, count, refused: [...new Map(reasons).values()] };
  });
}

function nameOf(path: string): Name | null {
  const [key = ''] = path.split('.');
  const names: Partial<Record<string, Name>> = settingNames;
  return names[key] ?? null;
}

/** What is missing from an imported entry: the number of placed devices, and whether a password or key. */
export function missingOf(without: readonly string[]): { placed: number; isSecret: boolean } {
  const placed = without.filter((path) => path.endsWith('.properties.device_id')).length;
  return { placed, isSecret: without.length > placed };
}
