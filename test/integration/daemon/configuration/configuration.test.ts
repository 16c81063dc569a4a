import { expect, it, onTestFinished } from 'vitest';
import { openConfiguration } from '../../../../server/daemon/configuration/configuration.ts';
import { UnitRepository } from '../../../../server/db/repositories/unit.ts';
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
