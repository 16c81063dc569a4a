import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { header, literal, repr, tuple } from './second-serpent.ts';

/** A second implementation of protocol 502, from its recorded frames: a client like Python programs, and a daemon. */

const object = 'orangery.pyro_server';
const kinds = { connect: 1, connectOk: 2, connectFail: 3, invoke: 4, result: 5, ping: 6 };
const isException = 0x01;
const isOneway = 0x04;
const isBatch = 0x08;

interface Message {
  kind: number;
  flags: number;
  seq: number;
  text: string;
}

export function frameOf({ kind, flags, seq, text }: Message): Buffer {
  const payload = Buffer.from(text, 'utf8');
  const head = Buffer.alloc(40);
  head.write('PYRO');
  head.writeUInt16BE(502, 4);
  head.set([kind, 1], 6);
  head.writeUInt16BE(flags, 8);
  head.writeUInt16BE(seq, 10);
  head.writeUInt32BE(payload.length, 12);
  head.writeUInt16BE(0x4dc5, 38);
  return Buffer.concat([head, payload]);
}

async function* messagesOf(socket: Socket): AsyncGenerator<Message> {
  let held = Buffer.alloc(0);
  for await (const chunk of socket) {
    held = Buffer.concat([held, chunk as Buffer]); // a socket without an encoding
    while (held.length >= 40) {
      const annotations = held.readUInt32BE(16);
      const end = 40 + annotations + held.readUInt32BE(12);
      if (held.length < end) break;
      const text = held.toString('utf8', 40 + annotations, end);
      yield { kind: held.readUInt8(6), flags: held.readUInt16BE(8), seq: held.readUInt16BE(10), text };
      held = held.subarray(end);
    }
  }
}

/** An exception that the daemon reported. */
export class PythonError extends Error {
  readonly code: unknown;

  constructor(told: unknown) {
    const { args, attributes } = told as { args: string[]; attributes: Record<string, unknown> }; // Pyro5's dictionary
    super(args.join(', '));
    this.code = attributes['code'];
  }
}

/** Calls the daemon like `Pyro5.api.Proxy` does: one call after the other on one connection. */
export class SecondClient {
  readonly #socket: Socket;
  readonly #messages: AsyncGenerator<Message>;
  #seq = 0;
  methods: string[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#messages = messagesOf(socket);
  }

  static async open(port: number, handshake = 'hello'): Promise<SecondClient> {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const client = new SecondClient(socket);
    const { kind, text } = await client.#ask(kinds.connect, repr({ handshake, object }));
    if (kind === kinds.connectFail) throw new Error(`refused: ${String(literal(text))}`);
    client.methods = (literal(text) as { meta: { methods: string[] } }).meta.methods; // what CONNECTOK carries
    return client;
  }

  async call(method: string, args: unknown[] = [], keywords: Record<string, unknown> = {}): Promise<unknown> {
    return this.#result(await this.#ask(kinds.invoke, repr(tuple(object, method, tuple(...args), keywords))));
  }

  async batch(calls: [method: string, ...args: unknown[]][]): Promise<unknown> {
    const items = calls.map(([method, ...args]) => tuple(method, tuple(...args), {}));
    return this.#result(await this.#ask(kinds.invoke, repr(tuple(object, '<batch>', items, null)), isBatch));
  }

  /** Sends a call that is never answered. */
  oneway(method: string, ...args: unknown[]): void {
    this.#send(kinds.invoke, repr(tuple(object, method, tuple(...args), {})), isOneway);
  }

  #result({ flags, text }: Message): unknown {
    const value = literal(text);
    if (flags & isException) throw new PythonError(value);
    return value;
  }

  async #ask(kind: number, body: string, flags = 0): Promise<Message> {
    const seq = this.#send(kind, body, flags);
    const next = await this.#messages.next();
    if (next.done === true) throw new Error('the daemon hung up');
    if (next.value.seq !== seq) throw new Error(`answer ${next.value.seq} to call ${seq}`);
    return next.value;
  }

  #send(kind: number, body: string, flags: number): number {
    const seq = this.#seq++;
    this.#socket.write(frameOf({ kind, flags, seq, text: header + body }));
    return seq;
  }
}

type Call = [method: string, args: unknown, keywords: unknown];

/** A daemon of another make: answers every call as the test says, and records the calls. */
export class SecondDaemon {
  readonly calls: Call[] = [];
  handshakes: unknown[] = [];
  port = 0;

  static async start(answer: (method: string) => unknown): Promise<SecondDaemon> {
    const daemon = new SecondDaemon();
    const server = createServer((socket) => void daemon.#serve(socket, answer).catch(() => socket.destroy()));
    server.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    daemon.port = (server.address() as AddressInfo).port; // it listens on TCP
    return daemon;
  }

  async #serve(socket: Socket, answer: (method: string) => unknown): Promise<void> {
    onTestFinished(() => void socket.destroy());
    for await (const { kind, seq, text } of messagesOf(socket)) {
      const reply = (as: number, value: unknown, flags = 0x40): boolean =>
        socket.write(frameOf({ kind: as, flags, seq, text: header + repr(value) }));
      if (kind === kinds.connect) {
        this.handshakes.push((literal(text) as { handshake: unknown }).handshake); // what CONNECT carries
        reply(kinds.connectOk, { handshake: 'hello', meta: { methods: ['check_daemon'], oneway: [], attrs: [] } });
        continue;
      }
      const [, method, args, keywords] = literal(text) as [string, ...Call]; // what INVOKE carries
      this.calls.push([method, args, keywords]);
      const told = answer(method);
      if (told instanceof Error) reply(kinds.result, exceptionOf(told), 0x41);
      else reply(kinds.result, told);
    }
  }
}

function exceptionOf(error: Error & { code?: string }): object {
  const attributes = { code: error.code, _pyroTraceback: ['Traceback\n'] };
  return { __class__: 'Pyro5.errors.PyroError', __exception__: true, args: tuple(error.message), attributes };
}
