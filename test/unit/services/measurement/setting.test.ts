import { expect, it } from 'vitest';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import type { AuditEntry } from '../../../../server/auth/actor.ts';
import { defaultRetention } from '../../../../server/measurement/store.ts';
import { MeasurementSettingService } from '../../../../server/services/measurement/setting.ts';

const device_id = '00000000-0000-4000-8000-000000000001';
const measurement_id = '00000000-0000-4000-8000-000000000002';

type Options = ConstructorParameters<typeof MeasurementSettingService>[0];
type Row = ReturnType<Options['rows']['list']>[number];

/** One series, whose input takes a new name only when the daemon was told of it. */
function setUp() {
  const rows = new Map<string, Row>();
  const audited: AuditEntry[] = [];
  const told = Promise.withResolvers<undefined>();
  const input = { channels: [{ channel: 0, measurement_id, name: 'Air', measurement: 'temperature', unit: 'C' }] };
  const service = new MeasurementSettingService({
    rows: {
      list: () => [...rows.values()],
      save: (row: Row) => void rows.set(row.measurement_id, row),
      remove: (id: string) => rows.delete(id),
    } as Options['rows'],
    inputs: { has: () => true, get: () => input, change: () => told.promise } as unknown as Options['inputs'],
    measured: { list: () => [{ unique_id: device_id, ...input }] } as unknown as Options['measured'],
    transact: (run) => run(),
    audit: { record: (entry) => void audited.push(entry) },
  });
  return { service, audited, told: () => told.resolve(undefined) };
}

it('a rename leaves what others set while the daemon is told of it', async () => {
  const { service, audited, told } = setUp();
  const renaming = service.change(systemActor, measurement_id, { name: 'Crop' });
  await service.change(systemActor, measurement_id, { raw_days: 30, rollup_days: 800 });
  told();
  expect(await renaming).toMatchObject({ raw_days: 30, rollup_days: 800 });
  expect(audited).toMatchObject([{ kind: 'measurement.retention', after: { raw_days: 30, rollup_days: 800 } }]);
});

it('a rename does not bring back a retention that was removed meanwhile', async () => {
  const { service, told } = setUp();
  await service.change(systemActor, measurement_id, { raw_days: 30, rollup_days: 800 });
  const renaming = service.change(systemActor, measurement_id, { name: 'Crop' });
  service.remove(systemActor, measurement_id);
  told();
  expect(await renaming).toMatchObject({ ...defaultRetention, is_default: true });
});
