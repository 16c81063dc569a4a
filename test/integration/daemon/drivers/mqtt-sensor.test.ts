import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MqttOptions } from '../../../../server/contract/drivers/mqtt-options.ts';
import type { Device, DriverFamily, Reading } from '../../../../server/daemon/drivers/driver.ts';
import { driver } from '../../../../server/daemon/drivers/mqtt/index.ts';
import { TestBroker } from '../../../support/broker.ts';
import { eventually } from '../../../support/eventually.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const calm = new AbortController().signal;
const topic = 'house/climate';
let clock: ManualClock;
let family: DriverFamily<MqttOptions>;
let broker: TestBroker;
let heard: Reading[];
/** What the driver said of the broker. */
let told: (string | null)[];

beforeEach(async () => {
  clock = new ManualClock();
  told = [];
  family = driver.start({ clock, log: () => undefined, connection: (_, failure) => told.push(failure) });
  broker = await TestBroker.start();
  heard = [];
});

afterEach(async () => {
  await family.close();
  await broker.stop();
});

async function connect(changes: Partial<MqttOptions> = {}): Promise<Device> {
  const values = [{ channel: 0, topic, path: 'temperature' }];
  const options: MqttOptions = { host: '127.0.0.1', port: broker.port, values, ...changes };
  const channels = (options.values ?? []).map(({ channel }) => channel);
  const device = await family.connect({ device_id: 'sensor', kind: 'input', options, channels }, calm);
  device.listen?.((readings) => heard.push(...readings));
  return device;
}

/** Resolves when the broker knows what it wants to hear. */
async function connectHeard(changes: Partial<MqttOptions> = {}): Promise<Device> {
  const before = broker.subscriptionsOf(topic);
  const device = await connect(changes);
  await eventually(() => expect(broker.subscriptionsOf(topic)).toBeGreaterThan(before));
  return device;
}

/** Publishes one reading and waits until it is told. */
async function speak(temperature: number): Promise<void> {
  await clock.advance(1_000);
  await broker.publish(topic, JSON.stringify({ temperature }));
  await eventually(() => expect(heard.at(-1)).toEqual({ channel: 0, value: temperature }));
}

const failureOf = (device: Device) =>
  device.read?.(calm).then(
    () => null,
    (error: Error) => error.message,
  );

describe('an MQTT sensor', () => {
  it('tells what it says at once, each channel of it', async () => {
    await connectHeard({
      values: [
        { channel: 0, topic, path: 'temperature' },
        { channel: 3, topic, path: 'humidity' },
        { channel: 4, topic: 'house/door' },
      ],
    });
    await broker.publish(topic, '{"temperature":21.5,"humidity":"60"}');
    await eventually(() =>
      expect(heard).toEqual([
        { channel: 0, value: 21.5 },
        { channel: 3, value: 60 },
      ]),
    );
    await clock.advance(1_000);
    await broker.publish('house/door', 'ON');
    await eventually(() => expect(heard.at(-1)).toEqual({ channel: 4, value: 1 }));
  });

  it('takes what the broker kept for no reading: nobody knows how old it is', async () => {
    await broker.publish(topic, '{"temperature":99}', true);
    const device = await connectHeard({ expire_after_s: 5 });
    await speak(7);
    expect(heard).toEqual([{ channel: 0, value: 7 }]);
    expect(await device.read?.(calm)).toEqual([]);
  });

  it('says that it only has an old message once it should have spoken', async () => {
    await broker.publish(topic, '{"temperature":99}', true);
    const device = await connect({ expire_after_s: 5 });
    await eventually(async () => {
      await clock.advance(6_000);
      expect(await failureOf(device)).toMatch(/nothing for 5 s; the broker has an old message/);
    });
    expect(heard).toEqual([]);
  });

  it('has failed when it said nothing for too long, until it speaks', async () => {
    const device = await connectHeard({ expire_after_s: 60 });
    await speak(7);
    await clock.advance(59_000);
    expect(await failureOf(device)).toBeNull();
    await clock.advance(2_000);
    expect(await failureOf(device)).toMatch(/nothing for 60 s$/);
    await speak(8);
    expect(await failureOf(device)).toBeNull();
  });

  it('is away when its last will says so', async () => {
    const availability = { topic: 'house/lwt', online: 'up', offline: 'down' };
    await broker.publish('house/lwt', 'down', true);
    const device = await connectHeard({ availability });
    await eventually(async () => expect(await failureOf(device)).toMatch(/offline/));
    await broker.publish('house/lwt', 'up', true);
    await eventually(async () => expect(await failureOf(device)).toBeNull());
  });

  it('is heard no more than ten times a second, and its last word last', async () => {
    await connectHeard();
    for (let value = 1; value <= 300; value += 1) await broker.publish(topic, `{"temperature":${value}}`);
    await eventually(async () => {
      await clock.advance(100);
      expect(heard.at(-1)).toEqual({ channel: 0, value: 300 });
    });
    expect(heard.length).toBeLessThan(300);
  });

  it.each<[string, string | Buffer, Reading[]]>([
    ['no number', '{"temperature":"NaN"}', [{ channel: 0, value: null }]],
    ['no JSON', Buffer.from([0xff, 0xfe, 0x00]), [{ channel: 0, value: null }]],
    ['far too much', Buffer.alloc(2_000_000, '9'), []],
    ['a deep nesting', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, []],
  ])('takes %s without harm', async (_, payload, readings) => {
    await connectHeard();
    await broker.publish(topic, payload);
    await eventually(async () => {
      await clock.advance(1_000);
      await broker.publish(topic, '{"temperature":7}');
      expect(heard.at(-1)).toEqual({ channel: 0, value: 7 });
    });
    expect(heard.filter(({ value }) => value !== 7)).toEqual(readings);
    expect(broker.connections).toBe(1);
  });

  it('has neither failed nor spoken by a message about something else', async () => {
    const device = await connectHeard({ expire_after_s: 60 });
    await connect({ values: [{ channel: 9, topic: 'house/door' }] });
    await eventually(() => expect(broker.subscriptionsOf('house/door')).toBe(1));
    // The door is heard after it, over the same connection.
    const speakOfElse = async (door: number): Promise<void> => {
      await clock.advance(30_000);
      await broker.publish(topic, '{"humidity":50}');
      await broker.publish('house/door', String(door));
      await eventually(() => expect(heard.at(-1)).toEqual({ channel: 9, value: door }));
    };
    await speak(7);
    await speakOfElse(1);
    expect(await failureOf(device)).toBeNull();
    await speakOfElse(2);
    expect(await failureOf(device)).toMatch(/nothing for 60 s$/);
  });

  it('says that a message has nothing where it should', async () => {
    const device = await connectHeard();
    await broker.publish(topic, '{"humidity":50}');
    await eventually(async () => expect(await failureOf(device)).toMatch(/has nothing at temperature/));
  });

  it('comes back with its broker, and knows nothing of the time between', async () => {
    const device = await connectHeard();
    await broker.cutOff();
    await eventually(async () => expect(await failureOf(device)).toMatch(/no connection to the broker/));
    await broker.publish(topic, '{"temperature":50}');
    const before = broker.subscriptionsOf(topic);
    await broker.takeUp();
    await eventually(async () => {
      await clock.advance(1_000);
      expect(broker.subscriptionsOf(topic)).toBeGreaterThan(before);
    });
    await speak(7);
    expect(heard).toEqual([{ channel: 0, value: 7 }]);
    expect(await failureOf(device)).toBeNull();
    const course = told.filter((one, at) => one === null || told[at - 1] === null);
    expect(course).toEqual([null, expect.stringMatching(/no connection to the broker/), null]);
  });

  it('leaves its broker in use while another log-in works, of which alarms do not tell it apart', async () => {
    broker.aedes.authenticate = (_client, _username, password, done) => {
      const isRight = password?.toString() === 'right';
      if (isRight) done(null, true);
      else done(Object.assign(new Error('Auth error'), { returnCode: 4 as const }), null);
    };
    const logIn = { username: 'kim', password: 'right' };
    const device = await connectHeard(logIn);
    const refused = await connect({ ...logIn, password: 'wrong' });
    await eventually(async () => expect(await failureOf(refused)).toMatch(/no connection to the broker/));
    expect(new Set(told)).toEqual(new Set([null]));
    await device.close();
    expect(told.at(-1)).toMatch(/no connection to the broker/);
    await refused.close();
    expect(told.at(-1)).toBeNull();
  });

  it('is asked in each period where it speaks only then', async () => {
    const asked: string[] = [];
    broker.onCommand((about) => asked.push(about));
    const device = await connectHeard({ request: { topic: 'house/ask' } });
    await eventually(() => expect(asked).toEqual(['house/ask'])); // with the connection
    asked.length = 0;
    await device.read?.(calm);
    await eventually(() => expect(asked).toEqual(['house/ask']));
  });

  it('says what the broker does not let it hear', async () => {
    broker.aedes.authorizeSubscribe = (_client, _subscription, done) => done(null, null);
    const device = await connect();
    await eventually(async () => expect(await failureOf(device)).toMatch(/the broker refuses house\/climate/));
  });
});

describe('devices of one broker', () => {
  it('share a connection, which ends with the last of them', async () => {
    const [first, second] = [await connectHeard(), await connectHeard()];
    expect(broker.connections).toBe(1);
    await speak(7);
    expect(heard).toHaveLength(2);
    await first.close();
    await speak(8);
    expect(heard).toHaveLength(3);
    await second.close();
    await eventually(() => expect(broker.connections).toBe(0));
  });

  it('with another log-in do not', async () => {
    await connectHeard();
    await connectHeard({ username: 'other', password: 'word' });
    await eventually(() => expect(broker.connections).toBe(2));
  });

  it('say why the broker does not let them in', async () => {
    broker.aedes.authenticate = (_client, _name, password, done) => done(null, password?.toString() === 'right');
    const device = await connect({ username: 'grower', password: 'wrong' });
    await eventually(async () => expect(await failureOf(device)).toMatch(/[Nn]ot authorized|[Bb]ad user name/));
  });

  it('wait for a broker that does not answer, without holding up anybody', async () => {
    const port = broker.port;
    await broker.cutOff();
    const device = await connect({ port });
    await eventually(async () => expect(await failureOf(device)).toMatch(/ECONNREFUSED/));
    await device.close();
  });
});
