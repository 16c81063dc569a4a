import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Device } from '../../../../server/daemon/drivers/driver.ts';
import { DriverFamilies } from '../../../../server/daemon/drivers/families.ts';
import { readingOf } from '../../../../server/daemon/drivers/onewire/w1-slave.ts';
import { testFolder } from '../../../support/database.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const calm = new AbortController().signal;

/** A machine with these files of its kernel, as they were read on one. */
function machine(files: Record<string, string>) {
  const kernelRoot = testFolder();
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(kernelRoot, path)), { recursive: true });
    writeFileSync(join(kernelRoot, path), text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  const told: (string | null)[] = [];
  const connection = (_: unknown, failure: string | null): void => void told.push(failure);
  const clock = new ManualClock();
  const environment = { clock, log: () => undefined, kernelRoot, dataDirectory: kernelRoot, connection };
  const families = new DriverFamilies(environment);
  onTestFinished(() => families.close());
  const connect = (driver: string, options: object, channels: readonly number[]): Promise<Device> =>
    families.connect({ driver, device_id: 'one', kind: 'input', options, channels }, calm);
  return {
    families,
    connect,
    put,
    told,
    remove: (path: string) => rmSync(join(kernelRoot, path), { recursive: true }),
  };
}

/** As the kernel writes it; the checksums are those of the bytes. */
const w1 = (bytes: string, crc: string, t: string, check = 'YES'): string =>
  `${bytes} ${crc} : crc=${crc} ${check}\n${bytes} ${crc} t=${t}\n`;
const warm = w1('72 01 4b 46 7f ff 0e 10', '57', '23125');

describe('a file w1_slave', () => {
  it.each([
    [warm, { value: 23.125 }],
    [w1('f8 ff 4b 46 7f ff 08 10', 'f8', '-500'), { value: -0.5 }],
    [w1('50 05 4b 46 7f ff 0c 10', '1c', '85000'), { value: 85, quality: 'suspect' }],
  ])('%j is a reading', (text, reading) => {
    expect(readingOf(text)).toEqual({ channel: 0, ...reading });
  });

  it.each([
    ['with a wrong checksum', w1('72 01 4b 46 7f ff 0e 10', '57', '23125', 'NO'), 'checksum'],
    ['of a shorted line', w1('00 00 00 00 00 00 00 00', '00', '0'), 'zeros'],
    ['beyond what the sensor measures', w1('72 01 4b 46 7f ff 0e 10', '57', '127937'), 'no temperature'],
    ['without a temperature', warm.replace('t=23125', 't='), 'no temperature'],
    ['that is empty', '', 'checksum'],
    ['of something else', 'Linux', 'checksum'],
  ])('%s is none', (_, text, why) => {
    expect(() => readingOf(text)).toThrow(why);
  });
});

describe('a thermometer on the 1-Wire bus', () => {
  const folder = 'sys/bus/w1/devices/28-0316a2799b1f';

  it('is read each time anew, and heard of again when it is back', async () => {
    const { connect, put } = machine({ [`${folder}/w1_slave`]: warm });
    const device = await connect('onewire', { sensor_id: '28-0316a2799b1f' }, [0]);
    expect(await device.read?.(calm)).toEqual([{ channel: 0, value: 23.125 }]);
    put(`${folder}/w1_slave`, w1('72 01 4b 46 7f ff 0e 10', '57', '23125', 'NO'));
    await expect(device.read?.(calm)).rejects.toMatchObject({ code: 'bad_answer' });
    put(`${folder}/w1_slave`, warm);
    expect(await device.read?.(calm)).toHaveLength(1);
  });

  it('that is not there is unreachable, one whose time is up is told so', async () => {
    const { connect } = machine({ [`${folder}/w1_slave`]: warm });
    const absent = await connect('onewire', { sensor_id: '28-0316a2799b00' }, [0]);
    await expect(absent.read?.(calm)).rejects.toMatchObject({ code: 'unreachable' });
    const device = await connect('onewire', { sensor_id: '28-0316a2799b1f' }, [0]);
    await expect(device.read?.(AbortSignal.abort())).rejects.toMatchObject({ code: 'timed_out' });
  });

  it('is lost alone, or with the bus when no other is listed either', async () => {
    const other = 'sys/bus/w1/devices/10-000802f2a5b6';
    const { connect, put, remove, told } = machine({ [`${folder}/w1_slave`]: warm, [`${other}/w1_slave`]: warm });
    const device = await connect('onewire', { sensor_id: '28-0316a2799b1f' }, [0]);
    const reads = async (): Promise<boolean> => (await device.read?.(calm).catch(() => undefined)) !== undefined;
    expect(await reads()).toBe(true);
    remove(folder);
    expect(await reads()).toBe(false);
    expect(told).toEqual([null]);
    remove(other);
    expect(await reads()).toBe(false);
    put(`${folder}/w1_slave`, warm);
    expect(await reads()).toBe(true);
    expect(told).toEqual([null, 'no sensor answers on the bus', null]);
  });

  it('takes the bus for lost no longer than something uses it', async () => {
    const { connect, told } = machine({});
    const [one, other] = await Promise.all([
      connect('onewire', { sensor_id: '28-0316a2799b1f' }, [0]),
      connect('onewire', { sensor_id: '10-000802f2a5b6' }, [0]),
    ]);
    await one.read?.(calm).catch(() => undefined);
    await one.close();
    await one.close();
    expect(told).toEqual(['no sensor answers on the bus']);
    const underWay = other.read?.(calm).catch(() => undefined);
    await other.close();
    await underWay;
    expect(told).toEqual(['no sensor answers on the bus', null]);
  });

  it('is found by its name, among what else is on the bus', async () => {
    const other = ['28-00000a', 'w1_bus_master1', '26-0000015ed5e5', '10-000802f2a5b6'];
    const files = Object.fromEntries(other.map((name) => [`sys/bus/w1/devices/${name}/name`, name]));
    const { families } = machine({ ...files, [`${folder}/w1_slave`]: warm });
    const sensors = ['10-000802f2a5b6', '28-0316a2799b1f'];
    expect(await families.search('onewire', {}, calm)).toEqual({ found: 'answers', sensors });
    expect(await machine({}).families.search('onewire', {}, calm)).toEqual({ found: 'absent', sensors: [] });
  });

  it.each(['28-0316A2799B1F', '../../../etc', '28-0316a2799b1f/..', '26-0316a2799b1f', ''])(
    'is not named %j',
    async (sensor_id) => {
      await expect(machine({}).connect('onewire', { sensor_id }, [0])).rejects.toMatchObject({ code: 'unsupported' });
    },
  );
});

describe('the machine itself', () => {
  const files = {
    'sys/class/thermal/thermal_zone0/type': 'acpitz\n',
    'sys/class/thermal/thermal_zone0/temp': '27800\n',
    'sys/class/thermal/thermal_zone1/type': 'cpu-thermal\n',
    'sys/class/thermal/thermal_zone1/temp': '51540\n',
    'proc/loadavg': '0.52 0.58 0.59 1/467 12345\n',
    'proc/meminfo': 'MemTotal:        4000000 kB\nMemFree:          500000 kB\nMemAvailable:    3000000 kB\n',
  };

  it('tells temperature and load of its processor, memory and disk', async () => {
    const { connect } = machine(files);
    const readings = await (await connect('system', {}, [0, 1, 2, 3])).read?.(calm);
    expect(readings?.map(({ channel }) => channel)).toEqual([0, 1, 2, 3]);
    const [cpu, load, memory, disk] = readings?.map(({ value }) => value) ?? [];
    expect(cpu).toBeCloseTo(51.54, 6);
    expect(load).toBeCloseTo(52 / availableParallelism(), 6);
    expect(memory).toBeCloseTo(25, 6);
    expect(disk).toBeGreaterThanOrEqual(0);
    expect(disk).toBeLessThanOrEqual(100);
  });

  it('takes the thermometer that is named', async () => {
    const device = await machine(files).connect('system', { thermal_zone: 0 }, [0]);
    expect((await device.read?.(calm))?.[0]?.value).toBeCloseTo(27.8, 6);
    const none = await machine(files).connect('system', { thermal_zone: 7 }, [0]);
    await expect(none.read?.(calm)).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('without a thermometer, or with files that say something else, leaves out what it does not know', async () => {
    const { connect } = machine({ 'proc/loadavg': 'busy\n', 'proc/meminfo': 'MemTotal: 1000 kB\n' });
    const device = await connect('system', {}, [0, 1, 2, 3]);
    const values = (await device.read?.(calm))?.map(({ value }) => value);
    expect(values?.slice(0, 3)).toEqual([null, null, null]);
    expect(values?.[3]).not.toBeNull();
    const bare = await connect('system', {}, [0, 1]);
    await expect(bare.read?.(calm)).rejects.toMatchObject({ code: 'unsupported' });
  });

  it.runIf(process.platform === 'linux')('of this test can be read', async () => {
    const families = new DriverFamilies({ clock: new ManualClock(), log: () => undefined });
    onTestFinished(() => families.close());
    const where = { driver: 'system', device_id: 'one', kind: 'input', options: {} } as const;
    const device = await families.connect({ ...where, channels: [1, 2, 3] }, calm);
    for (const { value } of (await device.read?.(calm)) ?? []) expect(value).toBeGreaterThanOrEqual(0);
  });
});
