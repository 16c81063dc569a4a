import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mqttProbed, type MqttProbe, type MqttProbed } from '../../../../server/contract/drivers/mqtt-found.ts';
import { DriverFamilies } from '../../../../server/daemon/drivers/families.ts';
import { TestBroker } from '../../../support/broker.ts';
import { eventually } from '../../../support/eventually.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const calm = new AbortController().signal;
const where = (port: number, login: Partial<MqttProbe> = {}): MqttProbe => ({ host: '127.0.0.1', port, ...login });
let broker: TestBroker;
let clock: ManualClock;
let families: DriverFamilies;

beforeEach(async () => {
  clock = new ManualClock();
  families = new DriverFamilies({ clock, log: () => undefined });
  broker = await TestBroker.start();
});

afterEach(async () => {
  await families.close();
  await broker.stop();
});

async function find(query: MqttProbe): Promise<MqttProbed> {
  return mqttProbed.parse(await families.search('mqtt', query, calm));
}

/** Searches, and lets its time pass when the broker had some to answer. */
async function search(answerMs: number): Promise<MqttProbed> {
  const asked = broker.subscriptions.length;
  const probed = find(where(broker.port));
  await eventually(() => expect(broker.subscriptions).toHaveLength(asked + 2));
  await setTimeout(answerMs);
  let isOver = false;
  void probed.then(() => (isOver = true));
  await eventually(async () => {
    await clock.advance(1_000);
    expect(isOver).toBe(true);
  });
  return probed;
}

it('lists what the broker kept, and leaves', async () => {
  await broker.publish('homeassistant/sensor/t/config', '{"stat_t":"house/t","name":"Air"}', true);
  await broker.publish('homeassistant/button/b/config', '{"cmd_t":"x"}', true);
  await broker.publish('homeassistant/sensor/node/h/config', 'x'.repeat(100_000), true);
  // Nobody tells when a broker has said all that it kept: it gets more time until it had enough.
  let probed = await search(20);
  for (let answerMs = 200; probed.left_out + probed.devices.length < 2 && answerMs < 10_000; answerMs *= 3)
    probed = await search(answerMs);
  expect(probed).toMatchObject({
    found: 'answers',
    left_out: 1,
    devices: [{ name: 'Air', kind: 'input', options: { values: [{ channel: 0, topic: 'house/t' }] } }],
  });
  await eventually(() => expect(broker.connections).toBe(0));
});

it('says that the broker refuses the log-in', async () => {
  broker.aedes.authenticate = (_client, _name, password, done) => done(null, password?.toString() === 'right');
  const probed = await find(where(broker.port, { username: 'grower', password: 'wrong' }));
  expect(probed).toMatchObject({ found: 'refused', devices: [] });
});

it('says that nobody is there', async () => {
  const { port } = broker;
  await broker.cutOff();
  expect(await find(where(port))).toMatchObject({ found: 'unreachable' });
});

it('says that it is no broker, also over TLS', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a TCP server it is an object
  expect(await find(where(port))).toMatchObject({ found: 'unreachable' });
  expect(await find(where(port, { tls: true }))).toMatchObject({ found: 'unreachable' });
  server.close();
});
