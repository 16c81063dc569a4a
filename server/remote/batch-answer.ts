import { exceptionToWire, RemoteError } from './exception.ts';
import type { Serializer } from './serializer.ts';

interface BatchAnswerOptions {
  serializer: Serializer;
  mostBytes: number;
  /** Called with the bytes that each result adds. */
  grown: (bytes: number) => void;
}

/**
 * The results of a batch, written one by one as its calls end, so that a long one does not block, and stops at its
 * limit.
 */
export class BatchAnswer {
  readonly #options: BatchAnswerOptions;
  readonly #items: Buffer[] = [];
  #bytes = 0;
  #isFull = false;

  constructor(options: BatchAnswerOptions) {
    this.#options = options;
  }

  /** No further call should begin. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Takes a result; one that no longer fits becomes the failure that ends the batch. Throws `serialize_error`. */
  add(result: unknown): void {
    const { serializer, mostBytes } = this.#options;
    const written = Buffer.from(serializer.write(result, 1));
    if (this.#bytes + written.length > mostBytes) {
      this.fail(
        new RemoteError('too_large', `the answer is longer than ${mostBytes} bytes; no further call was begun`),
      );
    } else this.#push(written);
  }

  fail(error: RemoteError): void {
    this.#isFull = true;
    const exception = exceptionToWire(error, true);
    const wrapper = { __class__: 'Pyro5.core._ExceptionWrapper', exception };
    this.#push(Buffer.from(this.#options.serializer.write(wrapper, 1)));
  }

  encode(): Buffer {
    return this.#options.serializer.encodeList(this.#items);
  }

  #push(written: Buffer): void {
    this.#items.push(written);
    this.#bytes += written.length;
    this.#options.grown(written.length);
  }
}
