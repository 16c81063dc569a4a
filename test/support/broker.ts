import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { vi } from 'vitest';
import { Aedes, type Client, type PublishPacket } from 'aedes';

/** Tries until it holds: a busy machine may take its time over a connection. */
export function eventually<Value>(holds: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(holds, { timeout: 50_000, interval: 20 });
}

/** A broker in this process, that can be cut off and taken up again on the same port. */
export class TestBroker {
  readonly aedes: Aedes;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  private constructor(aedes: Aedes) {
    this.aedes = aedes;
  }

  static async start(options: Parameters<typeof Aedes.createBroker>[0] = {}): Promise<TestBroker> {
    const broker = new TestBroker(await Aedes.createBroker(options));
    broker.aedes.on('subscribe', (list) => broker.subscriptions.push(...list.map(({ topic }) => topic)));
    await broker.takeUp();
    return broker;
  }

  get port(): number {
    return this.#port;
  }

  get connections(): number {
    return this.aedes.connectedClients;
  }

  /** Topics that somebody listens to. */
  readonly subscriptions: string[] = [];

  /** How often a topic was asked for. */
  subscriptionsOf(topic: string): number {
    return this.subscriptions.filter((one) => one === topic).length;
  }

  /** Listens on the port that it had. */
  async takeUp(): Promise<void> {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      this.aedes.handle(socket);
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port; // of a TCP server it is an object
  }

  /** Ends every connection and takes no new one; what is retained stays. */
  async cutOff(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async publish(topic: string, payload: string | Buffer, retain = false): Promise<void> {
    const packet: PublishPacket = { cmd: 'publish', topic, payload, retain, qos: 0, dup: false };
    await new Promise<void>((resolve, reject) => {
      this.aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Called with what clients publish, not what the test itself does. */
  onCommand(told: (topic: string, payload: string) => void): void {
    this.aedes.on('publish', ({ topic, payload }: PublishPacket, client: Client | null) => {
      if (client !== null) told(topic, payload.toString());
    });
  }

  async stop(): Promise<void> {
    await this.cutOff();
    await new Promise<void>((resolve) => this.aedes.close(resolve));
  }
}
