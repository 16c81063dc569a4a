import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../server/cli.ts';
import { salvageConfiguration } from '../../../server/commands/salvage.ts';
import { openControlStore } from '../../../server/daemon/store/control-store.ts';
import { KeptConfiguration } from '../../../server/daemon/configuration/kept-configuration.ts';
import { LastKnown } from '../../../server/daemon/store/last-known.ts';
import { openDatabases } from '../../../server/databases.ts';
import { orangeryMigrations } from '../../../server/db/migrations/orangery.ts';
import { openDatabase, type Database } from '../../../server/db/open.ts';
import { OutputRepository } from '../../../server/db/repositories/output.ts';
import { SettingRepository } from '../../../server/db/repositories/setting.ts';
import { salvageTables } from '../../../server/db/salvage.ts';
import { settleMaps } from '../../../server/db/settle-maps.ts';
import { transactor } from '../../../server/db/transaction.ts';
import { tidyMaps } from '../../../server/services/map/staged.ts';
import { mapStore } from '../../../server/services/map/store.ts';
import { mapTasks } from '../../../server/services/map/tasks.ts';
import { afterTest } from '../../support/cleanup.ts';
import { testDatabase, testFolder } from '../../support/database.ts';
import { drawn } from '../../support/maps.ts';
import { configure, daemonSite, heaterId, simulatedOutput, ventId } from '../../support/daemon-site.ts';

let folder: string;
let file: string;

/** A data directory in which a service has run. */
beforeEach(async () => {
  folder = daemonSite();
  file = join(folder, 'orangery.db');
  configure(folder, (db) => new SettingRepository(db).save({ site_name: 'North field', time_zone: 'Asia/Seoul' }));
  const lastKnown = new LastKnown(join(folder, 'last-known.json'), () => undefined);
  const configuration = new KeptConfiguration({ file, lastKnown, tell: () => undefined });
  configuration.start();
  await lastKnown.settled();
  configuration.close();
});

const lose: [string, () => void][] = [
  ['missing', () => rmSync(file)],
  ['empty', () => truncateSync(file)],
];

function outputs(): string[] {
  const db = openDatabase(file, { migrations: orangeryMigrations });
  const ids = new OutputRepository(db).list().map(({ unique_id }) => unique_id);
  db.close();
  return ids;
}

describe('an orangery.db that is lost', () => {
  it.each(lose)('(%s) keeps the service from starting as a new one, and says what to do', (_what, spoil) => {
    spoil();
    expect(() => openDatabases(folder)).toThrow(/is missing or empty, but last-known\.json .* "orangery salvage"/);
    rmSync(join(folder, 'last-known.json'));
    mkdirSync(join(folder, 'tls'));
    writeFileSync(join(folder, 'tls', 'ca.crt'), '');
    expect(() => openDatabases(folder)).toThrow('tls/ca.crt');
  });

  it('is missed where the daemon has run, whatever else is gone', async () => {
    rmSync(file);
    rmSync(join(folder, 'last-known.json'));
    const store = openControlStore(join(folder, 'control.db'));
    await store.markRun(false);
    await store.close();
    expect(() => openDatabases(folder)).toThrow('control.db');
    const lines: string[] = [];
    const terminal = { env: { ORANGERY_DATA_DIR: folder }, stdin: process.stdin };
    const code = await run(['admin', 'totp-off', '--username', 'kim'], {
      ...terminal,
      stdout: (line) => void lines.push(line),
      stderr: (line) => void lines.push(line),
    });
    expect([code, lines.join()]).toEqual([1, expect.stringContaining('orangery salvage')]);
    expect(readdirSync(folder)).not.toContain('orangery.db');
  });

  it.each(lose)('(%s) gets back the devices that control went by', (_what, spoil) => {
    spoil();
    expect(salvageConfiguration(folder).join('\n')).toContain('3 devices of');
    expect(outputs()).toEqual([heaterId, ventId]);
    openDatabases(folder).close();
  });

  it('is made of the newest copy, and of devices that came later', () => {
    const copy = openDatabase(file);
    copy.prepare('VACUUM INTO ?').run(join(folder, 'orangery.db.9.bak'));
    copy.prepare('VACUUM INTO ?').run(join(folder, 'orangery.db.10.bak'));
    copy.close();
    rmSync(file);
    expect(salvageConfiguration(folder).join('\n')).toMatch(/settings: 2 rows of .*orangery\.db\.10\.bak/);
    const db = openDatabase(file);
    expect(new SettingRepository(db).all()).toMatchObject({ site_name: 'North field' });
    db.close();
    expect(outputs()).toEqual([heaterId, ventId]);
  });
});

it('a damaged orangery.db gives what can be read of it, and is kept', () => {
  configure(folder, (db) => {
    const insert = db.transaction(() => {
      for (let n = 0; n < 1_000; n += 1) {
        const unique_id = `00000000-0000-4000-8000-00000001${String(n).padStart(4, '0')}`;
        new OutputRepository(db).insert(simulatedOutput(unique_id, 'heater'));
      }
    });
    insert();
  });
  const whole = openDatabase(file);
  whole.pragma('wal_checkpoint(TRUNCATE)');
  whole.close();
  const { size } = statSync(file);
  truncateSync(file, Math.floor((size * 3) / 4 / 4_096) * 4_096);
  expect(() => openDatabases(folder)).toThrow('run "orangery salvage"');
  const lines = salvageConfiguration(folder).join('\n');
  expect(lines).toMatch(/outputs: \d+ rows/);
  expect(outputs().length).toBeGreaterThan(100);
  expect(readdirSync(dirname(file)).join()).toContain('orangery.db.salvaged-');
  expect(salvageConfiguration(folder)).toEqual([`${file} is whole: there is nothing to save`]);
});

describe('maps of a damaged file', () => {
  const saving = (at: string) => ({ author: { user_id: null, username: null, at }, devices: new Map() });
  const at = '2026-03-01T06:00:00.000Z';
  const namesOn = (db: Database, geo_id: string) =>
    db
      .prepare<[string], string>("SELECT properties ->> 'name' FROM current_features WHERE map_uuid = ? ORDER BY 1")
      .pluck()
      .all(geo_id);

  it('keep what a backup has of them and what was drawn since', () => {
    const db = testDatabase('orangery');
    const store = mapStore(db);
    const geo_id = randomUUID();
    store.designs.insert(geo_id, { name: 'Farm', lat: 0, lng: 0, zoom: 1, layers: {} }, { at, isSaved: true });
    const [a, b, c] = [drawn({ name: 'a' }), drawn({ name: 'b' }), drawn({ name: 'c' })];
    mapTasks.saveFull(store, { geo_id, features: [a, b] }, saving(at));
    const backup = join(testFolder(), 'backup.db');
    db.prepare('VACUUM INTO ?').run(backup);
    const changed = { ...a, properties: { ...a.properties, name: 'a changed' } };
    mapTasks.saveDelta(store, { geo_id, modified: [changed] }, saving(at));
    mapTasks.saveDelta(store, { geo_id, added: [c] }, saving(at));

    const target = openDatabase(backup, { migrations: orangeryMigrations });
    afterTest(() => target.close());
    salvageTables(db.name, target, settleMaps);
    expect(namesOn(target, geo_id)).toEqual(['a', 'b', 'c']);
    const slices = { least: 0, length_ms: 0, turn: transactor(target) };
    const put = mapStore(target, slices);
    tidyMaps(put);
    expect(namesOn(target, geo_id)).toEqual(['a', 'b', 'c']);
    expect(put.designs.get(geo_id)).toMatchObject({ revision: 1, feature_count: 3 });
    expect(
      mapTasks.saveDelta(put, { geo_id, deleted: [c.properties.unique_id], revision: 1 }, saving(at)),
    ).toMatchObject({ revision: 2, deleted: 1 });
  });

  it('are read of one that an older program wrote', () => {
    const older = openDatabase(join(testFolder(), 'older.db'), { migrations: orangeryMigrations.slice(0, 18) });
    afterTest(() => older.close());
    drawThree(older);
    const target = testDatabase('orangery');
    const found = salvageTables(older.name, target, settleMaps);
    expect(found.find(({ table }) => table === 'features')).toMatchObject({ rows: 3, isWhole: true });
    expect(namesOn(target, 'm')).toEqual(['1', '2', '3']);
  });

  it('keep what is above their revision when an older file is brought up to now', () => {
    const file = join(testFolder(), 'older.db');
    const older = openDatabase(file, { migrations: orangeryMigrations.slice(0, 18) });
    drawThree(older);
    older.exec(`INSERT INTO map_history (id, map_uuid, revision, kind, at, added, modified, deleted)
        VALUES (1, 'm', 2, 'delta', '${at}', 1, 0, 0);
      INSERT INTO feature_history (history_id, unique_id, kind) VALUES (1, '3', 'added')`);
    older.close();
    const db = openDatabase(file, { migrations: orangeryMigrations });
    afterTest(() => db.close());
    tidyMaps(mapStore(db, { least: 0, length_ms: 0, turn: transactor(db) }));
    expect(namesOn(db, 'm')).toEqual(['1', '2', '3']);
    expect(db.prepare('SELECT feature_count FROM designs').pluck().get()).toBe(3);
    expect(db.prepare('SELECT count(*) FROM feature_history').pluck().get()).toBe(0);
  });

  /** A map at revision 1 with three features, the last of a later revision. */
  function drawThree(db: Database): void {
    db.exec(`INSERT INTO designs (map_uuid, name, lat, lng, zoom, layers, revision, is_saved, created_at, updated_at)
      VALUES ('m', 'Farm', 0, 0, 1, '{}', 1, 1, '${at}', '${at}')`);
    const insert = db.prepare(`INSERT INTO features
      (unique_id, map_uuid, type, geometry, properties, west, south, east, north, changed_revision)
      VALUES (?, 'm', 'site', ?, ?, 127, 37, 128, 38, ?)`);
    for (const [index, revision] of [1, 1, 2].entries()) {
      const name = String(index + 1);
      const { geometry, properties } = drawn({ name });
      insert.run(name, JSON.stringify(geometry), JSON.stringify(properties), revision);
    }
  }
});
