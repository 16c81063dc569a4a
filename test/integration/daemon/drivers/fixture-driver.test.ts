import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { offersOf } from '../../../../renderer/features/devices/form/device-form.ts';
import { emptyOf, optionSchema } from '../../../../renderer/features/devices/form/option-schema.ts';
import { driverRoutes } from '../../../../server/api/routes/driver.ts';
import { namedSchemas } from '../../../../server/api/openapi-names.ts';
import type { Driver } from '../../../../server/contract/drivers/driver.ts';
import { bodyExamples } from '../../../../server/contract/examples.ts';
import type { Device } from '../../../../server/daemon/drivers/driver.ts';
import { DriverFamilies } from '../../../../server/daemon/drivers/families.ts';
import { DriverService } from '../../../../server/services/device/driver.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { grower, testDevices } from '../../../support/devices.ts';

/** A driver as its author makes it: the entry of the catalogue, and the module of its folder. */
const fixture = vi.hoisted(() => ({ entry: {} as Driver<{ start: number }>, started: 0 }));
vi.mock('../../../../server/contract/drivers/list.ts', async (importOriginal) => {
  const { drivers } = await importOriginal<{ drivers: object }>();
  fixture.entry = dialDriver();
  return { drivers: { ...drivers, dial: fixture.entry } };
});
vi.mock('../../../../server/daemon/drivers/loaders.ts', async (importOriginal) => {
  const { loaders } = await importOriginal<{ loaders: object }>();
  return { loaders: { ...loaders, dial: async () => ({ driver: { start: startDials } }) } };
});

function dialDriver(): Driver<{ start: number }> {
  return {
    title: 'Dial',
    summary: 'A dial that keeps what it was turned to',
    options: z.strictObject({ start: z.number().min(0).max(100).describe('Where it stands at first, in %') }),
    input: () => [{ channel: 0, name: 'Position', measurement: 'position' }],
    output: () => [{ channel: 0, name: 'Position', kind: 'dimmer' }],
    search: {
      summary: 'List the dials of a rack',
      query: z.strictObject({ rack: z.int().min(0).max(9) }),
      example: { rack: 1 },
      found: z.strictObject({ dials: z.array(z.string()) }),
    },
  };
}

function startDials() {
  fixture.started += 1;
  const connect = async ({ options }: { options: { start: number } }): Promise<Device> => {
    let stands = options.start;
    return {
      read: async () => [{ channel: 0, value: stands }],
      write: async (_channel, value) => {
        stands = typeof value === 'number' ? value : value === 'on' ? 100 : 0;
        return { acknowledged: true };
      },
      close: async () => undefined,
    };
  };
  const search = async ({ rack }: { rack: number }) => ({ dials: [`rack ${rack}`] });
  return { connect, search, close: async () => undefined };
}

const calm = new AbortController().signal;
const environment = { clock: new ManualClock(), log: () => undefined };

it('is stored and refused by its options, with its channels', async () => {
  const { inputs, outputs } = testDevices();
  const dial = { name: 'Dial', driver: 'dial', options: { start: 20 } };
  expect((await inputs.create(grower, dial)).channels).toMatchObject([{ name: 'Position', measurement: 'position' }]);
  expect((await outputs.create(grower, dial)).channels).toMatchObject([{ name: 'Position', kind: 'dimmer' }]);
  await expect(inputs.create(grower, { ...dial, options: { start: 101 } })).rejects.toMatchObject({
    code: 'invalid_field',
    errors: [{ path: 'options.start' }],
  });
  await expect(inputs.create(grower, { ...dial, driver: 'dail' })).rejects.toMatchObject({
    members: { drivers: expect.arrayContaining(['simulated', 'dial']) as unknown },
  });
});

it('is described, and its form has the same options and channels', () => {
  const described = new DriverFamilies(environment).describe().find(({ driver }) => driver === 'dial');
  expect(described).toMatchObject({ name: 'Dial', kinds: ['input', 'output'] });
  expect(fixture.started).toBe(0);
  expect(emptyOf(optionSchema.parse(described?.options_schema))).toEqual({});
  const form = { name: '', driver: 'dial', settings: {}, channels: {}, options: { start: 20 } };
  expect(offersOf({ ...form, kind: 'input' })).toEqual([{ channel: 0, name: 'Position', measurement: 'position' }]);
  expect(offersOf({ ...form, kind: 'output', options: {} })).toBeNull();
});

it('runs in the daemon', async () => {
  const families = new DriverFamilies(environment);
  const where = { driver: 'dial', device_id: 'one', kind: 'output', channels: [0] } as const;
  const device = await families.connect({ ...where, options: { start: 20 } }, calm);
  expect(await device.read?.(calm)).toEqual([{ channel: 0, value: 20 }]);
  await device.write?.(0, 55, calm);
  expect(await device.read?.(calm)).toEqual([{ channel: 0, value: 55 }]);
  await expect(families.connect({ ...where, options: {} }, calm)).rejects.toMatchObject({ code: 'unsupported' });
  await families.close();
});

it('looks for devices over REST, with its example and its schemas in the description', async () => {
  const families = new DriverFamilies(environment);
  const connect = () => ({
    driver_search: (name: string, query: unknown) => families.search(name, query, calm),
    close: () => undefined,
  });
  const service = new DriverService({ daemon: { drivers: async () => families.describe() }, connect });
  const path = '/api/drivers/dial/probe';
  const route = driverRoutes(service).find(({ endpoint }) => endpoint.path === path);
  expect(route?.endpoint).toMatchObject({ method: 'POST', access: 'edit_controllers', tag: 'drivers' });
  expect(route?.endpoint.body?.safeParse(bodyExamples[`POST ${path}`]).success).toBe(true);
  expect(namedSchemas().get('dialProbed')).toBe(fixture.entry.search?.found);
  expect(await service.search('dial' as 'modbus', { rack: 3 } as never)).toEqual({ dials: ['rack 3'] }); // a made-up name
  await families.close();
});
