/**
 * Logs a fault that is met again and again only once, and anew when its words change or after it was over: the log must
 * still hold the days before it.
 */
export class LastingFault {
  readonly #log: { warn(message: string): void };
  #told: string | undefined;

  constructor(log: { warn(message: string): void }) {
    this.#log = log;
  }

  say(message: string): void {
    if (message === this.#told) return;
    this.#told = message;
    this.#log.warn(message);
  }

  over(): void {
    this.#told = undefined;
  }
}
