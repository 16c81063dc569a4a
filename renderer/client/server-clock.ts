/** What a server's time may be ahead of this device's by, in ms; negative where it is behind. */
interface Ahead {
  least_ms: number;
  most_ms: number;
}

/**
 * The server's time of day as its answers tell it, for whatever the server said with a time: the clock of a tablet may be minutes off.
 * Each `Date` header bounds the difference between the clocks by the moments of asking and hearing (Cristian, 1989), and answers
 * together bound it further. Where the clocks may agree as far as can be seen, they do.
 */
export class ServerClock {
  readonly #local: () => number;
  #ahead: Ahead | undefined;

  constructor(local: () => number = () => Date.now()) {
    this.#local = local;
  }

  /** Epoch ms of the server; of this device while no answer told otherwise. Right to about a second. */
  now(): number {
    return this.#local() + this.#offset_ms();
  }

  /** Takes the `Date` header of an answer that was asked for at `askedMs`, epoch ms of this device, and is here now. */
  hear(date: string | null, askedMs: number): void {
    const toldMs = date === null ? NaN : Date.parse(date);
    if (Number.isNaN(toldMs)) return;
    // The header leaves the part of the second out.
    const heard = { least_ms: toldMs - this.#local(), most_ms: toldMs + 1_000 - askedMs };
    // An answer out of the browser's store, or a device whose clock went backwards meanwhile.
    if (heard.least_ms > heard.most_ms) return;
    const known = this.#ahead ?? heard;
    const both = {
      least_ms: Math.max(known.least_ms, heard.least_ms),
      most_ms: Math.min(known.most_ms, heard.most_ms),
    };
    // One of the clocks was set since: what was known before counts no more.
    this.#ahead = both.least_ms > both.most_ms ? heard : both;
  }

  #offset_ms(): number {
    if (this.#ahead === undefined) return 0;
    const { least_ms, most_ms } = this.#ahead;
    if (least_ms <= 0 && most_ms >= 0) return 0;
    return Math.round((least_ms + most_ms) / 2);
  }
}
