import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../auth/actor.ts';
import { isRefusal } from '../../contract/errors.ts';
import { parseOrRefuse } from '../../contract/field-errors.ts';
import { settingsPatch } from '../../contract/setting.ts';
import type { SiteFileReport } from '../../contract/site-file.ts';
import { refusedAs } from '../device/device-file.ts';
import { isObject, withIds, withoutSecrets, type Renamed } from '../device/moved-ids.ts';
import type { SettingService } from '../setting/setting.ts';

type Outcome = SiteFileReport['settings'][number];
type Settings = Pick<SettingService, 'get' | 'defaults' | 'save'>;

interface Asked {
  actor: Actor;
  isDry: boolean;
  renamed: Renamed;
  /** Also replaces what has been set here. */
  isReplacing: boolean;
}

/** Imports the settings of a file: those that still have their defaults here, and others on request. */
export function takeSettings(
  sent: Record<string, unknown>,
  service: Settings,
  { actor, isDry, renamed, isReplacing }: Asked,
): Outcome[] {
  const [file, here, fresh] = [leaves(withoutSecrets(sent).value), leaves(service.get()), leaves(service.defaults)];
  const differing = [...file].filter(([path, value]) => !isDeepStrictEqual(value, here.get(path)));
  const isFree = ([path]: [string, unknown]): boolean => isDeepStrictEqual(here.get(path), fresh.get(path));
  const taken = differing.filter((one) => isReplacing || isFree(one));
  const kept = differing.filter((one) => !taken.includes(one));
  const outcomes = new Map<string, Outcome>(
    kept.map(([path]) => [path, { path, outcome: 'kept', message: null }] as const),
  );
  for (const group of groups(taken)) {
    const refused = refusalOf(group, service, { actor, isDry, renamed });
    const outcome = refused === null ? { outcome: 'taken' as const, message: null } : refused;
    for (const [path] of group) outcomes.set(path, { path, ...outcome });
  }
  return differing.flatMap(([path]) => outcomes.get(path) ?? []);
}

/** One value for each setting, and for each member of those that are objects. */
function leaves(settings: object): Map<string, unknown> {
  return new Map(
    Object.entries(settings).flatMap(([key, value]) =>
      isObject(value)
        ? Object.entries(value).map(([member, one]) => [`${key}.${member}`, one] as const)
        : [[key, value] as const],
    ),
  );
}

/** Settings that are checked together are saved together; of the others a refused one does not affect the rest. */
function groups(taken: [string, unknown][]): [string, unknown][][] {
  const byKey = Map.groupBy(taken, ([path]) => {
    const [key = path] = path.split('.');
    if (key === 'zoom' || key === 'max_zoom') return 'zoom';
    return key === 'providers' ? path : key;
  });
  return [...byKey.values()];
}

function refusalOf(
  group: [string, unknown][],
  service: Settings,
  { actor, isDry, renamed }: Omit<Asked, 'isReplacing'>,
): Omit<Outcome, 'path'> | null {
  try {
    const patch = parseOrRefuse(settingsPatch, withIds(nested(group), renamed));
    if (!isDry) service.save(patch, actor);
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { outcome: 'refused', ...refusedAs(error) };
  }
}

function nested(group: [string, unknown][]): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const [path, value] of group) {
    const [key = '', member] = path.split('.');
    if (member === undefined) patch[key] = value;
    else patch[key] = { ...(isObject(patch[key]) ? patch[key] : {}), [member]: value };
  }
  return patch;
}
