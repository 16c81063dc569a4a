import { z } from 'zod';
import type { AlarmCondition } from '../../contract/alarm.ts';
import type { ControllerReference } from '../../contract/controller-kind.ts';
import { kindOfWord } from '../../contract/controller-kinds.ts';
import type { Connection } from '../../contract/drivers/connection.ts';
import { driverOf } from '../../contract/drivers/index.ts';
import type { Facility } from '../../contract/facility.ts';
import { namedBy, type Configuration } from '../configuration/configuration.ts';
import { eyes } from '../safety/site-watches.ts';
import type { Need } from './alarm-causes.ts';

type Settings = Pick<Configuration, 'get' | 'facility'>;
type House = Pick<Facility, 'sensors' | 'actuators'>;

/** The longest pause of a device that fails, and the time that an attempt takes, s. */
const retried_s = 40;

const connected = z.object({ driver: z.string(), options: z.record(z.string(), z.unknown()) });
const periodic = z.object({ period_s: z.number() });
/** Functions have theirs among their options. */
const inPeriods = z.union([periodic, z.object({ options: periodic }).transform(({ options }) => options)]);

/** The connection of a device with these settings; undefined for any other and for one that shares none. */
export function connectionOfDevice(settings: unknown): Connection | undefined {
  const { driver, options } = connected.safeParse(settings).data ?? {};
  return driver === undefined || options === undefined ? undefined : driverOf(driver)?.connection?.(options);
}

/** What sources need, read again only once the configuration has another version. */
export function currentNeeds(configuration: Settings & Pick<Configuration, 'version'>): (id: string) => Need[] {
  const known = new Map<string, Need[]>();
  let version = '';
  return (id) => {
    const now = configuration.version();
    if (now !== version) known.clear();
    version = now;
    const needs = known.get(id) ?? needsOf(configuration, id);
    known.set(id, needs);
    return needs;
  };
}

/**
 * What a source of alarms needs, and what that needs in turn: a device its connection, a controller the devices that it
 * reads and commands, a house the sensors without which its outputs are held.
 */
export function needsOf(configuration: Settings, source_id: string): Need[] {
  const found: Need[] = [];
  const walk = (id: string, role: AlarmCondition['role']): void => {
    for (const need of directNeeds(configuration, id)) {
      const one = { ...need, role: need.role ?? role };
      if (found.some((other) => other.source_id === one.source_id && other.role === one.role)) continue;
      found.push(one);
      walk(one.source_id, one.role);
    }
  };
  walk(source_id, null);
  return found;
}

/** How long a source may take to notice that what it needs works again, s. */
export function noticing_s(configuration: Pick<Configuration, 'get'>, source_id: string): number {
  const settings: unknown = namedBy(configuration, source_id)?.settings;
  const { period_s = 0 } = inPeriods.safeParse(settings).data ?? {};
  return retried_s + period_s;
}

function directNeeds(configuration: Settings, id: string): Need[] {
  const named = namedBy(configuration, id);
  if (named === undefined) {
    const house = configuration.facility(id);
    const seeing = new Set(eyes.map(({ sensors }) => sensors));
    return (house?.sensors ?? []).filter(({ role }) => seeing.has(role)).map(needOf);
  }
  const connection = connectionOfDevice(named.settings);
  const references = kindOfWord(named.word).stored?.references(named.settings) ?? [];
  return [
    ...(connection === undefined ? [] : [{ source_id: connection.id, role: null }]),
    ...references.flatMap((one) => referenced(one, (house) => configuration.facility(house))),
  ];
}

function referenced(reference: ControllerReference, houseOf: (id: string) => House | undefined): Need[] {
  const { to, id } = reference;
  if (to === 'measurement' || to === 'output') return [{ source_id: id, role: null }];
  if (to !== 'facility') return [];
  const { sensors = [], actuators = [] } = houseOf(id) ?? {};
  return [...sensors.map(needOf), ...actuators.filter(({ role }) => reference.drives.includes(role)).map(needOf)];
}

function needOf({ device_id, role }: { device_id: string; role: Need['role'] }): Need {
  return { source_id: device_id, role };
}
