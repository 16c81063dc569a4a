/** Asks the daemon, which watches the clock, up to when time has passed for certain. */
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
 * The time by which old things are deleted: never later than what the daemon vouches for, nor than the clock. As long as the daemon has
 * not said anything it is 0, and nothing is old.
 */
export class TrustedTime {
  readonly #options: Required<TimeOptions>;
  #daemon: Asked | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** What the daemon said, epoch ms, and when, elapsed ms. */
  #known: { trustedMs: number; atMs: number } | undefined;

  constructor(options: TimeOptions) {
    this.#options = { elapsed: () => performance.now(), ...options };
  }

  /** Resolves when the daemon was asked for the first time, also in vain. */
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

  /** What a daemon that is away said last still holds: since then time has passed. */
  async #ask(): Promise<void> {
    const status = await this.#daemon?.daemon_status().catch(() => undefined);
    if (status?.trusted_at === undefined) return;
    this.#known = { trustedMs: Date.parse(status.trusted_at), atMs: this.#options.elapsed() };
  }
}
