import { z } from 'zod';
import { language } from '../../contract/language.ts';
import type { ReasonReader } from '../../domain/control/reason-text.ts';
import type { Facility } from '../../contract/facility.ts';
import type { ControllerSettings } from '../../contract/controller-kind.ts';
import {
  allKinds,
  byPlural,
  kindOfWord,
  type ControllerType,
  type ControllerWord,
  type SettingsOf,
} from '../../contract/controller-kinds.ts';
import { defaultPlace } from '../../contract/setting.ts';
import { unitConversion, type MeasurementName, type UnitConversion } from '../../contract/units.ts';
import { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import type { Place } from '../../domain/solar/sun-day.ts';
import { contentVersion } from '../../db/content-version.ts';
import { orangeryMigrations } from '../../db/migrations/orangery.ts';
import { openDatabase } from '../../db/open.ts';
import { FacilityRepository } from '../../db/repositories/facility.ts';
import { bindingsStamp, facilityBindings } from '../../db/repositories/facility-bindings.ts';
import { controllerStores, measuredDevices } from '../../db/repositories/controller-stores.ts';
import { MeasurementRetentionRepository, type RetentionRow } from '../../db/repositories/measurement-retention.ts';
import { SettingRepository } from '../../db/repositories/setting.ts';
import { UnitRepository } from '../../db/repositories/unit.ts';
import { readTogether } from '../../db/transaction.ts';
import type { LastSettings } from '../store/last-known.ts';
import { safetyPlan, type SafetyPlan } from '../safety/plan.ts';

/** Settings of the site that control uses. */
const controlling = new Set(['safety', 'alarm_limits', 'manual_hold_s', 'time_zone', 'lat', 'lng']);

/** The server's configuration, read fresh at every call. Identifiers are in lower case. */
export interface Configuration {
  /** All controllers of a kind, by its word. */
  list<Word extends ControllerWord>(word: Word): SettingsOf<Word>[];
  get<Word extends ControllerWord>(word: Word, id: string): SettingsOf<Word> | undefined;
  /** How to convert a unit, built in or own, to the stored one; undefined for an unknown unit. */
  conversion(measurement: MeasurementName, unit: string): UnitConversion | undefined;
  /** Channels with a retention of their own. */
  retention(): RetentionRow[];
  /** IANA time zone of the site. */
  timeZone(): string;
  /** The location of the site, by default on the equator at Greenwich; the same object while the file is unchanged. */
  place(): Place;
  /** The language and time zone of the site's people. */
  reader(): ReasonReader;
  /** undefined also for one in the trash. */
  facility(id: string): Facility | undefined;
  /** Whether it exists, and if not, whether it can be restored. */
  facilityStanding(id: string): 'living' | 'in_trash' | 'gone';
  /** What the gate holds outputs to; the same object while nothing in it has changed. */
  safetyPlan(): SafetyPlan;
  /** A text that stays the same while nothing has changed. */
  version(): string;
  close(): void;
}

/** The configuration of an open orangery.db. */
export interface StoredConfiguration extends Configuration {
  /** Everything that control uses, in one piece. */
  everything(): LastSettings;
}

/** The controller with this id, of any kind; undefined when there is none. */
export function namedBy(
  configuration: Pick<Configuration, 'get'>,
  id: string,
): { type: ControllerType; word: ControllerWord; settings: ControllerSettings } | undefined {
  for (const { type, word } of allKinds) {
    const settings: ControllerSettings | undefined = configuration.get(word, id);
    if (settings !== undefined) return { type, word, settings };
  }
  return undefined;
}

/** Opens an orangery.db that the server has migrated, for reading. Throws `DatabaseTooNewError`. */
export function openConfiguration(file: string): StoredConfiguration {
  const database = openDatabase(file, { migrations: orangeryMigrations, readonly: true });
  const controllers = controllerStores(database);
  const settings = new SettingRepository(database);
  const facilities = new FacilityRepository(database);
  const retention = new MeasurementRetentionRepository(database);
  const units = new UnitRepository(database);
  const readPlan = (): SafetyPlan =>
    safetyPlan({
      settings: settings.all(),
      facilities: facilityBindings(database),
      sensors: measuredDevices(controllers).list(),
      outputs: controllers.output.list(),
    });
  const version = contentVersion(database);
  const ownUnits = whileSame(version, () => units.list()); // asked with every reading
  // Every commit of the server changes the version, but few change the stamp.
  const plan = whileSame(
    version,
    whileSame(() => bindingsStamp(database), readPlan),
  );
  return {
    version,
    everything: () =>
      readTogether(database, () => ({
        ...byPlural(({ word }): ControllerSettings[] => controllers[word].list()),
        outputs: controllers.output.list(),
        inputs: controllers.input.list(),
        units: units.list(),
        retention: retention.list(),
        facilities: facilityBindings(database),
        site: Object.fromEntries(Object.entries(settings.all()).filter(([key]) => controlling.has(key))),
      })),
    facility: (id) => {
      const stored = facilities.get(id);
      return stored?.deleted_at === null ? stored.facility : undefined;
    },
    facilityStanding: (id) => facilities.standing(id),
    list: (word) => controllers[word].list(),
    get: (word, id) => controllers[word].get(id),
    conversion: (measurement, unit) => unitConversion(measurement, unit, ownUnits()),
    retention: () => retention.list(),
    timeZone: () => timeZoneOf(settings.all()),
    place: whileSame(version, () => placeOf(settings.all())), // asked by every trigger
    reader: whileSame(version, () => readerOf(settings.all())),
    safetyPlan: plan,
    close: () => database.close(),
  };
}

/**
 * The last settings read from an orangery.db that is now unreadable. Facilities and their checks are left alone
 * meanwhile.
 */
export function lastConfiguration(last: LastSettings): Configuration {
  const list = <Word extends ControllerWord>(word: Word): SettingsOf<Word>[] => {
    const { plural } = kindOfWord(word);
    return last[plural] as SettingsOf<Word>[]; // read by the schema of this kind
  };
  const get = <Word extends ControllerWord>(word: Word, id: string): SettingsOf<Word> | undefined =>
    list(word).find(({ unique_id }) => unique_id === id);
  const sensors = new MeasuredDevices({ list, get }).list();
  const [plan, place] = [safetyPlan({ settings: last.site, ...last, sensors }), placeOf(last.site)];
  return {
    facility: () => undefined,
    facilityStanding: () => 'living',
    list,
    get,
    conversion: (measurement, unit) => unitConversion(measurement, unit, last.units),
    retention: () => last.retention,
    timeZone: () => timeZoneOf(last.site),
    place: () => place,
    reader: () => readerOf(last.site),
    safetyPlan: () => plan,
    version: () => 'read last',
    close: () => undefined,
  };
}

function timeZoneOf(site: Record<string, unknown>): string {
  return z.string().safeParse(site['time_zone']).data ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function readerOf(site: Record<string, unknown>): ReasonReader {
  return { language: language.safeParse(site['language']).data ?? 'en', time_zone: timeZoneOf(site) };
}

function placeOf(site: Record<string, unknown>): Place {
  const degrees = (key: 'lat' | 'lng'): number => z.number().safeParse(site[key]).data ?? defaultPlace[key];
  return { lat: degrees('lat'), lng: degrees('lng'), time_zone: timeZoneOf(site) };
}

/** Reads again only when the stamp has changed. */
function whileSame<Value>(stamp: () => string, read: () => Value): () => Value {
  let kept: { stamp: string; value: Value } | undefined;
  return () => {
    const now = stamp();
    if (kept?.stamp !== now) kept = { stamp: now, value: read() };
    return kept.value;
  };
}
