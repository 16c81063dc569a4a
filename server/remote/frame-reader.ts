import {
  checkPreamble,
  decodeBody,
  decodeHeader,
  headerBytes,
  preambleBytes,
  type Frame,
  type FrameHeader,
} from './frame.ts';

const firstAllocationBytes = 64 * 1024;

/**
 * Cuts a byte stream into messages, in chunks of any size. The first six bytes are checked before the header is
 * complete, and its lengths before the body. Memory grows with what has arrived, not with what a header promises.
 */
export class FrameReader {
  /** The longest accepted body; may change between messages. */
  maxBytes: number;
  #store = Buffer.alloc(headerBytes);
  #filled = 0;
  #needed = preambleBytes;
  #header: FrameHeader | undefined;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Memory of the incomplete message, bytes. */
  get heldBytes(): number {
    return this.#store.length;
  }

  /** Whether a message has begun and is incomplete. */
  get inside(): boolean {
    return this.#filled > 0;
  }

  /** Yields each message that `chunk` completes; throws RemoteError at the first byte that cannot belong to one. */
  *push(chunk: Buffer): Generator<Frame, void, undefined> {
    let at = 0;
    while (at < chunk.length || this.#filled === this.#needed) {
      at += this.#take(chunk, at);
      if (this.#filled < this.#needed) return;
      const frame = this.#advance();
      if (frame !== undefined) yield frame;
    }
  }

  #take(chunk: Buffer, at: number): number {
    const count = Math.min(chunk.length - at, this.#needed - this.#filled);
    this.#makeRoom(this.#filled + count);
    chunk.copy(this.#store, this.#filled, at, at + count);
    this.#filled += count;
    return count;
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#store.length) return;
    const doubled = Math.max(bytes, this.#store.length * 2, firstAllocationBytes);
    const grown = Buffer.allocUnsafe(Math.min(doubled, this.#needed));
    this.#store.copy(grown, 0, 0, this.#filled);
    this.#store = grown;
  }

  #advance(): Frame | undefined {
    if (this.#needed === preambleBytes) {
      checkPreamble(this.#store);
      this.#needed = headerBytes;
      return undefined;
    }
    if (this.#header === undefined) {
      this.#header = decodeHeader(this.#store, this.maxBytes);
      this.#needed += this.#header.annotationBytes + this.#header.payloadBytes;
      if (this.#filled < this.#needed) return undefined;
    }
    return this.#finish(this.#header);
  }

  #finish(header: FrameHeader): Frame {
    const frame = decodeBody(header, this.#store.subarray(headerBytes, this.#needed));
    this.#store = Buffer.alloc(headerBytes);
    this.#filled = 0;
    this.#needed = preambleBytes;
    this.#header = undefined;
    return frame;
  }
}
