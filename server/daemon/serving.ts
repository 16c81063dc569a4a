import { codeOf } from '../contract/code-of.ts';
import { daemonObjectId } from '../contract/daemon.ts';
import type { RemoteMethod } from '../remote/method.ts';
import { RemoteServer } from '../remote/server.ts';
import type { Clock } from './clock.ts';
import { NetworkAccess, type NetworkAddress } from './network-access.ts';
import { loopbackCaller, serverCaller, type AccessSecrets } from './remote/access.ts';

/** How long a start waits for a port that another daemon may be about to release. */
const portWaitMs = 5_000;
const portRetryMs = 200;

/** Another program listens on the daemon's port. */
class PortTakenError extends Error {
  readonly code = 'port_taken';

  constructor(port: number) {
    super(`port ${port} is taken by another program`);
    this.name = 'PortTakenError';
  }
}

export interface ServingOptions {
  dataDirectory: string;
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** Where other machines reach the remote object; without it only this one does. */
  network?: NetworkAddress;
  access: AccessSecrets;
  clock: Clock;
  log: (line: string) => void;
}

/** The remote object on its addresses: loopback and, if configured, the network. */
export class Serving {
  readonly #options: ServingOptions;
  readonly #remote: RemoteServer;
  readonly #network: NetworkAccess | undefined;
  #isStopping = false;

  constructor(options: ServingOptions, methods: Record<string, RemoteMethod>) {
    const { host, port, network, access, log } = options;
    const onFault = (error: unknown): void => log(`a remote call failed: ${String(error)}`);
    this.#options = options;
    this.#remote = new RemoteServer({
      objectId: daemonObjectId,
      methods,
      host,
      port,
      onFault,
      admit: loopbackCaller(access),
      trusted: serverCaller,
    });
    this.#network = network && new NetworkAccess({ ...options, ...network, methods });
  }

  /** The port it serves; undefined while stopped. */
  get port(): number | undefined {
    return this.#remote.port;
  }

  /** Throws PortTakenError when the port is not free within five seconds, and other errors of the system. */
  async start(): Promise<void> {
    await this.#listen();
    try {
      if (!this.#isStopping) await this.#network?.start();
    } catch (error) {
      // Control goes on without the network.
      this.#options.log(`other machines cannot reach the remote object: ${String(error)}`);
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([this.#remote.stop(), this.#network?.stop()]);
  }

  /** A taken port may be that of a daemon about to end. */
  async #listen(): Promise<void> {
    const { clock, port } = this.#options;
    const giveUpAtMs = clock.elapsed() + portWaitMs;
    while (!this.#isStopping) {
      try {
        return await this.#remote.start();
      } catch (error) {
        const isTaken = codeOf(error) === 'EADDRINUSE';
        if (!isTaken) throw error;
        if (clock.elapsed() >= giveUpAtMs) throw new PortTakenError(port);
        await new Promise<void>((resolve) => void clock.after(portRetryMs, resolve));
      }
    }
  }
}
