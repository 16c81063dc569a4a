import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataDirectory } from '../data-directory.ts';
import type { ControllerSettings } from '../contract/controller-kind.ts';
import { allKinds } from '../contract/controller-kinds.ts';
import { LastKnown } from '../daemon/store/last-known.ts';
import { markSalvaged, setAside } from '../db/damaged-file.ts';
import { integrityFaults } from '../db/integrity.ts';
import { orangeryMigrations } from '../db/migrations/orangery.ts';
import { openDatabase, openUnwritable, type Database } from '../db/open.ts';
import { controllerStores, type ControllerStore } from '../db/repositories/controller-stores.ts';
import { SettingRepository } from '../db/repositories/setting.ts';
import { salvageTables } from '../db/salvage.ts';
import { settleMaps } from '../db/settle-maps.ts';
import { isEmpty } from '../lost-configuration.ts';

/**
 * Makes an orangery.db from what is left of it, while the service is stopped: from the damaged file itself, else from
 * the newest copy made by a migration, and from the devices that control used last. Returns what was found, a line
 * each; deletes nothing.
 */
export function salvageConfiguration(directory: string): string[] {
  const release = lockDataDirectory(directory);
  try {
    const file = join(directory, 'orangery.db');
    if (isWhole(file)) return [`${file} is whole: there is nothing to save`];
    return makeAnew(directory, file);
  } finally {
    release();
  }
}

function makeAnew(directory: string, file: string): string[] {
  const aside = existsSync(file) ? setAside(file, new Date()) : null;
  const lines = aside === null ? [] : [`what was there is now ${aside}`];
  const db = openDatabase(file, { migrations: orangeryMigrations });
  try {
    const sources = [...(aside === null ? [] : [aside]), ...copies(directory)];
    const source = sources.find((one) => takeTables(one, db, lines));
    if (aside !== null) markSalvaged(aside);
    if (source === undefined) lines.push('no table of it could be read');
    lines.push(takeDevices(directory, db));
  } finally {
    db.close();
  }
  return [...lines, 'look at what is there, and make an administrator by "orangery admin create" if there is none'];
}

/** False when nothing was found in it. */
function takeTables(source: string, db: Database, lines: string[]): boolean {
  const found = salvageTables(source, db, settleMaps).filter(({ rows }) => rows > 0);
  for (const { table, rows, isWhole: isAll } of found) {
    lines.push(`${table}: ${rows} rows of ${source}${isAll ? '' : ', some are lost'}`);
  }
  return found.length > 0;
}

function takeDevices(directory: string, db: Database): string {
  const file = join(directory, 'last-known.json');
  const { settings } = new LastKnown(file, () => undefined);
  if (settings === null) return `no devices in ${file}`;
  let taken = 0;
  db.transaction(() => {
    const stores = controllerStores(db);
    for (const { word, plural } of allKinds) {
      const store: ControllerStore = stores[word];
      for (const one of settings[plural]) taken += insertNew(store, one);
    }
    const known = new SettingRepository(db);
    known.save({ ...settings.site, ...known.all() });
  })();
  return `${taken} devices of ${file}, which were in no table`;
}

function insertNew(store: ControllerStore, one: ControllerSettings): number {
  if (store.get(one.unique_id) !== undefined) return 0;
  store.insert(one);
  return 1;
}

/** Newest version first. */
function copies(directory: string): string[] {
  const versionOf = (name: string): number => Number(/^orangery\.db\.(\d+)\.bak$/.exec(name)?.[1] ?? NaN);
  return readdirSync(directory)
    .filter((name) => !Number.isNaN(versionOf(name)))
    .sort((a, b) => versionOf(b) - versionOf(a))
    .map((name) => join(directory, name));
}

function isWhole(file: string): boolean {
  if (isEmpty(file)) return false;
  try {
    const db = openUnwritable(file);
    try {
      return integrityFaults(db).length === 0;
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}
