/** Asks the daemon, which watches the clock, what time has certainly been reached. */
interface Asked {
  daemon_status(): Promise<{ trusted_at?: string | undefined }>;
  close(): void;
}

interface TimeOptions {
  /** Epoch ms. */
  now: () => number;
  /** Monotonic ms. */
  elapsed?: () => number;
}

const askEveryMs = 10 * 60_000;

/**
 * The time by which old records are deleted: never later than the daemon vouches for, nor than the clock. Until the
 * daemon has answered it is 0, and nothing is old.
 */
export class TrustedTime {
  readonly #options: Required<TimeOptions>;
  #daemon: Asked | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The daemon's answer, epoch ms, and when it came, elapsed ms. */
  #known: { trustedMs: number; atMs: number } | undefined;

  constructor(options: TimeOptions) {
    this.#options = { elapsed: () => performance.now(), ...options };
  }

  /** Resolves when the daemon was asked for the first time, even in vain. */
  async start(daemon: Asked): Promise<void> {
    this.#daemon = daemon;
    this.#timer = setInterval(() => void this.#ask(), askEveryMs).unref();
    await this.#ask();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#daemon?.close();
  }

  /** Epoch ms. */
  now(): number {
    if (this.#known === undefined) return 0;
    const { trustedMs, atMs } = this.#known;
    return Math.min(this.#options.now(), trustedMs + this.#options.elapsed() - atMs);
  }

  /** The last answer still holds while the daemon is away: since then time has passed. */
  async #ask(): Promise<void> {
    const status = await this.#daemon?.daemon_status().catch(() => undefined);
    if (status?.trusted_at === undefined) return;
    this.#known = { trustedMs: Date.parse(status.trusted_at), atMs: this.#options.elapsed() };
  }
}
