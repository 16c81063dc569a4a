import { describe, expect, it, vi } from 'vitest';
import type { ControllerStatus, OutputCommand } from '../../../../server/contract/daemon.ts';
import type { Input, InputChannel } from '../../../../server/contract/input.ts';
import { unitConversion, type OwnUnit } from '../../../../server/contract/units.ts';
import { InputOutputs } from '../../../../server/daemon/controllers/input/input-outputs.ts';
import { InputController, type InputHost } from '../../../../server/daemon/controllers/input/input.ts';
import { DriverError, type Reading } from '../../../../server/daemon/drivers/driver.ts';
import { confirmed } from '../../../../server/daemon/drivers/outcomes.ts';
import { EventRing } from '../../../../server/daemon/events/events.ts';
import { LiveValues } from '../../../../server/daemon/events/live-values.ts';
import type { Sample } from '../../../../server/measurement/store.ts';
import { plainChannel } from '../../../support/daemon-site.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { noWatchdog } from '../../../support/outputs-site.ts';

const input: Input = {
  unique_id: '00000000-0000-4000-8000-000000000001',
  name: 'climate',
  driver: 'scripted',
  options: {},
  period_s: 10,
  start_offset_s: 0,
  pre_output: null,
  power_output: null,
  channels: [{ ...plainChannel, measurement_id: '00000000-0000-4000-8000-000000000002' }],
  is_activated: true,
};

type Read = (signal: AbortSignal) => Promise<readonly Reading[]>;

function bench(read: Read, change: Partial<InputHost> = {}, settings: Partial<Input> = {}) {
  const clock = new ManualClock();
  const start = clock.elapsed();
  const stored: Sample[] = [];
  const statuses: ControllerStatus[] = [];
  const reads: number[] = [];
  const switched: OutputCommand[] = [];
  const controller = new InputController(
    { ...input, ...settings },
    {
      clock,
      watchdog: noWatchdog,
      replace: () => undefined,
      phase: 0,
      live: new LiveValues(clock, new EventRing(clock)),
      writer: { write: async (samples) => void stored.push(...samples) },
      outputs: new InputOutputs({ clock, command: async (command) => (switched.push(command), confirmed) }),
      conversion: (measurement, unit) => unitConversion(measurement, unit, []),
      connect: async () => ({
        read: (signal) => {
          reads.push(clock.elapsed() - start);
          return read(signal);
        },
        close: async () => undefined,
      }),
      statusChanged: (status) => void statuses.push(status),
      ...change,
    },
  );
  return { clock, controller, reads, statuses, stored, switched };
}

const steady: Read = async () => [{ channel: 0, value: 21.5 }];
const hangs: Read = () => new Promise(() => undefined);
const fails: Read = async () => {
  throw new DriverError('unreachable', 'the bus is silent');
};

describe('readings', () => {
  it('are stored with their device, unit and time', async () => {
    const { clock, controller, stored } = bench(steady);
    controller.start();
    await clock.advance(9_999);
    await clock.advance(1);
    expect(stored).toHaveLength(2);
    expect(stored[1]).toEqual({
      device_id: input.unique_id,
      measurement_id: input.channels[0]?.measurement_id,
      channel: 0,
      value: 21.5,
      unit: 'C',
      quality: 'good',
      time_ms: clock.now(),
    });
  });

  it.each([
    ['what is implausible', { channel: 0, value: 85 }, { value: 85, quality: 'bad' }],
    ['no number', { channel: 0, value: null }, { value: null, quality: 'bad' }],
    ['a number that is none', { channel: 0, value: NaN }, { value: null, quality: 'bad' }],
    ['what the device itself doubts', { channel: 0, value: 20, quality: 'suspect' }, { value: 20, quality: 'suspect' }],
  ] as const)('of %s are kept as such', async (_name, reading, expected) => {
    const channels = input.channels.map((one) => ({ ...one, plausible_max: 60 }));
    const { clock, controller, stored } = bench(async () => [reading], {}, { channels });
    controller.start();
    await clock.advance(10_000);
    expect(stored[0]).toMatchObject(expected);
  });

  it('of channels that are not configured are dropped', async () => {
    const { clock, controller, stored } = bench(async () => [{ channel: 7, value: 1 }]);
    controller.start();
    await clock.advance(30_000);
    expect(stored).toEqual([]);
  });
});

describe('a device that fails', () => {
  it('is shown with the reason, left in peace for longer and longer, and read on the grid again when it is back', async () => {
    let isBroken = true;
    const { clock, controller, reads, statuses } = bench((signal) => (isBroken ? fails : steady)(signal));
    controller.start();
    await clock.advance(150_000);
    expect(statuses).toMatchObject([{ state: 'failed', reason: 'the bus is silent' }]);
    expect(reads).toEqual([0, 10_000, 20_000, 40_000, 70_000, 100_000, 130_000]);
    isBroken = false;
    await clock.advance(40_000);
    expect(reads.slice(-4)).toEqual([160_000, 170_000, 180_000, 190_000]);
    expect(statuses.at(-1)).toMatchObject({ state: 'running', reason: null });
  });

  it('is not waited for beyond its period, and does not shift the grid', async () => {
    const { clock, controller, reads, statuses } = bench(hangs);
    controller.start();
    await clock.advance(20_000);
    expect(statuses).toMatchObject([{ state: 'failed', reason: 'the device did not answer within 10 s' }]);
    await clock.advance(20_000);
    expect(reads).toEqual([0, 20_000, 40_000]);
  });

  it('cannot be connected: shown, tried again', async () => {
    const connect = async () => {
      throw new DriverError('unreachable', 'no such port');
    };
    const { clock, controller, statuses } = bench(steady, { connect });
    controller.start();
    await clock.advance(30_000);
    expect(statuses).toMatchObject([{ state: 'failed', reason: 'no such port' }]);
  });
});

it('works on while the disk is full, and says of a reading that was asked for that it is not stored', async () => {
  const writer = { write: () => Promise.reject(new Error('disk full')) };
  const { clock, controller, reads, statuses } = bench(steady, { writer });
  controller.start();
  await clock.advance(10_000);
  expect(reads.length).toBeGreaterThan(0);
  expect(statuses).toEqual([]);
  expect(controller.status()).toMatchObject({ state: 'running', reason: null });
  await expect(controller.measure()).rejects.toThrow('disk full');
});

it.each([
  [10, 0.25, [250, 10_250]],
  [0.4, 0.5, [200, 600]],
])('an input of %s s begins in its phase of %s, by a second at most', async (period_s, phase, expected) => {
  const { clock, controller, reads } = bench(steady, { phase }, { period_s });
  controller.start();
  await clock.advance(expected[1] ?? 0);
  expect(reads).toEqual(expected);
});

it('reads on its grid while the disk is slow, and takes no power from the sensor for it', async () => {
  const writer = { write: () => new Promise<void>(() => undefined) };
  const power_output = { output_id: '00000000-0000-4000-8000-00000000000b', off_s: 1 };
  const { clock, controller, reads, statuses, switched } = bench(steady, { writer }, { period_s: 1, power_output });
  controller.start();
  await clock.advance(30_000);
  expect(reads).toHaveLength(31);
  expect(statuses).toEqual([]);
  expect(switched).toEqual([]);
});

it('reads when it is asked to, and says when that fails', async () => {
  const { clock, controller, stored } = bench(steady);
  controller.start();
  await clock.advance(1_000);
  await controller.measure();
  expect(stored.map(({ time_ms }) => clock.now() - time_ms)).toEqual([1_000, 0]);
  const broken = bench(fails);
  broken.controller.start();
  await broken.clock.advance(1_000);
  await expect(broken.controller.measure()).rejects.toThrow('the bus is silent');
});

it('stops at once while a device hangs', async () => {
  const aborted: AbortSignal[] = [];
  const { clock, controller } = bench((signal) => {
    aborted.push(signal);
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  });
  controller.start();
  await clock.advance(10_000);
  await controller.stop();
  expect(aborted[0]?.aborted).toBe(true);
});

describe('changed settings', () => {
  it('of name and measurement leave the connection and the grid as they are', async () => {
    const connect = vi.fn(async () => ({ read: steady, close: async () => undefined }));
    const { clock, controller, stored } = bench(steady, { connect });
    controller.start();
    await clock.advance(4_000);
    await controller.reconfigure({ ...input, channels: input.channels.map((one) => ({ ...one, unit: 'F' })) });
    await clock.advance(6_000);
    expect([stored.map(({ unit }) => unit), connect.mock.calls.length]).toEqual([['C', 'F'], 1]);
  });

  it('of the wiring connect anew, those of the period read by it', async () => {
    const closed = vi.fn(async () => undefined);
    const connect = vi.fn(async () => ({ read: steady, close: closed }));
    const { clock, controller, stored } = bench(steady, { connect });
    controller.start();
    await clock.advance(1_000);
    await controller.reconfigure({ ...input, options: { unit_id: 2 }, period_s: 1 });
    await clock.advance(3_000);
    expect(connect.mock.calls.length).toBe(2);
    expect(closed).toHaveBeenCalledOnce();
    expect(stored.map(({ time_ms }) => time_ms - (stored[0]?.time_ms ?? 0))).toEqual([0, 1_000, 2_000, 3_000, 4_000]);
  });
});

describe('what a sensor says', () => {
  const told = async (channel: Partial<InputChannel>, values: number[], own: OwnUnit[] = []) => {
    const channels = input.channels.map((one) => ({ ...one, ...channel }));
    const waiting = [...values];
    const read: Read = async () => [{ channel: 0, value: waiting.shift() ?? null }];
    const conversion: InputHost['conversion'] = (measurement, unit) => unitConversion(measurement, unit, own);
    const { clock, controller, stored } = bench(read, { conversion }, { channels });
    controller.start();
    await clock.advance((values.length - 1) * 10_000);
    return stored.map(({ value, quality }) => [value, quality]);
  };

  it('is scaled first, then brought into the stored unit', async () => {
    const scale = { kind: 'linear' as const, factor: 10, offset: 2 };
    expect(await told({ scale, raw_unit: 'F' }, [21])).toEqual([[expect.closeTo(100, 9), 'good']]);
    expect(await told({ raw_unit: 'K' }, [273.15])).toEqual([[0, 'good']]);
    const expression = { kind: 'expression' as const, expression: '(x - 4) / 16 * 100' };
    expect(await told({ scale: expression }, [12])).toEqual([[50, 'good']]);
  });

  it('is brought into the stored unit from an own one, and is no number in one that nobody knows', async () => {
    const reaumur = { measurement: 'temperature' as const, unit: 'Re', factor: 1.25, offset: 1 };
    expect(await told({ raw_unit: 'Re' }, [16], [reaumur])).toEqual([[21, 'good']]);
    expect(await told({ raw_unit: 'Re' }, [16])).toEqual([[null, 'bad']]);
    expect(await told({ raw_unit: 'constructor' }, [16])).toEqual([[null, 'bad']]);
  });

  it('is dropped where its channel is switched off', async () => {
    expect(await told({ is_enabled: false }, [21, 22])).toEqual([]);
  });

  it('is bad outside the plausible range', async () => {
    expect(await told({ plausible_min: -10, plausible_max: 50 }, [-10.1, -10, 50, 50.1])).toEqual([
      [-10.1, 'bad'] as const,
      [-10, 'good'] as const,
      [50, 'good'] as const,
      [50.1, 'bad'] as const,
    ]);
  });

  it('is bad where it moved faster than it can, until time would have brought it there', async () => {
    // 6 C a minute are 1 C each 10 s.
    expect(await told({ max_rate_per_min: 6 }, [20, 21, 24, 24, 24, 40])).toEqual([
      [20, 'good'] as const,
      [21, 'good'] as const,
      [24, 'bad'] as const,
      [24, 'bad'] as const,
      [24, 'good'] as const,
      [40, 'bad'] as const,
    ]);
  });
});

it('reads first after its start offset', async () => {
  const { clock, controller, reads } = bench(steady, {}, { start_offset_s: 4 });
  controller.start();
  await clock.advance(15_000);
  expect(reads).toEqual([4_000, 14_000]);
});

describe('outputs of an input', () => {
  const pump = { output_id: '00000000-0000-4000-8000-0000000000aa', lead_s: 2 };
  const switches = (commands: readonly OutputCommand[]) => commands.map(({ state }) => state);

  it.each([
    ['on while it is read', true, [[true], [true, false]]],
    [
      'off again before it is read',
      false,
      [
        [true, false],
        [true, false],
      ],
    ],
  ] as const)('are switched on before a reading, and %s', async (_, while_measuring, expected) => {
    const seen: boolean[][] = [];
    const one = bench(
      async () => {
        seen.push(switches(one.switched));
        return [{ channel: 0, value: 20 }];
      },
      {},
      { pre_output: { ...pump, while_measuring } },
    );
    one.controller.start();
    await one.clock.advance(1_999);
    expect(one.reads).toEqual([]);
    await one.clock.advance(1);
    expect([...seen, switches(one.switched)]).toEqual(expected);
    expect(one.switched[0]).toMatchObject({ output_id: pump.output_id, source: 'automatic', actor: 'input climate' });
  });

  it('are switched off when the reading fails, and when the input stops meanwhile', async () => {
    const failing = bench(fails, {}, { pre_output: { ...pump, while_measuring: true } });
    failing.controller.start();
    await failing.clock.advance(2_000);
    expect(switches(failing.switched)).toEqual([true, false]);
    const stopped = bench(steady, {}, { pre_output: { ...pump, while_measuring: true } });
    stopped.controller.start();
    await stopped.clock.advance(1_000);
    await stopped.controller.stop();
    expect([switches(stopped.switched), stopped.reads]).toEqual([[true, false], []]);
  });

  it('take the power from a sensor that keeps failing, again and again', async () => {
    const power_output = { output_id: pump.output_id, off_s: 5 };
    const { clock, controller, switched } = bench(fails, {}, { power_output });
    controller.start();
    await clock.advance(70_000);
    expect(switches(switched)).toEqual([false]);
    await clock.advance(5_000);
    expect(switches(switched)).toEqual([false, true]);
  });

  it('that several inputs share are used in turn', async () => {
    const clock = new ManualClock();
    const order: string[] = [];
    const outputs = new InputOutputs({
      clock,
      command: async ({ actor, state }) => (order.push(`${actor} ${state}`), confirmed),
    });
    const { signal } = new AbortController();
    const one = (name: string) =>
      outputs.around({ ...input, name, pre_output: { ...pump, while_measuring: true } }, async () => 1, signal);
    void Promise.all([one('a'), one('b')]);
    await clock.advance(4_000);
    expect(order).toEqual(['input a true', 'input a false', 'input b true', 'input b false']);
  });
});

it('stops within two seconds although its device ignores everything', async () => {
  const { clock, controller } = bench(hangs);
  controller.start();
  await clock.advance(1_000);
  const stopped = controller.stop();
  await clock.advance(1_000);
  await stopped;
});
