import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { DriverFamilies } from '../../../../server/daemon/drivers/families.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const families = new DriverFamilies({ clock: new ManualClock(), log: () => undefined });
const device = { device_id: 'one', kind: 'output', options: {}, channels: [0] } as const;
const signal = new AbortController().signal;

afterEach(() => families.close());

it.each(['nonsense', 'toString', '__proto__'])('does not know the driver %s', async (driver) => {
  await expect(families.connect({ ...device, driver }, signal)).rejects.toMatchObject({ code: 'unsupported' });
});

it('refuses options that the driver does not have', async () => {
  const wrong = { ...device, driver: 'simulated', options: { spede: 2 } };
  await expect(families.connect(wrong, signal)).rejects.toMatchObject({ code: 'unsupported' });
});

it('connects a device of a family', async () => {
  const connected = await families.connect({ ...device, driver: 'simulated' }, signal);
  expect(await connected.write?.(0, 'on', signal)).toEqual({ acknowledged: true });
});

it('describes every driver with the schema of its options', async () => {
  const described = families.describe();
  const folders = readdirSync(join(import.meta.dirname, '../../../../server/daemon/drivers'), { withFileTypes: true });
  const names = folders.flatMap((one) => (one.isDirectory() ? [one.name] : []));
  expect(described.map(({ driver }) => driver).toSorted()).toEqual(names.toSorted());
  for (const { options_schema } of described) expect(options_schema).toMatchObject({ type: 'object' });
});
