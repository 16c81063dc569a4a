import { Transform, type TransformCallback } from 'node:stream';

const publish = 3;
/** Type and remaining length: MQTT 3.1.1, section 2.2. */
const longestHeader = 5;

/** A packet too long to accept: the connection can no longer be trusted. */
export class PacketTooLongError extends Error {
  override readonly name = 'PacketTooLongError';
}

/**
 * Passes a broker's packets on and drops messages beyond a length, bytes, without keeping them in memory. For
 * subscriptions of QoS 0, where the sender waits for no acknowledgement. Errors: PacketTooLongError for any other
 * packet beyond it.
 */
export class PacketFilter extends Transform {
  readonly #longest: number;
  #header: number[] = [];
  /** Remaining bytes of the present packet. */
  #left = 0;
  #isDropped = false;

  constructor(longest: number) {
    super();
    this.#longest = longest;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#left === 0) {
        this.#header.push(chunk[at] ?? 0);
        at += 1;
        const failure = this.#endHeader();
        if (failure !== null) return done(failure);
        continue;
      }
      const part = chunk.subarray(at, at + this.#left);
      if (!this.#isDropped) this.push(part);
      this.#left -= part.length;
      at += part.length;
    }
    done();
  }

  /** Does nothing until the header is complete. */
  #endHeader(): Error | null {
    const [type = 0, ...digits] = this.#header;
    const isWhole = digits.length > 0 && ((digits.at(-1) ?? 0) & 0x80) === 0;
    if (!isWhole) {
      return this.#header.length < longestHeader ? null : new PacketTooLongError('the broker sent no valid packet');
    }
    this.#left = digits.reduceRight((length, digit) => length * 128 + (digit & 0x7f), 0);
    this.#isDropped = this.#left > this.#longest;
    const isMessage = type >> 4 === publish && (type & 0b0110) === 0;
    if (this.#isDropped && !isMessage) return new PacketTooLongError(`the broker sent a packet of ${this.#left} bytes`);
    if (!this.#isDropped) this.push(Buffer.from(this.#header));
    this.#header = [];
    return null;
  }
}
