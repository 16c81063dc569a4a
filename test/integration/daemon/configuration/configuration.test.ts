import { expect, it, onTestFinished } from 'vitest';
import { openConfiguration } from '../../../../server/daemon/configuration/configuration.ts';
import { SettingRepository } from '../../../../server/db/repositories/setting.ts';
import { UnitRepository } from '../../../../server/db/repositories/unit.ts';
import { defaultSettings } from '../../../../server/services/setting/defaults.ts';
import { testDatabase } from '../../../support/database.ts';

it('knows an own unit as soon as the server has stored or changed it', () => {
  const db = testDatabase('orangery');
  const units = new UnitRepository(db);
  const configuration = openConfiguration(db.name);
  onTestFinished(() => configuration.close());
  const found = (): unknown => configuration.conversion('energy', 'imp');
  expect(found()).toBeUndefined();
  const unit = { unique_id: '00000000-0000-4000-8000-000000000001', measurement: 'energy' as const, unit: 'imp' };
  units.insert({ ...unit, factor: 0.001, offset: 0 });
  expect(found()).toMatchObject({ factor: 0.001, offset: 0 });
  units.update({ ...unit, factor: 0.002, offset: 0 });
  expect(found()).toMatchObject({ factor: 0.002 });
  expect(configuration.conversion('energy', 'Wh')).toEqual({ factor: 0.001, offset: 0 });
});

it('puts a site where the pages show it until somebody says where', () => {
  const db = testDatabase('orangery');
  const configuration = openConfiguration(db.name);
  onTestFinished(() => configuration.close());
  const { lat, lng } = defaultSettings('UTC');
  expect(configuration.place()).toMatchObject({ lat, lng });
  new SettingRepository(db).save({ lat: 52.1 });
  expect(configuration.place()).toMatchObject({ lat: 52.1, lng });
});
