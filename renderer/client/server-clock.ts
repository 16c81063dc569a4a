/** Bounds of how far the server's clock is ahead of this device's, ms; negative when behind. */
interface Ahead {
  least_ms: number;
  most_ms: number;
}

/**
 * The server's time of day, estimated from its answers, to compare with times the server sent: a tablet's clock may be
 * minutes off. Each `Date` header bounds the difference between the clocks by the moments of asking and receiving
 * (Cristian, 1989); several answers narrow it. While the bounds include zero, the clocks are taken to agree.
 */
export class ServerClock {
  readonly #local: () => number;
  #ahead: Ahead | undefined;

  constructor(local: () => number = () => Date.now()) {
    this.#local = local;
  }

  /** Epoch ms of the server; of this device until an answer arrived. Accurate to about a second. */
  now(): number {
    return this.#local() + this.#offset_ms();
  }

  /** Takes the `Date` header of an answer asked for at `askedMs`, epoch ms of this device, and received now. */
  hear(date: string | null, askedMs: number): void {
    const toldMs = date === null ? NaN : Date.parse(date);
    if (Number.isNaN(toldMs)) return;
    // The header omits the fraction of a second.
    const heard = { least_ms: toldMs - this.#local(), most_ms: toldMs + 1_000 - askedMs };
    // An answer from the browser's cache, or a device clock set back meanwhile.
    if (heard.least_ms > heard.most_ms) return;
    const known = this.#ahead ?? heard;
    const both = {
      least_ms: Math.max(known.least_ms, heard.least_ms),
      most_ms: Math.min(known.most_ms, heard.most_ms),
    };
    // One of the clocks was set since: discard the earlier bounds.
    this.#ahead = both.least_ms > both.most_ms ? heard : both;
  }

  #offset_ms(): number {
    if (this.#ahead === undefined) return 0;
    const { least_ms, most_ms } = this.#ahead;
    if (least_ms <= 0 && most_ms >= 0) return 0;
    return Math.round((least_ms + most_ms) / 2);
  }
}
