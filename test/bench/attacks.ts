import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { addSamples, ask, fromNetwork, reconnect, requestPace, standAround, type HttpTarget } from './http-attacks.ts';
import { mediaType } from '../../server/contract/endpoint.ts';
import { daemonObjectId } from '../../server/contract/daemon.ts';
import { draftFrame, encodeFrame, flag, messageTypes, type FrameDraft } from '../../server/remote/frame.ts';
import { serpent } from '../../server/remote/serializer.ts';
import { Tuple } from '../../server/remote/tuple.ts';

/** What is attacked, and with what: a daemon's port on this machine, and the service with a key of a user. */
export interface Target extends HttpTarget {
  daemonPort: number;
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
      type: messageTypes.connect,
      serializer: serpent.id,
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
  return bytesOf({ type: messageTypes.invoke, serializer: serpent.id, flags: flag.batch | flag.compressed, payload });
}

function nestedBomb(bytes: number): Buffer {
  const value = '((((((),),),),),),';
  const payload = deflateSync(Buffer.from(`('x','y',(${value.repeat(bytes / value.length)}),{})`));
  return bytesOf({ type: messageTypes.invoke, serializer: serpent.id, flags: flag.compressed, payload });
}

/** All but the last byte of a message. */
async function halfSent(port: number, bytes: number): Promise<void> {
  for (;;) {
    const socket = await greeted(port);
    const message = bytesOf({ type: messageTypes.invoke, serializer: serpent.id, payload: Buffer.alloc(bytes, 32) });
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
  const headers = { accept: mediaType, 'content-type': 'application/json', 'x-api-key': target.key };
  for (;;) {
    await requestPace.turn();
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
  lan_strangers: {
    what: 'readings without a login from the network, 20 connections of 10 streams',
    run: (target) => ask(fromNetwork(target), { path: '/api/outputs', connections: 20, streams: 10 }),
  },
  handshakes: {
    what: 'new connections, 100 a second',
    run: (target) => reconnect(target),
  },
  lan_handshakes: {
    what: 'new connections from the network, 100 a second',
    run: (target) => reconnect(fromNetwork(target)),
  },
  readings: {
    what: 'readings of one key, 1,000 a second on 20 connections',
    run: (target) => ask(target, { path: '/api/outputs', key: target.key, connections: 20, streams: 10 }),
  },
  samples: {
    what: 'samples that 200 connections of one key add',
    run: (target) => addSamples(target, { clients: 200, stored: (tookMs) => process.send?.(tookMs) }),
  },
} satisfies Record<string, Attack>;

export type AttackName = keyof typeof attacks;

interface Order {
  name: AttackName;
  target: Target;
}

// In a process that was made for an attack; it ends when the one that made it ends.
if (process.send && process.argv[1] === import.meta.filename) {
  const [{ name, target }] = (await once(process, 'message')) as [Order]; // sent by beginAttack
  process.once('disconnect', () => process.exit());
  await attacks[name].run(target);
}

/**
 * Begins an attack in a process of its own that gives way to all others, as if it ran on another machine: what it
 * computes is not the server's doing, and its pace is held to what `http-attacks.ts` says. `heard` is given what the
 * attack tells. Returns what ends it.
 */
export function beginAttack(
  name: AttackName,
  target: Target,
  heard: (told: unknown) => void = () => undefined,
): () => Promise<unknown> {
  const child = fork(import.meta.filename).on('message', heard);
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  child.send({ name, target } satisfies Order);
  const ended = once(child, 'exit');
  return () => {
    child.kill('SIGKILL');
    return ended;
  };
}
