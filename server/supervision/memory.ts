/** Asks the daemon how much memory it uses, MB. */
interface Asked {
  ram_use(): Promise<number>;
  close(): void;
}

const askEveryMs = 10_000;

/** The daemon's resident memory, polled, so that readers wait for nothing. */
export class DaemonMemory {
  readonly #daemon: Asked;
  #timer: NodeJS.Timeout | undefined;
  #mb: number | null = null;

  constructor(daemon: Asked) {
    this.#daemon = daemon;
  }

  start(): void {
    this.askAgain();
    this.#timer = setInterval(() => void this.#ask(), askEveryMs);
  }

  /** Forgets the figure of an earlier daemon. */
  askAgain(): void {
    this.#mb = null;
    void this.#ask();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#daemon.close();
  }

  /** In MB; null until the daemon has answered, and while it does not. */
  get mb(): number | null {
    return this.#mb;
  }

  async #ask(): Promise<void> {
    this.#mb = await this.#daemon.ram_use().catch(() => null);
  }
}
