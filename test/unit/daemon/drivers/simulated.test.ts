import { describe, expect, it } from 'vitest';
import type { SimulatedOptions, SimulatedPart } from '../../../../server/contract/drivers/simulated.ts';
import type { DeviceKind } from '../../../../server/contract/drivers/driver.ts';
import type { Device } from '../../../../server/daemon/drivers/driver.ts';
import { driver } from '../../../../server/daemon/drivers/simulated/index.ts';
import type { ModelHouse } from '../../../../server/domain/simulation/house-model.ts';
import { simulatedHouse } from '../../../../server/domain/simulation/simulated-house.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const house = '00000000-0000-4000-8000-0000000000aa';
const signal = new AbortController().signal;
const winterNight = Date.UTC(2026, 0, 15, 16);

function simulatedSite(change: SimulatedOptions = {}, modelOf?: (id: string) => ModelHouse | undefined) {
  const clock = new ManualClock(winterNight);
  const family = driver.start({ clock, log: () => undefined, ...(modelOf && { modelOf }) });
  const connect = (part: SimulatedPart, kind: DeviceKind, options: SimulatedOptions = {}): Promise<Device> =>
    family.connect(
      {
        device_id: `${part} of ${options.house ?? house}`,
        kind,
        options: { house, part, ...change, ...options },
        channels: [0],
      },
      signal,
    );
  return { clock, connect, family };
}

async function valuesOf(device: Device): Promise<(number | null)[]> {
  const readings = await device.read?.(signal);
  return (readings ?? []).map(({ value }) => value);
}

async function temperatureOf(device: Device): Promise<number> {
  const [temperature] = await valuesOf(device);
  return temperature ?? NaN;
}

describe('a simulated house', () => {
  it('gives indoor climate and weather in the order of the catalogue', async () => {
    const { connect } = simulatedSite();
    const indoor = await valuesOf(await connect('indoor', 'input'));
    expect(indoor).toHaveLength(4);
    expect(indoor[1]).toBeGreaterThan(0);
    expect(indoor[1]).toBeLessThanOrEqual(100);
    const weather = await valuesOf(await connect('weather', 'input'));
    expect(weather).toHaveLength(6);
    expect(weather.every((value) => Number.isFinite(value))).toBe(true);
  });

  it('begins at rest: with everything off it hardly moves in a minute', async () => {
    const { clock, connect } = simulatedSite();
    const indoor = await connect('indoor', 'input');
    const before = await temperatureOf(indoor);
    await clock.advance(60_000);
    expect(Math.abs((await temperatureOf(indoor)) - before)).toBeLessThan(0.1);
  });

  it('is warmed by its heater and cooled by its vents', async () => {
    const { clock, connect } = simulatedSite();
    const indoor = await connect('indoor', 'input');
    const heater = await connect('heater', 'output');
    const vent = await connect('side_vent', 'output');
    const cold = await temperatureOf(indoor);
    expect(await heater.write?.(0, 'on', signal)).toEqual({ acknowledged: true });
    await clock.advance(3_600_000);
    const warm = await temperatureOf(indoor);
    expect(warm).toBeGreaterThan(cold + 10);
    await vent.write?.(0, 100, signal);
    await clock.advance(600_000);
    expect(await temperatureOf(indoor)).toBeLessThan(warm - 3);
  });

  it('runs faster by its speed and only then', async () => {
    const slow = simulatedSite();
    const fast = simulatedSite({ speed: 60 });
    const rises = await Promise.all(
      [slow, fast].map(async ({ clock, connect }) => {
        const indoor = await connect('indoor', 'input');
        await (await connect('heater', 'output')).write?.(0, 'on', signal);
        const before = await temperatureOf(indoor);
        await clock.advance(60_000);
        return (await temperatureOf(indoor)) - before;
      }),
    );
    expect(rises[0]).toBeLessThan(1);
    expect(rises[1]).toBeGreaterThan(10);
  });

  it('waits when the clock is set back', async () => {
    const { clock, connect } = simulatedSite();
    const indoor = await connect('indoor', 'input');
    const before = await temperatureOf(indoor);
    clock.setTimeOfDay(winterNight - 86_400_000);
    expect(await temperatureOf(indoor)).toBe(before);
  });

  it('crosses a day of sixtyfold time in one reading without leaving the physical range', async () => {
    const { clock, connect } = simulatedSite({ speed: 60 });
    const indoor = await connect('indoor', 'input');
    await clock.advance(86_400_000);
    const [temperature, humidity] = await valuesOf(indoor);
    expect(temperature).toBeGreaterThan(-40);
    expect(temperature).toBeLessThan(60);
    expect(humidity).toBeLessThanOrEqual(100);
  });

  it('is one for all its devices, and apart from another house', async () => {
    const { clock, connect } = simulatedSite();
    const other = { house: house.replace('aa', 'bb') };
    const [ours, theirs] = [await connect('indoor', 'input'), await connect('indoor', 'input', other)];
    await (await connect('heater', 'output', { house: house })).write?.(0, 'on', signal);
    await clock.advance(600_000);
    expect(await temperatureOf(ours)).toBeGreaterThan((await temperatureOf(theirs)) + 3);
  });

  it('is at rest again once all its devices were let go', async () => {
    const { clock, connect } = simulatedSite();
    const heater = await connect('heater', 'output');
    await heater.write?.(0, 'on', signal);
    await clock.advance(3_600_000);
    await heater.close();
    const indoor = await connect('indoor', 'input');
    const weather = await connect('weather', 'input');
    expect(Math.abs((await temperatureOf(indoor)) - (await temperatureOf(weather)))).toBeLessThan(3);
  });
});

it('tells what an actuator was last told', async () => {
  const { connect } = simulatedSite();
  const vent = await connect('roof_vent', 'output');
  expect([...((await vent.readState?.(signal)) ?? [])]).toEqual([[0, 'off']]);
  await vent.write?.(0, 40, signal);
  expect([...((await vent.readState?.(signal)) ?? [])]).toEqual([[0, 40]]);
});

it('refuses to measure with an actuator', async () => {
  const { connect } = simulatedSite();
  await expect(connect('heater', 'input')).rejects.toMatchObject({ code: 'unsupported' });
});

describe('a fault of a simulated device', () => {
  it('stuck: says what it said first', async () => {
    const { clock, connect } = simulatedSite();
    const heater = await connect('heater', 'output');
    const stuck = await connect('indoor', 'input', { fault: { kind: 'stuck' } });
    const before = await temperatureOf(stuck);
    await heater.write?.(0, 'on', signal);
    await clock.advance(600_000);
    expect(await temperatureOf(stuck)).toBe(before);
  });

  it('offset: is off by as much in all it says', async () => {
    const { connect } = simulatedSite();
    const [sound, off] = [
      await connect('indoor', 'input'),
      await connect('indoor', 'input', { fault: { kind: 'offset', by: 3 } }),
    ];
    expect((await temperatureOf(off)) - (await temperatureOf(sound))).toBeCloseTo(3, 9);
  });

  it('noisy: has the noise that it was given', async () => {
    const { connect } = simulatedSite();
    const truth = await temperatureOf(await connect('indoor', 'input'));
    const noisy = await connect('indoor', 'input', { fault: { kind: 'noisy', sd: 0.5 } });
    const values = await Promise.all(Array.from({ length: 400 }, () => temperatureOf(noisy)));
    const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - truth) ** 2, 0) / values.length);
    expect(sd).toBeGreaterThan(0.4);
    expect(sd).toBeLessThan(0.6);
  });

  it('gain, drift: multiply, and move away hour by hour', async () => {
    const { clock, connect } = simulatedSite();
    const indoor = await connect('indoor', 'input');
    const half = await connect('indoor', 'input', { fault: { kind: 'gain', factor: 0.5 } });
    const drifting = await connect('indoor', 'input', { fault: { kind: 'drift', per_h: 6 } });
    expect(await temperatureOf(half)).toBeCloseTo((await temperatureOf(indoor)) / 2, 9);
    expect(await temperatureOf(drifting)).toBeCloseTo(await temperatureOf(indoor), 9);
    await clock.advance(1_800_000);
    expect(await temperatureOf(drifting)).toBeCloseTo((await temperatureOf(indoor)) + 3, 9);
  });

  it('slow: a sensor comes to two thirds of a step in its lag', async () => {
    const { clock, connect } = simulatedSite();
    const slow = await connect('indoor', 'input', { fault: { kind: 'slow', lag_s: 100 } });
    const lightOf = async (): Promise<number> => (await valuesOf(slow))[3] ?? NaN;
    const dark = await lightOf();
    await (await connect('lighting', 'output')).write?.(0, 'on', signal);
    await clock.advance(100_000);
    expect((await lightOf()) - dark).toBeCloseTo(60 * (1 - Math.exp(-1)), 6);
  });

  it.each([
    ['weak', { kind: 'weak', share: 0.3 }, ['on'], 18],
    ['latched', { kind: 'latched' }, ['on', 'off'], 60],
    ['latched before it was on', { kind: 'latched' }, ['off'], 0],
    ['reversed, on', { kind: 'reversed' }, ['on'], 0],
    ['reversed, off', { kind: 'reversed' }, [], 60],
  ] as const)('%s lamps shine as they should not', async (_name, fault, told, light_w_m2) => {
    const { connect } = simulatedSite();
    const indoor = await connect('indoor', 'input');
    const lamps = await connect('lighting', 'output', { fault });
    for (const value of told) await lamps.write?.(0, value, signal);
    expect((await valuesOf(indoor))[3]).toBeCloseTo(light_w_m2, 9);
    expect(await lamps.readState?.(signal)).toEqual(new Map([[0, told.at(-1) ?? 'off']]));
  });

  it('slow: an actuator is halfway at half its time', async () => {
    const { clock, connect } = simulatedSite();
    const indoor = await connect('indoor', 'input');
    const lamps = await connect('lighting', 'output', { fault: { kind: 'slow', lag_s: 100 } });
    await lamps.write?.(0, 'on', signal);
    await clock.advance(50_000);
    expect((await valuesOf(indoor))[3]).toBeCloseTo(30, 9);
    await clock.advance(100_000);
    expect((await valuesOf(indoor))[3]).toBeCloseTo(60, 9);
  });

  it('noise: is that of its seed, each channel with its own, and none without', async () => {
    const { connect } = simulatedSite();
    const truth = await valuesOf(await connect('indoor', 'input'));
    const read = async (noise_seed: number) => valuesOf(await connect('indoor', 'input', { noise_seed }));
    const [one, same, other] = [await read(5), await read(5), await read(6)];
    expect(one).toEqual(same);
    expect(one[0]).not.toBe(other[0]);
    expect(one[0]).not.toBe(truth[0]);
    const noisy = await connect('indoor', 'input', { noise_seed: 7 });
    const errors = await Promise.all(
      Array.from({ length: 400 }, async () => (await temperatureOf(noisy)) - (truth[0] ?? NaN)),
    );
    const sd = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
    expect(sd).toBeGreaterThan(0.04);
    expect(sd).toBeLessThan(0.06);
  });

  it('wired_to: moves the other part, and a sensor hangs in the other place', async () => {
    const { clock, connect } = simulatedSite();
    const indoor = await connect('indoor', 'input');
    const wrong = await connect('heater', 'output', { fault: { kind: 'wired_to', part: 'lighting' } });
    const [, , , dark] = await valuesOf(indoor);
    await wrong.write?.(0, 'on', signal);
    await clock.advance(60_000);
    const [, , , lit] = await valuesOf(indoor);
    expect(Number(lit) - Number(dark)).toBeGreaterThan(30);
    const outside = await connect('indoor', 'input', { fault: { kind: 'wired_to', part: 'weather' } });
    expect(await temperatureOf(outside)).toBe(await temperatureOf(await connect('weather', 'input')));
  });

  it('no_effect, refuses, silent: confirm without moving, say no, say nothing', async () => {
    const { clock, connect } = simulatedSite();
    const indoor = await connect('indoor', 'input');
    const idle = await connect('heater', 'output', { fault: { kind: 'no_effect' } });
    const before = await temperatureOf(indoor);
    expect(await idle.write?.(0, 'on', signal)).toEqual({ acknowledged: true });
    expect(await idle.readState?.(signal)).toEqual(new Map([[0, 'on']]));
    await clock.advance(60_000);
    expect(Math.abs((await temperatureOf(indoor)) - before)).toBeLessThan(0.1);
    const refusing = await connect('heater', 'output', { fault: { kind: 'refuses' } });
    await expect(refusing.write?.(0, 'on', signal)).rejects.toMatchObject({ code: 'refused' });
    const silent = await connect('indoor', 'input', { fault: { kind: 'silent' } });
    await expect(silent.read?.(signal)).rejects.toMatchObject({ code: 'timed_out' });
  });

  it('with a dead-man timer goes off by itself when nobody feeds it, silent or not', async () => {
    const { clock, connect } = simulatedSite();
    const heater = await connect('heater', 'output', { dead_man_s: 10 });
    await heater.dead_man?.feed(signal);
    await heater.write?.(0, 'on', signal);
    await clock.advance(9_000);
    await heater.dead_man?.feed(signal);
    await clock.advance(9_000);
    expect(await heater.readState?.(signal)).toEqual(new Map([[0, 'on']]));
    await clock.advance(1_000);
    expect(await heater.readState?.(signal)).toEqual(new Map([[0, 'off']]));
    const silent = await connect('fan', 'output', { dead_man_s: 10, fault: { kind: 'silent' } });
    await expect(silent.dead_man?.feed(signal)).rejects.toMatchObject({ code: 'timed_out' });
  });
});

describe('a drawn house that is simulated', () => {
  const facility = '00000000-0000-4000-8000-0000000000fa';
  const weak: ModelHouse = { ...simulatedHouse, heater_w: simulatedHouse.heater_w / 4 };

  async function warmed(modelOf?: (id: string) => ModelHouse | undefined): Promise<number> {
    const { clock, connect } = simulatedSite({ facility }, modelOf);
    const indoor = await connect('indoor', 'input');
    const before = await temperatureOf(indoor);
    await (await connect('heater', 'output')).write?.(0, 'on', signal);
    await clock.advance(3_600_000);
    return (await temperatureOf(indoor)) - before;
  }

  it('behaves as it is built, and as the usual house where it is not drawn', async () => {
    const usual = await warmed();
    expect(await warmed(() => undefined)).toBe(usual);
    expect(await warmed((id) => (id === facility ? weak : undefined))).toBeLessThan(usual / 2);
  });

  it('is built differently while it runs', async () => {
    let model: ModelHouse = weak;
    const { clock, connect } = simulatedSite({ facility }, () => model);
    const indoor = await connect('indoor', 'input');
    await (await connect('heater', 'output')).write?.(0, 'on', signal);
    await clock.advance(3_600_000);
    const before = await temperatureOf(indoor);
    model = simulatedHouse;
    expect(await temperatureOf(indoor)).toBe(before);
    await clock.advance(3_600_000);
    expect(await temperatureOf(indoor)).toBeGreaterThan(before + 5);
  });

  it('keeps its warmth by its screen', async () => {
    const nightWith = async (screen: number): Promise<number> => {
      const { clock, connect } = simulatedSite({ facility }, () => simulatedHouse);
      const indoor = await connect('indoor', 'input');
      await (await connect('heater', 'output')).write?.(0, 'on', signal);
      await (await connect('screen', 'output')).write?.(0, screen, signal);
      await clock.advance(7_200_000);
      return temperatureOf(indoor);
    };
    expect(await nightWith(100)).toBeGreaterThan((await nightWith(0)) + 1);
  });
});
