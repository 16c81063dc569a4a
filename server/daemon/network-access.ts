import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { daemonObjectId } from '../contract/daemon.ts';
import { keepSecretFile } from '../db/secret-file.ts';
import type { RemoteMethod } from '../remote/method.ts';
import { RemoteServer } from '../remote/server.ts';
import type { Clock, Timer } from './clock.ts';
import { networkCaller, networkMethods } from './remote/access.ts';

const lookAtCertificateMs = 60_000;

/** Where programs of other machines reach the remote object. */
export interface NetworkAddress {
  host: string;
  /** 0 takes a free port. */
  port: number;
}

interface NetworkAccessOptions extends NetworkAddress {
  dataDirectory: string;
  methods: Readonly<Record<string, RemoteMethod>>;
  clock: Clock;
  log: (line: string) => void;
}

/**
 * The remote object for other machines: over TLS with the service's certificate, and only with the secret in
 * `remote.secret`.
 */
export class NetworkAccess {
  readonly #options: NetworkAccessOptions;
  #server: RemoteServer | undefined;
  #timer: Timer | undefined;
  #served = '';

  constructor(options: NetworkAccessOptions) {
    this.#options = options;
  }

  get port(): number | undefined {
    return this.#server?.port;
  }

  /** Throws when there is no certificate yet, or the port is not free. */
  async start(): Promise<void> {
    const { host, port, dataDirectory, methods, log } = this.#options;
    const tls = this.#certificate();
    this.#served = tls.cert;
    this.#server = new RemoteServer({
      objectId: daemonObjectId,
      host,
      port,
      tls,
      methods: networkMethods(methods),
      admit: networkCaller(keepSecretFile(join(dataDirectory, 'remote.secret'))),
      onFault: (error) => log(`a remote call failed: ${String(error)}`),
    });
    await this.#server.start();
    this.#lookLater();
  }

  async stop(): Promise<void> {
    this.#timer?.cancel();
    await this.#server?.stop();
  }

  #lookLater(): void {
    this.#timer = this.#options.clock.after(lookAtCertificateMs, () => {
      this.#renew();
      this.#lookLater();
    });
  }

  /** The service renews the certificate on disk; one read in the middle of a write is read again a minute later. */
  #renew(): void {
    try {
      const tls = this.#certificate();
      if (tls.cert !== this.#served) this.#server?.renew(tls);
      this.#served = tls.cert;
    } catch (error) {
      this.#options.log(`the certificate could not be read: ${String(error)}`);
    }
  }

  #certificate(): { key: string; cert: string } {
    const read = (name: string): string => readFileSync(join(this.#options.dataDirectory, 'tls', name), 'utf8');
    return { key: read('leaf.key'), cert: read('leaf.crt') };
  }
}
