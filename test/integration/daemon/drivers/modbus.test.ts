import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { ServerTCP } from 'modbus-serial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModbusOptions } from '../../../../server/contract/drivers/modbus.ts';
import type { DeviceKind } from '../../../../server/contract/drivers/driver.ts';
import type { Device } from '../../../../server/daemon/drivers/driver.ts';
import { driver } from '../../../../server/daemon/drivers/modbus/index.ts';
import { freePort } from '../../../support/daemon-process.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const calm = new AbortController().signal;
const closers: (() => Promise<unknown>)[] = [];
let clock: ManualClock;
let family: ReturnType<typeof driver.start>;
/** What the driver said of its connections. */
let told: [string, string | null][];

beforeEach(() => {
  clock = new ManualClock();
  told = [];
  family = driver.start({ clock, log: () => undefined, connection: ({ id }, failure) => told.push([id, failure]) });
});

afterEach(async () => {
  await family.close();
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function connect(kind: DeviceKind, port: number, changes: Partial<ModbusOptions>): Promise<Device> {
  const options: ModbusOptions = { host: '127.0.0.1', port, timeout_ms: 200, registers: [], ...changes };
  const channels = options.registers.map(({ channel }) => channel);
  return family.connect({ device_id: 'device', kind, options, channels }, calm);
}

/** A Modbus server of another make's code: memory for registers and coils, with faults on demand. */
async function startServer(
  faults: { stuckCoil?: boolean; illegalAddress?: number; silentUnit?: number; areAllSilent?: boolean } = {},
) {
  const holding = new Map<number, number>();
  const coils = new Map<number, boolean>();
  const refuse = (address: number): void => {
    if (address === faults.illegalAddress) throw Object.assign(new Error('illegal'), { modbusErrorCode: 2 });
  };
  const answer = <T>(unit: number, value: T): T | Promise<T> =>
    unit === faults.silentUnit || faults.areAllSilent ? new Promise<T>(() => undefined) : value;
  const port = await freePort(); // this server takes 0 for its default, 502, which tests side by side cannot share
  const server = new ServerTCP(
    {
      getHoldingRegister: (address: number, unit: number) => {
        refuse(address);
        return answer(unit, holding.get(address) ?? 0);
      },
      getCoil: (address: number, unit: number) => answer(unit, coils.get(address) ?? false),
      setRegister: (address: number, value: number) => {
        refuse(address);
        holding.set(address, value);
      },
      setCoil: (address: number, value: boolean) => {
        if (!faults.stuckCoil) coils.set(address, value);
      },
    },
    { host: '127.0.0.1', port, unitID: 255 },
  );
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  await once(server, 'initialized');
  return { port, holding, coils };
}

describe('a Modbus input', () => {
  it('reads its registers in the units of its channels', async () => {
    const server = await startServer();
    server.holding.set(4, 235).set(5, 0x41ac).set(6, 0);
    const device = await connect('input', server.port, {
      registers: [
        { channel: 0, table: 'holding', address: 4, type: 'int16', scale: 0.1 },
        { channel: 1, table: 'holding', address: 5, type: 'float32' },
      ],
    });
    expect(await device.read?.(calm)).toEqual([
      { channel: 0, value: 23.5 },
      { channel: 1, value: 21.5 },
    ]);
  });

  it('says what the device refused', async () => {
    const server = await startServer({ illegalAddress: 9 });
    const device = await connect('input', server.port, { registers: [{ channel: 0, table: 'holding', address: 9 }] });
    await expect(device.read?.(calm)).rejects.toMatchObject({ code: 'refused' });
  });

  it('times out on a silent unit, and the other unit of the bus is only that much later', async () => {
    const server = await startServer({ silentUnit: 7 });
    const registers: ModbusOptions['registers'] = [{ channel: 0, table: 'holding', address: 1 }];
    const silent = await connect('input', server.port, { unit_id: 7, registers });
    const other = await connect('input', server.port, { unit_id: 8, registers });
    const [dead, alive] = await Promise.allSettled([silent.read?.(calm), other.read?.(calm)]);
    expect(dead).toMatchObject({ status: 'rejected', reason: { code: 'timed_out', stateIsUnknown: true } });
    expect(alive).toMatchObject({ status: 'fulfilled', value: [{ channel: 0, value: 0 }] });
  });
});

describe('a Modbus output', () => {
  it('is confirmed by the device and reads back', async () => {
    const server = await startServer();
    const device = await connect('output', server.port, {
      registers: [
        { channel: 0, table: 'coil', address: 3 },
        { channel: 1, table: 'holding', address: 20, scale: 0.1 },
      ],
    });
    expect(await device.write?.(0, 'on', calm)).toEqual({ acknowledged: true });
    expect(await device.write?.(1, 42.5, calm)).toEqual({ acknowledged: true });
    expect(server.coils.get(3)).toBe(true);
    expect(server.holding.get(20)).toBe(425);
    expect(await device.readState?.(calm)).toEqual(
      new Map<number, unknown>([
        [0, 'on'],
        [1, 42.5],
      ]),
    );
  });

  it('is not confirmed by a device that acknowledges and does nothing', async () => {
    const server = await startServer({ stuckCoil: true });
    const device = await connect('output', server.port, { registers: [{ channel: 0, table: 'coil', address: 3 }] });
    await expect(device.write?.(0, 'on', calm)).rejects.toMatchObject({ code: 'bad_answer', stateIsUnknown: true });
  });

  it.each([
    [undefined, [1, 2, 1]],
    [600, [600, 600, 600]],
  ])('is fed by writing %s to the register of its dead-man timer', async (feed_value, expected) => {
    const server = await startServer();
    const device = await connect('output', server.port, {
      dead_man: { address: 0x1003, dead_man_s: 10, ...(feed_value !== undefined && { feed_value }) },
      registers: [{ channel: 0, table: 'coil', address: 3 }],
    });
    const written: unknown[] = [];
    for (let feed = 0; feed < 3; feed += 1) {
      await device.dead_man?.feed(calm);
      written.push(server.holding.get(0x1003));
    }
    expect(written).toEqual(expected);
  });

  it('that does not take the feed says so', async () => {
    const server = await startServer({ illegalAddress: 0x1003 });
    const device = await connect('output', server.port, {
      dead_man: { address: 0x1003, dead_man_s: 10 },
      registers: [{ channel: 0, table: 'coil', address: 3 }],
    });
    await expect(device.dead_man?.feed(calm)).rejects.toMatchObject({ code: 'refused' });
  });

  it('refuses a value that its register cannot hold', async () => {
    const server = await startServer();
    const device = await connect('output', server.port, {
      registers: [{ channel: 0, table: 'holding', address: 1, scale: 0.001 }],
    });
    await expect(device.write?.(0, 100, calm)).rejects.toMatchObject({ code: 'refused' });
  });
});

describe('a lost device', () => {
  const registers: ModbusOptions['registers'] = [{ channel: 0, table: 'holding', address: 1 }];

  it('is unreachable at once, is left alone while it backs off, and is found again whatever the time of day was set to', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo; // a TCP server has an address object
    let connections = 0;
    probe.on('connection', (socket) => {
      connections += 1;
      socket.resume();
    });
    await new Promise((resolve) => probe.close(resolve));
    const device = await connect('input', port, { registers });
    await expect(device.read?.(calm)).rejects.toMatchObject({ code: 'unreachable' });

    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
    await expect(device.read?.(calm)).rejects.toMatchObject({ code: 'unreachable' });
    expect(connections).toBe(0);
    await clock.advance(60_000);
    clock.setTimeOfDay(0);
    await expect(device.read?.(calm)).rejects.toMatchObject({ code: 'timed_out' });
    expect(connections).toBe(1);
    closers.push(() => new Promise((resolve) => probe.close(resolve)));
  });

  it('that hangs up in the middle of a command leaves the state unknown, without waiting for the time-out', async () => {
    const rude = createServer((socket: Socket) => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1');
    await once(rude, 'listening');
    const { port } = rude.address() as AddressInfo; // a TCP server has an address object
    const device = await connect('output', port, { timeout_ms: 60_000, registers });
    await expect(device.write?.(0, 1, calm)).rejects.toMatchObject({ code: 'timed_out', stateIsUnknown: true });
    closers.push(() => new Promise((resolve) => rude.close(resolve)));
  });
});

describe('a gateway', () => {
  const registers: ModbusOptions['registers'] = [{ channel: 0, table: 'holding', address: 1 }];
  const connectUnits = (port: number) =>
    Promise.all([1, 2].map((unit_id) => connect('input', port, { registers, unit_id })));

  it('that cannot be reached is told before the first unit fails by it', async () => {
    const port = await freePort();
    const [unit] = await connectUnits(port);
    const atFailure = unit?.read?.(calm).catch(() => [...told]);
    expect(await atFailure).toEqual([[`modbus 127.0.0.1:${port}`, expect.stringMatching(/^no connection to /)]]);
    await family.close();
    expect(told.at(-1)).toEqual([`modbus 127.0.0.1:${port}`, null]);
  });

  it('whose line to all units is cut is told, until one answers', async () => {
    const faults = { areAllSilent: false };
    const { port } = await startServer(faults);
    const units = await connectUnits(port);
    const readAll = async (): Promise<void> => {
      for (const unit of units) await unit.read?.(calm).catch(() => undefined);
    };
    await readAll();
    faults.areAllSilent = true;
    await readAll();
    faults.areAllSilent = false;
    await readAll();
    expect(told.map(([, failure]) => failure)).toEqual([null, 'connected, but no unit behind it answers', null]);
  });

  it('is not blamed for units that a search looks for in vain', async () => {
    const { port } = await startServer({ areAllSilent: true });
    for (const unit_id of [1, 2, 3]) await family.search({ host: '127.0.0.1', port, unit_id }, calm);
    expect(told.filter(([, failure]) => failure !== null)).toEqual([]);
  });
});

describe('a probe', () => {
  const probe = (port: number, unit_id: number) => family.search({ host: '127.0.0.1', port, unit_id }, calm);

  it('finds the unit that answers, also by a refusal, and not the one that is silent', async () => {
    const server = await startServer({ silentUnit: 7 });
    expect(await probe(server.port, 1)).toMatchObject({ unit_id: 1, found: 'answers' });
    expect(await probe(server.port, 7)).toMatchObject({ unit_id: 7, found: 'silent' });
    const refusing = await startServer({ illegalAddress: 0 });
    expect(await probe(refusing.port, 1)).toMatchObject({ found: 'answers' });
  });

  it('says that nobody listens, and leaves no connection', async () => {
    expect(await probe(await freePort(), 1)).toMatchObject({ found: 'unreachable' });
  });
});
