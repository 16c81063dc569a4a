import { connect, type Socket } from 'node:net';
import { request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { deflateSync } from 'node:zlib';
import { ask, standAround } from './http-attacks.ts';
import { daemonObjectId } from '../../server/contract/daemon.ts';
import { draftFrame, encodeFrame, FLAG, MESSAGE, type FrameDraft } from '../../server/remote/frame.ts';
import { serpent } from '../../server/remote/serializer.ts';
import { Tuple } from '../../server/remote/tuple.ts';

/** What is attacked, and with what: a daemon's port on this machine, and the service with a key of a user. */
export interface Target {
  daemonPort: number;
  url: string;
  ca: string;
  key: string;
}

interface Attack {
  /** As a row of the table says it. */
  what: string;
  /** Begins it; what it began goes on until the thread is ended. */
  run(target: Target): Promise<void> | void;
}

const bytesOf = (draft: FrameDraft): Buffer => encodeFrame(draftFrame(draft));

/** The next bytes, or the end. */
function heard(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const tell = (): void => {
      socket.off('data', tell).off('close', tell);
      resolve();
    };
    socket.on('data', tell).on('close', tell);
  });
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.resume().once('close', resolve);
  });
}

async function greeted(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  socket.write(
    bytesOf({
      ...{ type: MESSAGE.connect, serializer: serpent.id },
      payload: serpent.encode({ handshake: 'hello', object: daemonObjectId }),
    }),
  );
  await heard(socket);
  return socket;
}

/** Keeps so many connections that each send a message, wait for an answer or the end, and begin again. */
function again(connections: number, port: number, message: Buffer): void {
  const one = async (): Promise<never> => {
    for (;;) {
      const socket = await greeted(port);
      while (!socket.destroyed) {
        socket.write(message);
        await heard(socket);
      }
      socket.destroy();
      await pause(5);
    }
  };
  for (let at = 0; at < connections; at += 1) void one();
}

function batchOf(method: string, calls: number): Buffer {
  const positional = Array.from({ length: calls }, () => new Tuple([method, new Tuple([]), {}]));
  const batch = { object: daemonObjectId, method: '<batch>', positional, keywords: null };
  const payload = deflateSync(serpent.encodeInvocation(batch));
  return bytesOf({ type: MESSAGE.invoke, serializer: serpent.id, flags: FLAG.batch | FLAG.compressed, payload });
}

function nestedBomb(bytes: number): Buffer {
  const value = '((((((),),),),),),';
  const payload = deflateSync(Buffer.from(`('x','y',(${value.repeat(bytes / value.length)}),{})`));
  return bytesOf({ type: MESSAGE.invoke, serializer: serpent.id, flags: FLAG.compressed, payload });
}

/** All but the last byte of a message. */
async function halfSent(port: number, bytes: number): Promise<void> {
  for (;;) {
    const socket = await greeted(port);
    const message = bytesOf({ type: MESSAGE.invoke, serializer: serpent.id, payload: Buffer.alloc(bytes, 32) });
    socket.write(message.subarray(0, -1));
    await closed(socket);
    await pause(5);
  }
}

async function idle(port: number): Promise<void> {
  for (;;) {
    await closed(await greeted(port));
    await pause(5);
  }
}

/** Sends one body over and over, as a user of the service may. */
async function post(target: Target, path: string, body: unknown): Promise<void> {
  const sent = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'x-api-key': target.key };
  for (;;) {
    await new Promise<void>((resolve) => {
      const asked = request(new URL(path, target.url), { method: 'POST', ca: target.ca, headers });
      asked.once('response', (response) => response.resume().once('close', resolve));
      asked.once('error', () => resolve());
      asked.end(sent);
    });
  }
}

function outputOf(options: object): object {
  return { name: 'x', driver: 'mqtt', options, channels: [] };
}

/** By their names; each is one hostile program. */
export const attacks = {
  quiet: { what: 'nothing else', run: () => undefined },
  batches: {
    what: 'batches of 6,000 calls in 350 bytes, 4 connections',
    run: ({ daemonPort }) => again(4, daemonPort, batchOf('live_state', 6_000)),
  },
  bombs: {
    what: 'frames of 14 kB that inflate to 15 MB of tuples, 10 connections',
    run: ({ daemonPort }) => again(10, daemonPort, nestedBomb(15_000_000)),
  },
  halves: {
    what: '58 half-sent frames of 16 MB',
    run: ({ daemonPort }) => void Array.from({ length: 58 }, () => halfSent(daemonPort, 16_000_000)),
  },
  idlers: {
    what: '70 programs that only bind',
    run: ({ daemonPort }) => void Array.from({ length: 70 }, () => idle(daemonPort)),
  },
  host_names: {
    what: 'host names of 90,000 colons',
    run: (target) => post(target, '/api/settings/outputs', outputOf({ host: `${':'.repeat(90_000)}x` })),
  },
  certificates: {
    what: 'bodies of 1 MB of certificate heads',
    run: (target) =>
      post(
        target,
        '/api/settings/outputs',
        outputOf({ host: 'broker', ca: '-----BEGIN CERTIFICATE-----'.repeat(37_000) }),
      ),
  },
  idle_https: {
    what: '1,000 HTTP/2 connections that only stand there',
    run: (target) => standAround(target, 1_000),
  },
  untaken: {
    what: 'answers that nobody takes, 20 connections of 90 streams',
    run: (target) => ask(target, { path: '/api/drivers', key: target.key, connections: 20, streams: 90, window: 0 }),
  },
  streams: {
    what: '2,000 event streams of one key',
    run: (target) => ask(target, { path: '/api/events', key: target.key, connections: 20, streams: 100 }),
  },
  strangers: {
    what: 'readings without a login, 20 connections of 10 streams',
    run: (target) => ask(target, { path: '/api/outputs', connections: 20, streams: 10 }),
  },
} satisfies Record<string, Attack>;

export type AttackName = keyof typeof attacks;

interface Order {
  name: AttackName;
  target: Target;
}

if (parentPort !== null) {
  const { name, target } = workerData as Order; // given by beginAttack
  await attacks[name].run(target);
  parentPort.on('message', () => undefined); // it lives until it is ended
}

/** Begins an attack in a thread of its own, so that what it costs here delays no clock; returns what ends it. */
export function beginAttack(name: AttackName, target: Target): () => Promise<unknown> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { name, target } satisfies Order });
  return () => worker.terminate();
}
