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
import { openDatabase } from '../../../server/db/open.ts';
import { OutputRepository } from '../../../server/db/repositories/output.ts';
import { SettingRepository } from '../../../server/db/repositories/setting.ts';
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
