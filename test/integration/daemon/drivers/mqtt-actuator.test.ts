import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MqttActuator, MqttOptions } from '../../../../server/contract/drivers/mqtt-options.ts';
import type { Device, DriverFamily } from '../../../../server/daemon/drivers/driver.ts';
import { driver } from '../../../../server/daemon/drivers/mqtt/index.ts';
import { TestBroker } from '../../../support/broker.ts';
import { eventually } from '../../../support/eventually.ts';
import { ManualClock, settled } from '../../../support/manual-clock.ts';

const calm = new AbortController().signal;
const pump: MqttActuator = { channel: 0, kind: 'switch', command_topic: 'pump/set', state_topic: 'pump/state' };
const availability = { topic: 'pump/lwt' };
let clock: ManualClock;
let family: DriverFamily<MqttOptions>;
let broker: TestBroker;
let commands: string[];

beforeEach(async () => {
  clock = new ManualClock();
  family = driver.start({ clock, log: () => undefined });
  broker = await TestBroker.start();
  commands = [];
  broker.onCommand((topic, payload) => commands.push(`${topic} ${payload}`));
});

afterEach(async () => {
  await family.close();
  await broker.stop();
});

/** Resolves when the connection stands and what is retained was heard. */
async function connect(changes: Partial<MqttOptions> = {}): Promise<Device> {
  const options: MqttOptions = { host: '127.0.0.1', port: broker.port, actuators: [pump], ...changes };
  const device = await family.connect({ device_id: 'pump', kind: 'output', options, channels: [0] }, calm);
  const subscribed = (changes.actuators ?? [pump])[0]?.state_topic;
  await eventually(() => {
    expect(broker.connections).toBe(1);
    if (subscribed !== undefined) expect(broker.subscriptions).toContain(subscribed);
  });
  await eventually(async () => expect(await device.readState?.(calm).catch(() => 'away')).not.toBe('away'));
  return device;
}

/** A device that answers each command. */
function answer(reply: (payload: string) => string[], delay = () => settled()): void {
  broker.onCommand((topic, payload) => {
    if (topic !== 'pump/set') return;
    void delay().then(async () => {
      for (const said of reply(payload)) await broker.publish('pump/state', said);
    });
  });
}

const outcomeOf = (write: Promise<{ acknowledged: boolean }> | undefined) =>
  write?.then(
    ({ acknowledged }) => acknowledged,
    (error: Error & { code: string }) => error.code,
  );

/** Lets the time of a command pass as soon as the device has it. */
async function outOfTime(device: Device, commanded = 1): Promise<unknown> {
  const outcome = outcomeOf(device.write?.(0, 'on', calm));
  await eventually(() => expect(commands).toHaveLength(commanded));
  await heardBack();
  await clock.advance(5_000);
  return outcome;
}

/** What was published before has been heard when this comes back. */
async function heardBack(): Promise<void> {
  const before = commands.length;
  await broker.publish('nobody/listens', '');
  await settled();
  expect(commands.length).toBe(before);
}

describe('a command over MQTT', () => {
  it('is acknowledged by what the device says of itself', async () => {
    answer((payload) => [payload]);
    const device = await connect();
    expect(await outcomeOf(device.write?.(0, 'on', calm))).toBe(true);
    expect(commands).toEqual(['pump/set ON']);
    expect(await device.readState?.(calm)).toEqual(new Map([[0, 'on']]));
  });

  it.each([
    ['that comes twice', ['ON', 'ON']],
    ['that follows an old word', ['OFF', 'ON']],
  ])('is acknowledged by a word %s', async (_, said) => {
    answer(() => said);
    const device = await connect();
    expect(await outcomeOf(device.write?.(0, 'on', calm))).toBe(true);
  });

  it('is never confirmed by a device that says otherwise', async () => {
    answer(() => ['OFF']);
    const device = await connect();
    const outcome = outcomeOf(device.write?.(0, 'on', calm));
    await eventually(async () => expect(await device.readState?.(calm)).toEqual(new Map([[0, 'off']])));
    await clock.advance(5_000);
    expect(await outcome).toBe('bad_answer');
  });

  it('is not known to have come through where the device is silent, also when it speaks later', async () => {
    const device = await connect();
    expect(await outOfTime(device)).toBe('timed_out');
    await broker.publish('pump/state', 'ON');
    await eventually(async () => expect(await device.readState?.(calm)).toEqual(new Map([[0, 'on']])));
  });

  it('is not acknowledged by what the broker kept', async () => {
    await broker.publish('pump/state', 'ON', true);
    const device = await connect();
    expect(await outOfTime(device)).toBe('timed_out');
  });

  it('is not acknowledged where nothing can answer', async () => {
    const device = await connect({ actuators: [{ channel: 0, kind: 'switch', command_topic: 'pump/set' }] });
    await eventually(async () => expect(await outcomeOf(device.write?.(0, 'on', calm))).toBe(false));
    expect(device.readState).toBeUndefined();
  });

  it('is not sent to a device that is away', async () => {
    await broker.publish('pump/lwt', 'online', true);
    const device = await connect({ availability });
    await broker.publish('pump/lwt', 'offline', true);
    await eventually(() => expect(device.readState?.(calm)).rejects.toMatchObject({ code: 'unreachable' }));
    expect(await outcomeOf(device.write?.(0, 'on', calm))).toBe('unreachable');
    expect(commands).toEqual([]);
  });

  it('is refused without a broker, and not sent when it comes back', async () => {
    const device = await connect();
    await broker.cutOff();
    await eventually(async () => expect(await outcomeOf(device.write?.(0, 'on', calm))).toBe('unreachable'));
    const sent = commands.length;
    await broker.takeUp();
    await eventually(async () => {
      await clock.advance(1_000);
      await device.readState?.(calm);
    });
    await heardBack();
    expect(commands.slice(sent)).toEqual([]);
  });

  it('is not known to have come through when the broker goes meanwhile', async () => {
    const device = await connect();
    const outcome = outcomeOf(device.write?.(0, 'on', calm));
    await eventually(() => expect(commands).toEqual(['pump/set ON']));
    await broker.cutOff();
    await clock.advance(5_000);
    expect(await outcome).toBe('timed_out');
  });

  it('that is given up for a more urgent one lets that through', async () => {
    answer((payload) => (payload === 'OFF' ? ['OFF'] : []));
    const device = await connect();
    const urgent = new AbortController();
    const given = outcomeOf(device.write?.(0, 'on', urgent.signal));
    await eventually(() => expect(commands).toEqual(['pump/set ON']));
    urgent.abort();
    expect(await given).toBe('timed_out');
    expect(await outcomeOf(device.write?.(0, 'off', calm))).toBe(true);
  });
});

describe('a state over MQTT', () => {
  it('that the broker kept counts as long as the device is online', async () => {
    await broker.publish('pump/state', 'ON', true);
    await broker.publish('pump/lwt', 'online', true);
    const device = await connect({ availability });
    await eventually(async () => expect(await device.readState?.(calm)).toEqual(new Map([[0, 'on']])));
  });

  it('that the broker kept of a device that says nothing of its being there is not known', async () => {
    await broker.publish('pump/state', 'ON', true);
    const device = await connect();
    await clock.advance(5_000);
    expect(await device.readState?.(calm)).toEqual(new Map([[0, null]]));
  });

  it('is not known after the broker was away, until the device says it', async () => {
    answer((payload) => [payload]);
    const device = await connect({ request: { topic: 'pump/ask', payload: '?' } });
    await device.write?.(0, 'on', calm);
    await broker.cutOff();
    await eventually(async () => expect(await device.readState?.(calm).catch(() => 'away')).toBe('away'));
    commands.length = 0;
    await broker.takeUp();
    await eventually(async () => {
      await clock.advance(1_000);
      expect(commands).toEqual(['pump/ask ?']);
    });
    await clock.advance(5_000);
    expect(await device.readState?.(calm)).toEqual(new Map([[0, null]]));
    await broker.publish('pump/state', 'OFF');
    await eventually(async () => expect(await device.readState?.(calm)).toEqual(new Map([[0, 'off']])));
  });
});
