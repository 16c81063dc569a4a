import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { KeptConfiguration } from '../../../../server/daemon/configuration/kept-configuration.ts';
import { LastKnown } from '../../../../server/daemon/store/last-known.ts';
import { OutputRepository } from '../../../../server/db/repositories/output.ts';
import { SettingRepository } from '../../../../server/db/repositories/setting.ts';
import type { StoreCondition } from '../../../../server/measurement/store.ts';
import { configure, daemonSite, heaterId, indoorId, simulatedOutput, ventId } from '../../../support/daemon-site.ts';

let folder: string;
let told: StoreCondition[];

beforeEach(() => {
  folder = daemonSite();
  told = [];
  configure(folder, (db) => new SettingRepository(db).save({ time_zone: 'Asia/Seoul', safety: { max_current_a: 12 } }));
});

function kept(): { configuration: KeptConfiguration; lastKnown: LastKnown } {
  const lastKnown = new LastKnown(join(folder, 'last-known.json'), () => undefined);
  const tell = (condition: StoreCondition): void => void told.push(condition);
  const configuration = new KeptConfiguration({ file: join(folder, 'orangery.db'), lastKnown, tell });
  onTestFinished(() => configuration.close());
  return { configuration, lastKnown };
}

/** Reads the file once, as the daemon before does. */
async function readOnce(): Promise<void> {
  const { configuration, lastKnown } = kept();
  configuration.start();
  await lastKnown.settled();
  configuration.close();
}

it.each<[string, () => void]>([
  ['missing', () => rmSync(join(folder, 'orangery.db'))],
  ['damaged', () => writeFileSync(join(folder, 'orangery.db'), 'no database, and long enough for one'.repeat(200))],
  ['empty', () => writeFileSync(join(folder, 'orangery.db'), '')],
])('an orangery.db that is %s leaves what was read last, and says so', async (_what, spoil) => {
  await readOnce();
  spoil();
  const { configuration } = kept();
  configuration.start();
  expect(configuration.list('output').map(({ unique_id }) => unique_id)).toEqual([heaterId, ventId]);
  expect(configuration.get('output', heaterId)).toEqual(simulatedOutput(heaterId, 'heater'));
  expect(configuration.list('input').map(({ unique_id }) => unique_id)).toEqual([indoorId]);
  expect(configuration.timeZone()).toBe('Asia/Seoul');
  expect(configuration.safetyPlan().max_current_a).toBe(12);
  expect(told).toMatchObject([{ code: 'settings_not_read', is_active: true }]);
});

it('goes by the file again as soon as it can be read', async () => {
  await readOnce();
  const [file, away] = [join(folder, 'orangery.db'), join(folder, 'away.db')];
  renameSync(file, away);
  const { configuration } = kept();
  configuration.start();
  expect(configuration.look()).toBe(false);
  renameSync(away, file);
  configure(folder, (db) =>
    new OutputRepository(db).update({ ...simulatedOutput(heaterId, 'heater'), name: 'boiler' }),
  );
  expect(configuration.get('output', heaterId)?.name).toBe('heater');
  expect(configuration.look()).toBe(true);
  expect(configuration.get('output', heaterId)?.name).toBe('boiler');
  expect(told.map(({ is_active }) => is_active)).toEqual([true, false]);
});

it('has another version when a setting was stored, and when the file can no longer be read', () => {
  const { configuration } = kept();
  configuration.start();
  const versions = [configuration.version(), configuration.version()];
  configure(folder, (db) => new SettingRepository(db).save({ manual_hold_s: 60 }));
  versions.push(configuration.version());
  writeFileSync(join(folder, 'orangery.db'), '');
  configuration.list('output');
  versions.push(configuration.version());
  expect(versions[1]).toBe(versions[0]);
  expect(new Set(versions).size).toBe(3);
});

it('keeps what has changed since', async () => {
  const { configuration, lastKnown } = kept();
  configuration.start();
  configure(folder, (db) => new OutputRepository(db).update({ ...simulatedOutput(ventId, 'side_vent'), name: 'flap' }));
  configuration.look();
  await lastKnown.settled();
  const read = new LastKnown(join(folder, 'last-known.json'), () => undefined);
  expect(read.settings?.outputs.map(({ name }) => name)).toEqual(['heater', 'flap']);
});

it('says what is wrong where nothing was ever read', () => {
  rmSync(join(folder, 'orangery.db'));
  expect(() => kept().configuration.start()).toThrow();
});
