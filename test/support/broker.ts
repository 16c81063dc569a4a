import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Aedes, type Client, type PublishPacket } from 'aedes';

/** A broker in this process that can be disconnected and reconnected on the same port. */
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

  /** Topics with a subscriber. */
  readonly subscriptions: string[] = [];

  /** How often a topic was subscribed to. */
  subscriptionsOf(topic: string): number {
    return this.subscriptions.filter((one) => one === topic).length;
  }

  /** Listens on its former port. */
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

  /** Ends every connection and accepts no new one; retained messages stay. */
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

  /** Called for messages from clients, not from the test itself. */
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
