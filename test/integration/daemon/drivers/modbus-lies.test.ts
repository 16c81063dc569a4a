import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModbusRegister } from '../../../../server/contract/drivers/modbus.ts';
import { driver } from '../../../../server/daemon/drivers/modbus/index.ts';
import { heaterId, simulatedOutput } from '../../../support/daemon-site.ts';
import { outputsSite } from '../../../support/outputs-site.ts';

/** One request as it stands on the wire. */
interface Frame {
  transaction: number;
  unit: number;
  pdu: Buffer;
}

function parse(bytes: Buffer): Frame {
  return { transaction: bytes.readUInt16BE(0), unit: bytes.readUInt8(6), pdu: bytes.subarray(7) };
}

function bytesOf({ transaction, unit, pdu }: Frame): Buffer {
  const head = Buffer.alloc(7);
  head.writeUInt16BE(transaction, 0);
  head.writeUInt16BE(pdu.length + 1, 4);
  head.writeUInt8(unit, 6);
  return Buffer.concat([head, pdu]);
}

/** What a device sends to a request; the requests before it are there to be answered late or twice. */
type Script = (request: Frame, socket: Socket, before: readonly Frame[]) => void;

/** The answer to a write repeats it; of several registers only where and how many. */
function echoOf(request: Frame): Frame {
  const { pdu } = request;
  return { ...request, pdu: pdu.readUInt8(0) === 16 ? pdu.subarray(0, 5) : pdu };
}
const answer: Script = (request, socket) => void socket.write(bytesOf(echoOf(request)));
const changed =
  (change: (frame: Frame) => Partial<Frame>): Script =>
  (request, socket) =>
    void socket.write(bytesOf({ ...request, ...change(echoOf(request)) }));
const patched = (pdu: Buffer, at: number, value: number): Buffer => {
  const copy = Buffer.from(pdu);
  copy.writeUInt16BE(value, at);
  return copy;
};
const exception: Script = changed(({ pdu }) => ({ pdu: Buffer.from([pdu.readUInt8(0) | 0x80, 4]) }));
const silence: Script = () => undefined;
/** Answers the request before this one, with its transaction or with that of the present one. */
const answerBefore =
  (isRenumbered: boolean): Script =>
  ({ transaction }, socket, before) => {
    const last = before.at(-1);
    if (last !== undefined) socket.write(bytesOf({ ...echoOf(last), ...(isRenumbered && { transaction }) }));
  };
const twice: Script = (request, socket) => {
  socket.write(bytesOf(echoOf(request)));
  socket.write(bytesOf(echoOf(request)));
};

/** A device on TCP that follows a script, one entry a request; what comes after is not answered. */
async function startDevice(script: readonly Script[]) {
  const requests: Frame[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const request = parse(bytes); // one request at a time, far smaller than a segment
      const before = [...requests];
      requests.push(request);
      (script[before.length] ?? silence)(request, socket, before);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { port, requests, connections: () => sockets.size };
}

const coil: ModbusRegister = { channel: 0, table: 'coil', address: 3, readback: false };
const oneWord: ModbusRegister = { channel: 0, table: 'holding', address: 3, readback: false };
const twoWords: ModbusRegister = { ...oneWord, type: 'float32' };
const patient = 60_000;
const hasty = 40;

/** An output over the wire: its outcome is what a person is told. */
async function outputOver(register: ModbusRegister, script: readonly Script[], timeoutMs = patient) {
  const device = await startDevice([answer, ...script]); // the first is the safe state at the start
  const options = { host: '127.0.0.1', port: device.port, timeout_ms: patient, registers: [register] };
  const site = outputsSite({
    connect: () => {
      return family.connect(
        { device_id: heaterId, kind: 'output', options, channels: [0] },
        new AbortController().signal,
      );
    },
  });
  const family = driver.start({ clock: site.clock, log: () => undefined });
  onTestFinished(() => family.close());
  const kind = register.table === 'coil' ? 'switch' : 'dimmer';
  site.store.ended_orderly = true;
  await site.start([simulatedOutput(heaterId, 'heater', { kind })]);
  options.timeout_ms = timeoutMs; // a slow machine has connected by now
  const command = async (state: boolean) => (await site.outputs.command({ output_id: heaterId, state })).outcome;
  return { command, device, stateOf: () => site.stateOf(heaterId) };
}

const single: [string, ModbusRegister, Script, string, number][] = [
  ['an honest answer', coil, answer, 'confirmed', patient],
  ['an honest answer of a register', oneWord, answer, 'confirmed', patient],
  ['an honest answer of two registers', twoWords, answer, 'confirmed', patient],
  ['the address of another coil', coil, changed(({ pdu }) => ({ pdu: patched(pdu, 1, 4) })), 'unknown', patient],
  ['the opposite', coil, changed(({ pdu }) => ({ pdu: patched(pdu, 3, 0) })), 'unknown', patient],
  ['another register', oneWord, changed(({ pdu }) => ({ pdu: patched(pdu, 1, 4) })), 'unknown', patient],
  ['another value', oneWord, changed(({ pdu }) => ({ pdu: patched(pdu, 3, 1) })), 'unknown', patient],
  ['fewer registers', twoWords, changed(({ pdu }) => ({ pdu: patched(pdu, 3, 1) })), 'unknown', patient],
  ['an exception', coil, exception, 'failed', patient],
  ['the answer of another unit', coil, changed(({ unit }) => ({ unit: unit + 1 })), 'unknown', patient],
  [
    'the answer to another function',
    coil,
    changed(({ pdu }) => ({ pdu: Buffer.concat([Buffer.from([6]), pdu.subarray(1)]) })),
    'unknown',
    patient,
  ],
  [
    'an answer to nothing that was asked',
    coil,
    changed(({ transaction }) => ({ transaction: transaction + 7 })),
    'unknown',
    hasty,
  ],
  ['half an answer', coil, (request, socket) => void socket.write(bytesOf(request).subarray(0, 9)), 'unknown', hasty],
  [
    'half an answer and the end',
    coil,
    (request, socket) => void socket.end(bytesOf(request).subarray(0, 9)),
    'unknown',
    patient,
  ],
  ['nonsense', coil, (_request, socket) => void socket.write(Buffer.alloc(64, 0xff)), 'unknown', hasty],
  ['nothing', coil, silence, 'unknown', hasty],
];

describe('a command to a Modbus device', () => {
  it.each(single)('that gets %s', async (_what, register, script, outcome, timeoutMs) => {
    const { command, stateOf } = await outputOver(register, [script], timeoutMs);
    expect(await command(true)).toBe(outcome);
    const known: Record<string, unknown> = { confirmed: register === coil ? 'on' : 100, failed: 'off' };
    expect(stateOf()).toBe(known[outcome] ?? null);
  });

  it.each([
    ['a late answer to the one before', [silence, answerBefore(false)]],
    ['a late answer under its own number', [silence, answerBefore(true)]],
    ['the answer to the one before once more', [twice, answerBefore(false)]],
    ['nothing, after the one before was answered twice', [twice, silence]],
  ])('that gets %s is not confirmed', async (_what, script) => {
    const { command, stateOf } = await outputOver(coil, script, hasty);
    await command(true);
    expect(await command(false)).toBe('unknown');
    expect(stateOf()).toBeNull();
  });

  it('that acknowledges and holds something else is not confirmed when it is read again', async () => {
    const holdsOff = changed(({ pdu }) => (pdu.readUInt8(0) === 1 ? { pdu: Buffer.from([1, 1, 0]) } : {}));
    const { command, stateOf } = await outputOver({ ...coil, readback: true }, [holdsOff, holdsOff, holdsOff]);
    expect(await command(true)).toBe('unknown');
    expect(stateOf()).toBeNull();
  });
});

describe('the connection', () => {
  it('is given up after three requests that nobody answers, for the stream may be cut at the wrong places', async () => {
    const { command, device } = await outputOver(coil, [], hasty);
    for (let sent = 0; sent < 4; sent += 1) await command(true);
    expect(device.connections()).toBeGreaterThan(1);
  });

  it('is given up before the numbers come round to a request that was never answered', async () => {
    const { command, device } = await outputOver(coil, [silence, ...Array<Script>(300).fill(answer)], hasty);
    await command(true);
    const overdue = device.requests.at(-1)?.transaction;
    const before = device.requests.length;
    while (device.connections() < 2) await command(false);
    const ofOld = device.requests.slice(before, -1).map(({ transaction }) => transaction);
    expect(ofOld).not.toContain(overdue);
  });
});
