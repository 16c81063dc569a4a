import { type CertificateOptions, type Certificates, openCertificates } from './certificates.ts';

export interface KeeperOptions extends CertificateOptions {
  /** A check failed (disk full, folder gone): the present leaf stays in use. */
  onError: (error: unknown) => void;
  /** Interval of checks of the clock and the addresses; default a minute. */
  checkEveryMs?: number;
}

/** Keeps the leaf valid for the machine's present addresses. */
export class CertificateKeeper {
  readonly #options: KeeperOptions;
  #current: Certificates | undefined;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<(certificates: Certificates) => void>();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Opens the certificates and starts to watch. Throws CertificateError. */
  async start(): Promise<Certificates> {
    this.#current = await openCertificates(this.#options);
    this.#timer = setInterval(() => void this.check(), this.#options.checkEveryMs ?? 60_000);
    this.#timer.unref();
    return this.#current;
  }

  /** Calls the listener with each new leaf, to serve it without a restart; returns an unsubscribe function. */
  subscribe(listener: (certificates: Certificates) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The served certificates. Throws before start. */
  get current(): Certificates {
    if (!this.#current) throw new Error('the certificates are not open yet');
    return this.#current;
  }

  /** Renews the leaf if due; one check at a time. Never rejects. */
  check(): Promise<void> {
    this.#checking = this.#checking.then(async () => {
      try {
        const opened = await openCertificates(this.#options, this.#current);
        const isNew = opened.cert !== this.#current?.cert;
        this.#current = opened;
        if (isNew) for (const listener of this.#listeners) listener(opened);
      } catch (error) {
        this.#options.onError(error);
      }
    });
    return this.#checking;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
  }
}
