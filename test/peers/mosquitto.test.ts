import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MqttClient } from 'mqtt';
import type { MqttOptions } from '../../server/contract/drivers/mqtt-options.ts';
import { systemClock } from '../../server/daemon/clock.ts';
import type { DeviceKind } from '../../server/contract/drivers/driver.ts';
import type { Device, DriverFamily, Reading } from '../../server/daemon/drivers/driver.ts';
import { driver } from '../../server/daemon/drivers/mqtt/index.ts';
import { publish } from '../../server/outbound/mqtt-publish.ts';
import { eventually } from '../support/eventually.ts';
import { hasMosquitto, login, Mosquitto } from '../support/mosquitto.ts';

const calm = new AbortController().signal;
const values = [{ channel: 0, topic: 'house/t' }];
const actuators = [{ channel: 0, kind: 'switch', command_topic: 'pump/set', state_topic: 'pump/state' } as const];

describe.skipIf(!hasMosquitto())('against Eclipse Mosquitto, by TLS and with a password', () => {
  let broker: Mosquitto;
  let family: DriverFamily<MqttOptions>;
  let other: MqttClient;
  let heard: Reading[];

  beforeAll(async () => {
    broker = await Mosquitto.start();
  });

  beforeEach(async () => {
    family = driver.start({ clock: systemClock, log: () => undefined });
    other = await broker.client();
    heard = [];
  });

  afterEach(async () => {
    await family.close();
    await other.endAsync(true);
  });

  afterAll(() => broker?.stop());

  async function connect(kind: DeviceKind, changes: Partial<MqttOptions>): Promise<Device> {
    const reached = { host: '127.0.0.1', port: broker.port, tls: true, ca: broker.ca };
    const options = { ...reached, ...login, ...changes };
    const device = await family.connect({ device_id: kind, kind, options, channels: [0] }, calm);
    device.listen?.((readings) => heard.push(...readings));
    return device;
  }

  /** Publishes until it is heard: nobody tells a client when another one has subscribed. */
  async function speakUntilHeard(value: number): Promise<void> {
    await eventually(async () => {
      await other.publishAsync('house/t', String(value), { qos: 1 });
      expect(heard).toContainEqual({ channel: 0, value });
    });
  }

  const failureOf = (device: Device) =>
    device.read?.(calm).then(
      () => null,
      (error: Error) => error.message,
    );

  it('hears a sensor, and takes nothing retained for a reading', async () => {
    await other.publishAsync('house/t', '99', { qos: 1, retain: true });
    await connect('input', { values });
    await speakUntilHeard(21.5);
    expect(heard).not.toContainEqual({ channel: 0, value: 99 });
    await other.publishAsync('house/t', '', { qos: 1, retain: true });
  });

  it('says what is wrong with the log-in and with the certificate', async () => {
    const locked = await connect('input', { values, password: 'wrong' });
    const unknown = await connect('input', { values, ca: undefined });
    await eventually(async () => expect(await failureOf(locked)).toMatch(/not authorized/i));
    await eventually(async () => expect(await failureOf(unknown)).toMatch(/certificate/));
  });

  it('switches a device that answers, and knows it gone by its last will', async () => {
    const will = { topic: 'pump/lwt', payload: Buffer.from('offline'), qos: 1, retain: true } as const;
    const pump = await broker.client({ will });
    await pump.publishAsync('pump/lwt', 'online', { qos: 1, retain: true });
    // By the call: what the broker has not acknowledged when the device is gone rejects with nobody to hear it.
    pump.on('message', (_topic, payload) => pump.publish('pump/state', payload, { qos: 1 }, () => undefined));
    await pump.subscribeAsync('pump/set', { qos: 1 });
    const device = await connect('output', { actuators, availability: { topic: 'pump/lwt' } });
    await eventually(async () => expect(await device.write?.(0, 'on', calm)).toEqual({ acknowledged: true }));
    expect(await device.readState?.(calm)).toEqual(new Map([[0, 'on']]));
    pump.stream.destroy();
    await eventually(() => expect(device.readState?.(calm)).rejects.toMatchObject({ code: 'unreachable' }));
    await expect(device.write?.(0, 'off', calm)).rejects.toMatchObject({ code: 'unreachable' });
    await pump.endAsync(true);
  });

  it('comes back when the broker was killed, and hears nothing of the time between', async () => {
    const device = await connect('input', { values });
    await speakUntilHeard(20);
    await broker.kill();
    await eventually(async () => expect(await failureOf(device)).toMatch(/no connection to the broker/));
    await broker.takeUp();
    other = await broker.client();
    await speakUntilHeard(22);
    // What was repeated before the end may be told up to a tenth of a second later.
    expect(heard.filter(({ value }) => value !== 20 && value !== 22)).toEqual([]);
    expect(await failureOf(device)).toBeNull();
  });

  it('takes an alarm from the notification target', async () => {
    const alarms: string[] = [];
    other.on('message', (_topic, payload) => alarms.push(payload.toString()));
    await other.subscribeAsync('farm/alarms', { qos: 1 });
    const to = {
      kind: 'mqtt',
      url: `mqtts://127.0.0.1:${broker.port}`,
      username: login.username,
      topic: 'farm/alarms',
    } as const;
    expect(await publish(to, login.password, { payload: 'frost', ca: broker.ca })).toMatch(/acknowledged/);
    await eventually(() => expect(alarms).toEqual(['frost']));
    await expect(publish(to, 'wrong', { payload: 'frost', ca: broker.ca })).rejects.toThrow(/not authorized/i);
  });
});
